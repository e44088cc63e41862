"""When a run has measured enough, and how much longer an undecided pair would take.

Stopping as soon as the printed 95 % interval decides would spoil that interval near the margin: it would then be looked
at once per generation. A 99 % interval that decides, or a narrow 95 % one, keeps the coverage (docs/intervals.md).
"""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np

from trivet.stats.interval import PRIOR_DEGREES, LogEstimate
from trivet.stats.samples import Samples
from trivet.stats.verdict import UNDECIDED, compare, judge

FEWEST_GENERATIONS = 3
NARROW = 0.03
"""Half-width of a 95 % interval, on the log scale, below which a pair needs no more."""

STOPPING_CONFIDENCE = 0.99
MOST_GENERATIONS = 60
"""Beyond this, "more minutes" is no useful advice: the ratio lies too close to the margin."""


def settled(estimate: LogEstimate, margin: float) -> bool:
    """Say whether a pair needs no further generation.

    Args:
        estimate: of the pair's log ratio.
        margin: what counts as no practical difference, as a share.
    """
    if int(estimate.generations) < FEWEST_GENERATIONS:
        return False
    narrow = float(estimate.half_width()) < NARROW
    return narrow or judge(estimate, margin, STOPPING_CONFIDENCE) != UNDECIDED


def unsettled(samples: Samples, margin: float) -> tuple[str, ...]:
    """Return the contestants with a pair that needs another generation; () means that the run may stop.

    The others may leave the generations to come, so that the time goes to the close races. A contestant without clean
    rounds so far needs more; one that failed is not to be among those asked for.

    Args:
        samples: of one workload, of the contestants that are to be ranked.
        margin: what counts as no practical difference, as a share.
    """
    if len(samples.contestants) == 1:
        alone = samples.contestants[0]
        return (alone,) if samples.counted(alone) < FEWEST_GENERATIONS else ()
    waiting: set[str] = set()
    for a, b in itertools.combinations(samples.contestants, 2):
        comparison = compare(samples, a, b, margin)
        if comparison is None or not settled(comparison.estimate, margin):
            waiting |= {a, b}
    return tuple(label for label in samples.contestants if label in waiting)


def more_generations(estimate: LogEstimate, margin: float) -> int | None:
    """Return how many more generations would decide a pair if ratio and spread stay as they are.

    None if it is decided, or lies so close to the margin that no sensible number would do.

    Args:
        estimate: of the pair's log ratio.
        margin: what counts as no practical difference, as a share.
    """
    if judge(estimate, margin) != UNDECIDED:
        return None
    have = int(estimate.generations)
    for count in range(max(have + 1, FEWEST_GENERATIONS), MOST_GENERATIONS + 1):
        later = dataclasses.replace(
            estimate, generations=np.asarray(count), degrees=np.asarray(PRIOR_DEGREES + count - 1)
        )
        if judge(later, margin) != UNDECIDED:
            return count - have
    return None
