"""What a kernel's gradient tells of how the kernel is applied.

The gradient of a kernel is Σ input ⊗ output gradient, so that with few examples its columns span only the space of the
layer's inputs. Inputs that agree span the same space even where the outputs differ. A kernel that is applied with its
rows in another order has a gradient that lies in that space only after they are put back.
"""

from __future__ import annotations

import math

import numpy as np

from trivet.parity import distance

IN_SPAN = 1e-6
"""Share of a gradient outside a space up to which it counts as inside: rounding leaves 1e-12, another input 1."""

_NOT_SWAPPED = ("width", "in")
"""Neighbouring axes that nobody exchanges."""


def transposed(ours: np.ndarray, theirs: np.ndarray) -> str:
    """Say which equally long axes of a kernel one contestant exchanges, judging by the kernel's gradients.

    Args:
        ours: gradient (in, out) or (height, width, in, out).
        theirs: the reference's, of the same shape.

    Returns:
        The names of the two axes, "" if there are none or if the batch has too many values to tell.
    """
    if ours.shape != theirs.shape:
        return ""
    names = {2: ("in", "out"), 4: ("height", "width", "in", "out")}.get(theirs.ndim, ())
    pairs = [(a, a + 1) for a in range(len(names) - 1) if theirs.shape[a] == theirs.shape[a + 1] > 1]
    swaps = [(a, b) for a, b in pairs if (names[a], names[b]) != _NOT_SWAPPED]
    basis = _inputs(theirs) if swaps else None
    if basis is None or _outside(ours, basis) <= IN_SPAN:
        return ""
    for a, b in swaps:
        if _outside(np.swapaxes(ours, a, b), basis) <= IN_SPAN:
            return f"{names[a]} and {names[b]}"
    return ""


def flattened(ours: np.ndarray, theirs: np.ndarray, image: tuple[int, ...]) -> tuple[str, str] | None:
    """Say in which order two contestants flatten an image before a dense layer, judging by its kernel's gradients.

    Args:
        ours: gradient (in, out).
        theirs: the reference's, of the same shape.
        image: (height, width, channels) of what is flattened.

    Returns:
        Our order and theirs; None if the orders agree, or if that does not explain the gradient.
    """
    height, width, channels = image
    if ours.shape != theirs.shape or ours.ndim != 2 or len(ours) != height * width * channels:
        return None
    basis = _inputs(theirs)
    if basis is None or _outside(ours, basis) <= IN_SPAN:
        return None
    last, first = "height, width, channels", "channels, height, width"
    rows = ours.reshape(channels, height, width, -1).transpose(1, 2, 0, 3)
    if _outside(rows.reshape(ours.shape), basis) <= IN_SPAN:
        return first, last
    rows = ours.reshape(height, width, channels, -1).transpose(2, 0, 1, 3)
    if _outside(rows.reshape(ours.shape), basis) <= IN_SPAN:
        return last, first
    return None


def _inputs(gradient: np.ndarray) -> np.ndarray | None:
    """Return an orthonormal basis of a kernel's inputs, None if the gradient spans all that it can, or is not finite."""
    if not np.isfinite(gradient).all():
        return None
    columns, values, _ = np.linalg.svd(gradient.reshape(-1, gradient.shape[-1]), full_matrices=False)
    rank = int(np.count_nonzero(values > 1e-10 * values[0]))
    if rank == len(values):
        return None
    basis: np.ndarray = columns[:, :rank]
    return basis


def _outside(gradient: np.ndarray, basis: np.ndarray) -> float:
    """Return the share of a kernel's gradient that lies outside the span of the basis."""
    matrix = gradient.reshape(-1, gradient.shape[-1])
    size = distance.norm(matrix)
    if size == 0.0:
        return math.inf
    return distance.norm(matrix - basis @ (basis.T @ matrix)) / size
