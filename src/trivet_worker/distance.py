"""How far two tensors are apart, relative to one of them.

The measure is ``‖a − b‖ / max(‖b‖, 1e-6 ‖whole‖)`` with 2-norms, where *whole* is everything of b's kind at that step.
The floor is for tensors whose exact value is zero, such as the gradient of a bias before a batch normalisation: there
both sides hold rounding noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

FLOOR = 1e-6
"""Smallest share of the whole that a tensor counts as."""
NOTHING_IN_COMMON = 1e9
"""Where the measure ends, values that are not finite included."""


def norm(array: np.ndarray) -> float:
    """Return the 2-norm over all elements."""
    # In memory order: a tensor that a framework keeps in another axis order would be copied for nothing.
    return float(np.linalg.norm(np.ravel(array, order="K")))


def whole(norms: Iterable[float]) -> float:
    """Return the 2-norm of everything, given that of each part."""
    return math.hypot(*norms)


def relative(gap: float, size: float, whole_size: float) -> float:
    """Return the measure.

    Args:
        gap: ``‖a − b‖``.
        size: ``‖b‖``.
        whole_size: 2-norm of everything of b's kind.
    """
    if gap == 0.0:
        return 0.0
    scale = max(size, FLOOR * whole_size)
    if not math.isfinite(gap) or not math.isfinite(scale) or scale == 0.0:
        return NOTHING_IN_COMMON
    return min(gap / scale, NOTHING_IN_COMMON)
