"""Which label smoothing explains a contestant's losses, given its own logits."""

from __future__ import annotations

import numpy as np

ENOUGH = 1e-9
"""Largest relative residual of a loss that counts as explained."""


class Replay:
    """Holds losses against the mean cross-entropy with smoothed labels.

    With smoothing s the loss is (1 − s)·mean(−log p[label]) + s·mean(−log p over all classes): s is the same at
    every step, so that few steps tell it from any other difference.

    References:
        Szegedy et al. (2016), Rethinking the inception architecture, section 7.
    """

    def __init__(self) -> None:
        self._losses: list[float] = []
        self._plain: list[float] = []
        self._uniform: list[float] = []

    def step(self, loss: float, logits: np.ndarray, labels: np.ndarray) -> None:
        """Take note of one step.

        Args:
            loss: scalar.
            logits: (..., classes).
            labels: (...), class indices.
        """
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            logarithms = _log_softmax(logits)
        chosen = np.take_along_axis(logarithms, labels[..., None].astype(np.int64), axis=-1)
        self._losses.append(float(loss))
        self._plain.append(-float(chosen.mean()))
        self._uniform.append(-float(logarithms.mean()))

    def smoothing(self) -> float | None:
        """Return the smoothing that explains all losses, 0.0 for none; None if nothing does."""
        losses, plain, uniform = (np.array(x) for x in (self._losses, self._plain, self._uniform))
        size = np.abs(losses).max(initial=0.0)
        if not np.isfinite(size) or size == 0.0:
            return None
        direction = uniform - plain
        square = float(direction @ direction)
        found = float(direction @ (losses - plain)) / square if square > 0 else 0.0
        residual = np.abs(losses - plain - found * direction).max() / size
        if not residual <= ENOUGH:
            return None
        return 0.0 if abs(found) <= ENOUGH else found


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    logarithms: np.ndarray = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logarithms
