"""How far two tensors are apart, and how far is too far.

The measure is ``‖a − b‖ / max(‖b‖, 1e-6 ‖whole‖)`` with 2-norms, where b is the reference's tensor and *whole* is
everything of its kind (all gradients; all updates or statistics of a step; the losses of all steps). The floor is for
what is next to nothing beside the rest, and holds rounding noise: the gradient of a bias before a batch normalisation,
the loss of examples that have been learnt by heart.
"""

from __future__ import annotations

import math

import numpy as np

LIMIT = 1e-9
"""For outputs, the loss, gradients and statistics of the first step, and for a contestant's steps against its own rule.
Equal programs were measured to agree to 1e-12 and better in float64; the mildest mistake known, an epsilon of 1.001e-5
for 1e-5, moves a layer's output by 3e-9."""

LIMIT_AFTER_STEPS = 1e-7
"""For what depends on parameters after several steps, later statistics and losses included. Training multiplies rounding
at every step: correct ResNet-50s were measured 3e-13 apart in their first gradients, 2e-10 after ten steps."""

FLOOR = 1e-6
"""Smallest share of the whole that a tensor counts as."""

NOTHING_IN_COMMON = 1e9
"""Where the measure ends: another shape, a missing tensor, a value that is not finite, an error beyond this."""


def norm(array: np.ndarray) -> float:
    """Return the 2-norm over all elements."""
    return float(np.linalg.norm(np.ravel(array)))


def gap(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Return ``‖ours − theirs‖``; infinite for different shapes."""
    if ours.shape != theirs.shape:
        return math.inf
    with np.errstate(invalid="ignore"):
        return norm(ours - theirs)


def relative(gap: float, size: float, whole: float) -> float:
    """Return the measure.

    Args:
        gap: ``‖a − b‖``.
        size: ``‖b‖``.
        whole: 2-norm of everything of b's kind.
    """
    if gap == 0.0:
        return 0.0
    if not math.isfinite(size + whole):
        return NOTHING_IN_COMMON
    scale = max(size, FLOOR * whole)
    if scale == 0.0:
        return NOTHING_IN_COMMON
    return capped(gap / scale)


def capped(error: float) -> float:
    """Return the error, or `NOTHING_IN_COMMON` if it is beyond that or not a number."""
    return NOTHING_IN_COMMON if math.isnan(error) else min(error, NOTHING_IN_COMMON)
