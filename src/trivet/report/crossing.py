"""Where the faster of two contestants has made up for its slower start."""

from __future__ import annotations

import dataclasses

from trivet.model.result import ContestantResult, Pair, StartUpEstimate, WorkloadResult

_DECIDED = ("a_faster", "b_faster")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Crossing:
    """The point at which two total times are equal.

    Attributes:
        faster, slower: labels, by throughput.
        items: done by then; 0 if the faster one is ahead from the start.
        seconds: since the start of the process.
    """

    faster: str
    slower: str
    items: float
    seconds: float


def crossing(workload: WorkloadResult, pair: Pair, caches: str) -> Crossing | None:
    """Return where a pair's lead changes; None where it does not, or where nobody is known to be faster.

    Args:
        workload: the pair's.
        pair: two of its contestants.
        caches: "cold" or "warm".
    """
    items = pair.break_even_items.get(caches)
    if items is None or pair.verdict not in _DECIDED:
        return None
    faster, slower = (pair.a, pair.b) if pair.verdict == "a_faster" else (pair.b, pair.a)
    seconds = pair.break_even_seconds.get(caches)
    if seconds is None:
        one = next(one for one in workload.contestants if one.contestant == faster)
        start = start_up(one, caches)
        assert start is not None
        assert one.throughput is not None
        seconds = start.value + items / one.throughput.value
    return Crossing(faster=faster, slower=slower, items=items, seconds=seconds)


def crossings(workload: WorkloadResult, caches: str) -> list[Crossing]:
    """Return the crossings that come after the start, the earliest first."""
    found = [crossing(workload, pair, caches) for pair in workload.pairs]
    return sorted((one for one in found if one and one.items > 0), key=lambda one: one.items)


def start_up(contestant: ContestantResult, caches: str) -> StartUpEstimate | None:
    """Return a contestant's start-up with cold or warm caches."""
    return contestant.startup_cold if caches == "cold" else contestant.startup_warm
