"""What changed from one run to another. Its JSON form is described in docs/result.md."""

from __future__ import annotations

import dataclasses

from trivet.model.result import Estimate

FORMAT = 1
DIFF_VERDICTS = ("faster", "slower", "no_practical_difference", "undecided")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Change:
    """A number in both runs.

    Attributes:
        before, after: the estimates, None where there is none.
        ratio: after over before; None where one is missing, or where the work was not the same.
        low, high: its 95 % interval; None where a side has one sample only and no assumption is made.
    """

    before: Estimate | None
    after: Estimate | None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ContestantChange:
    """One contestant on one workload in both runs.

    Attributes:
        contestant: label.
        versions: of the framework, before and after; "" if it never came to that.
        statuses: of `trivet.model.result.STATUSES`, before and after.
        throughput: items per second.
        verdict: one of `DIFF_VERDICTS`, about the later run; None where `withheld` says why.
        provisional: True when a run has one generation only: the interval is assumed.
        withheld: why there is no ratio of throughputs; "" if there is one.
        startup_cold, startup_warm: seconds.
        memory: counter -> bytes.
        parity: True, False or None (not checked), before and after.
    """

    contestant: str
    versions: tuple[str, str]
    statuses: tuple[str, str]
    throughput: Change
    verdict: str | None
    provisional: bool
    withheld: str
    startup_cold: Change
    startup_warm: Change
    memory: dict[str, Change]
    parity: tuple[bool | None, bool | None]


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorkloadChange:
    """One workload in both runs.

    Attributes:
        workload: name.
        unit: what is counted.
        generations: before and after.
        same_work: False if batch, sizes, loss, optimizer or precision differ: nothing is set against each other then.
        contestants: those in both runs, in the later one's order.
        only_before, only_after: labels of the others.
    """

    workload: str
    unit: str
    generations: tuple[int, int]
    same_work: bool
    contestants: tuple[ContestantChange, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Difference:
    """A fact that is not the same in both runs.

    Attributes:
        where: "question", "work", "machine", "code", "versions" or "settings".
        name: of the fact, such as "jax" or "kernel".
        of: labels of the contestants, or names of the workloads, that it is about; () if it is about the whole run.
        before, after: its values as text; None where there is none.
    """

    where: str
    name: str
    of: tuple[str, ...]
    before: str | None
    after: str | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunDiff:
    """Two runs set against each other.

    Attributes:
        format: version of this shape.
        before, after: ids of the runs.
        created: of both, ISO 8601 with offset.
        margin: what counts as no practical difference, the later run's.
        same_machine: True if both runs are from one kind of machine.
        workloads: those in both runs.
        only_before, only_after: names of the others.
        differences: all facts that are known to differ.
        notes: sentences that qualify the numbers.
    """

    format: int
    before: str
    after: str
    created: tuple[str, str]
    margin: float
    same_machine: bool
    workloads: tuple[WorkloadChange, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
