"""How long a contestant warms up, and how many steps make a slice."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

SLICE_SECONDS = 1.1
"""What a slice aims at: 1 to 1.5 s, long enough for the guard's counters, short enough to dodge disturbances."""

SHORTEST_SLICE_SECONDS = 0.7
"""A slice that took less does not count: its number of steps was chosen while the machine was disturbed."""

MINIMUM_STEPS = 3
"""Steps in a slice, however long one takes."""

AGREEMENT = 0.05
"""A contestant is warm when two successive blocks of steps differ by less than this share."""

LONGEST_SECONDS = 10.0
"""... or when it has warmed up for so long."""

_BLOCK_SECONDS = 0.4


@dataclasses.dataclass(frozen=True, kw_only=True)
class WarmUp:
    """How it went.

    Attributes:
        step_seconds: of the fastest block, the one least disturbed.
        settled: True if the last two blocks agreed.
    """

    step_seconds: float
    settled: bool


def warm_up(
    run: Callable[[int], float], step_seconds: float, clock: Callable[[], float] = time.monotonic
) -> WarmUp:
    """Run blocks of steps until two successive ones agree.

    Args:
        run: takes so many steps and returns the seconds they took.
        step_seconds: what a step takes, by first impression.
        clock: in seconds.
    """
    started = clock()
    previous = None
    fastest = step_seconds
    while True:
        steps = max(1, round(_BLOCK_SECONDS / fastest))
        latest = run(steps) / steps
        fastest = min(fastest, latest)
        if previous is not None and abs(latest - previous) <= AGREEMENT * min(latest, previous):
            return WarmUp(step_seconds=fastest, settled=True)
        if clock() - started >= LONGEST_SECONDS:
            return WarmUp(step_seconds=fastest, settled=False)
        previous = latest


def steps_per_slice(step_seconds: float) -> int:
    """Return how many steps make a slice, given what one takes.

    Example:
        >>> steps_per_slice(0.01), steps_per_slice(2.0)
        (125, 3)
    """
    return max(MINIMUM_STEPS, round(SLICE_SECONDS / max(step_seconds, 1e-9)))
