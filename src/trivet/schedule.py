"""Which workload gets the next generation, and when the measuring is done."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Sequence

MINIMUM_GENERATIONS = 3
"""Below three fresh processes each, no interval covers what it claims (docs/intervals.md)."""

MOST_REPLACED = 2
"""Generations beyond the minimum that may replace those that a disturbed machine spoilt, whatever the budget."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Standing:
    """How far one workload is.

    Attributes:
        workload: name.
        seconds: wall time of each generation so far.
        spoilt: generations that do not count for some contestant, for want of clean rounds.
        decided: every pair is decided, or its interval is narrow enough.
        stopped: nothing is left to measure (every contestant failed or was withheld).
    """

    workload: str
    seconds: tuple[float, ...]
    spoilt: int = 0
    decided: bool = False
    stopped: bool = False

    def due(self, minimum: int) -> int:
        """Return how many generations are still to come whatever the budget.

        Spoilt ones are replaced, unless none counts: such a machine will not be quiet the next time either.
        """
        count = len(self.seconds)
        replaced = min(self.spoilt, MOST_REPLACED) if self.spoilt < count else 0
        return max(0, minimum + replaced - count)


def next_workload(standings: Sequence[Standing], *, budget_seconds: float, quick: bool) -> str | None:
    """Return the workload whose turn it is, or None when all is done.

    A workload gets at least `MINIMUM_GENERATIONS` that count (one generation when quick) whatever the budget. After
    that the one with the fewest goes first, as long as it is undecided and its next generation fits into what is left
    of the budget.
    """
    minimum = 1 if quick else MINIMUM_GENERATIONS
    spent = sum(sum(standing.seconds) for standing in standings)
    candidates = []
    for standing in standings:
        count = len(standing.seconds)
        if standing.stopped or (quick and count >= 1):
            continue
        due = standing.due(minimum) > 0
        if due or (not standing.decided and spent + expected_seconds(standing) <= budget_seconds):
            candidates.append((not due, count, standing.workload))
    if not candidates:
        return None
    order = [standing.workload for standing in standings]
    return min(candidates, key=lambda item: (item[0], item[1], order.index(item[2])))[2]


def expected_seconds(standing: Standing) -> float:
    """Return how long the next generation should take: the median of the warm ones, else the cold one."""
    if not standing.seconds:
        return 60.0
    return statistics.median(standing.seconds[1:] or standing.seconds)


def remaining_seconds(standings: Sequence[Standing], *, budget_seconds: float, quick: bool) -> float:
    """Return about how long the measuring still takes."""
    minimum = 1 if quick else MINIMUM_GENERATIONS
    due = sum(expected_seconds(s) * s.due(minimum) for s in standings if not s.stopped)
    if quick or all(s.decided or s.stopped for s in standings):
        return due
    return max(due, budget_seconds - sum(sum(s.seconds) for s in standings))
