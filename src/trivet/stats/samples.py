"""Clean slices of one workload as an array: generations by rounds by contestants."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trivet.model.measurement import Generation

ENOUGH_ROUNDS = 2
"""Clean rounds that a contestant needs in a generation; with fewer, one burst would be its whole result."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Samples:
    """What a workload's clean slices say.

    Attributes:
        contestants: labels, the order of the last axis.
        log_seconds: (G, R, P), log of the step time in seconds; NaN where there is no clean slice. A contestant with
            too few clean rounds in a generation is NaN in all of them.
    """

    contestants: tuple[str, ...]
    log_seconds: NDArray[np.float64]

    def index(self, label: str) -> int:
        """Return a contestant's place on the last axis."""
        return self.contestants.index(label)

    def counted(self, label: str) -> int:
        """Return in how many generations a contestant has enough clean rounds."""
        clean = np.isfinite(self.log_seconds[:, :, self.index(label)])
        return int(clean.any(axis=1).sum())


def collect(generations: Sequence[Generation], contestants: Sequence[str]) -> Samples:
    """Return the samples of some contestants.

    A round that was repeated counts as it was taken last, so that pairs of contestants come from the same attempt.

    Args:
        generations: of one workload, in order.
        contestants: labels; those without slices stay all NaN.
    """
    places = {label: place for place, label in enumerate(contestants)}
    rounds = 1 + max((taken.round for one in generations for taken in one.slices), default=0)
    log_seconds = np.full((len(generations), rounds, len(contestants)), np.nan)
    for number, generation in enumerate(generations):
        for taken in generation.slices:
            if taken.clean and taken.contestant in places:
                step = math.log(taken.seconds / taken.steps)
                log_seconds[number, taken.round, places[taken.contestant]] = step
    few = np.isfinite(log_seconds).sum(axis=1, keepdims=True) < ENOUGH_ROUNDS
    log_seconds[np.broadcast_to(few, log_seconds.shape)] = np.nan
    return Samples(contestants=tuple(contestants), log_seconds=log_seconds)
