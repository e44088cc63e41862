"""What an attention's softmax shows of how it was called, in common terms so that frameworks can be set side by side."""

from __future__ import annotations

from typing import Any

import numpy as np


def attributes(scores: np.ndarray, weights: np.ndarray, dtype: str) -> dict[str, Any]:
    """Return the attributes of a tap of the kind "attention".

    Args:
        scores: (..., T, S), what goes into the softmax.
        weights: (..., T, S), what comes out: zero where masked.
        dtype: in which the softmax is computed, such as "float64".

    Returns:
        ``dtype``; ``lookahead``, how many positions ahead of itself a position may look, 0 for a causal mask (negative
        if it may not see itself); ``scores``, the root mean square of the scores that are not masked.
    """
    seen = weights > 0
    rows, columns = np.nonzero(seen.reshape(-1, *weights.shape[-2:]).any(axis=0))
    ahead = int((columns - rows).max()) if rows.size else 0
    visible = scores[seen].astype(np.float64)
    size = float(np.sqrt(np.mean(visible**2))) if visible.size else 0.0
    return {"dtype": dtype, "lookahead": ahead, "scores": size}
