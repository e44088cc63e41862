"""Every raw slice of a run with the moment at which it was taken, for those who want to see the noise themselves."""

from __future__ import annotations

import dataclasses

from trivet.store.run import Run


@dataclasses.dataclass(frozen=True, kw_only=True)
class TimedSlice:
    """One slice, as the page and a data frame show it.

    Attributes:
        contestant: label.
        generation: number from 1.
        round: number from 1, within the generation.
        minutes: from the start of the run to the start of the slice.
        seconds: that it took.
        items_per_second: throughput.
        clean: False if it does not count.
        foreign_share: CPU time of other processes over wall time and CPUs; None where it cannot be read.
    """

    contestant: str
    generation: int
    round: int
    minutes: float
    seconds: float
    items_per_second: float
    clean: bool
    foreign_share: float | None


def timeline(run: Run) -> dict[str, tuple[TimedSlice, ...]]:
    """Return workload -> its slices in the order taken, rejected ones too.

    Args:
        run: complete or not.
    """
    return {
        facts.name: tuple(
            TimedSlice(
                contestant=taken.contestant,
                generation=generation.number + 1,
                round=taken.round + 1,
                minutes=taken.started / 60,
                seconds=taken.seconds,
                items_per_second=facts.batch * taken.steps / taken.seconds,
                clean=taken.clean,
                foreign_share=taken.foreign_share,
            )
            for generation in run.generations(facts.name)
            for taken in generation.slices
        )
        for facts in run.header.workloads
    }
