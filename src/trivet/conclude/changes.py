"""Two runs set against each other: what changed for the contestants that are in both."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trivet.conclude.conclusions import conclude
from trivet.conclude.differences import differences
from trivet.conclude.estimates import memory_readings, start_up_seconds
from trivet.conclude.remarks import slow_starts
from trivet.conclude.words import unequal
from trivet.model.diff import FORMAT, Change, ContestantChange, Difference, RunDiff, WorkloadChange
from trivet.model.measurement import Generation
from trivet.model.result import ContestantResult, Estimate, WorkloadResult
from trivet.stats.between import log_change, log_mean_change
from trivet.stats.interval import MEMORY_PRIOR, START_UP_PRIOR, LogEstimate
from trivet.stats.samples import collect
from trivet.stats.verdict import A_FASTER, B_FASTER, UNDECIDED, judge
from trivet.store.run import Run

_WORDS = {A_FASTER: "faster", B_FASTER: "slower"}


def compare_runs(before: Run, after: Run) -> RunDiff:
    """Return what changed from one run to another.

    Args:
        before: the earlier run.
        after: the later one.
    """
    old, new = conclude(before), conclude(after)
    facts = differences(old, new)
    margin = after.question.margin
    earlier = {one.workload: one for one in old.workloads}
    later = {one.workload: one for one in new.workloads}
    workloads = tuple(
        _workload(earlier[name], later[name], before, after, facts, margin)
        for name in later
        if name in earlier
    )
    same_machine = before.header.machine.digest == after.header.machine.digest
    return RunDiff(
        format=FORMAT,
        before=before.id,
        after=after.id,
        created=(before.header.created, after.header.created),
        margin=margin,
        same_machine=same_machine,
        workloads=workloads,
        only_before=tuple(name for name in earlier if name not in later),
        only_after=tuple(name for name in later if name not in earlier),
        differences=facts,
        notes=tuple(_notes(before, after, workloads, facts, same_machine=same_machine)),
    )


def _workload(
    old: WorkloadResult,
    new: WorkloadResult,
    before: Run,
    after: Run,
    facts: Sequence[Difference],
    margin: float,
) -> WorkloadChange:
    same_work = not any(
        (one.where == "work" and new.workload in one.of)
        or (one.where == "question" and one.name == "precision")
        for one in facts
    )
    earlier = {one.contestant: one for one in old.contestants}
    later = {one.contestant: one for one in new.contestants}
    return WorkloadChange(
        workload=new.workload,
        unit=new.unit,
        generations=(old.generations, new.generations),
        same_work=same_work,
        contestants=tuple(
            _contestant(
                earlier[label],
                later[label],
                before.generations(old.workload),
                after.generations(new.workload),
                margin,
                same_work=same_work,
            )
            for label in later
            if label in earlier
        ),
        only_before=tuple(label for label in earlier if label not in later),
        only_after=tuple(label for label in later if label not in earlier),
    )


def _contestant(
    old: ContestantResult,
    new: ContestantResult,
    before: Sequence[Generation],
    after: Sequence[Generation],
    margin: float,
    *,
    same_work: bool,
) -> ContestantChange:
    label = new.contestant
    # All contestants of a run tell how unsteady it was, so all of them go into the estimate.
    runs = [collect(one, _measured(one, label)) for one in (before, after)]
    estimate = log_change(
        runs[0].log_seconds, runs[0].index(label), runs[1].log_seconds, runs[1].index(label)
    )
    withheld = _withheld(old, new, same_work=same_work)
    disturbed = "disturbed" in (old.status, new.status)
    verdict = None
    if not withheld:
        found = UNDECIDED if disturbed else judge(estimate, margin)
        verdict = _WORDS.get(found, found)
    memory = {
        counter: _mean_change(
            old.memory.get(counter),
            new.memory.get(counter),
            _readings(before, label, counter),
            _readings(after, label, counter),
            MEMORY_PRIOR,
            comparable=same_work,
        )
        for counter in dict.fromkeys([*old.memory, *new.memory])
    }
    starts = {
        cold: _mean_change(
            old.startup_cold if cold else old.startup_warm,
            new.startup_cold if cold else new.startup_warm,
            start_up_seconds(before, label, cold=cold),
            start_up_seconds(after, label, cold=cold),
            START_UP_PRIOR,
            comparable=same_work,
        )
        for cold in (True, False)
    }
    return ContestantChange(
        contestant=label,
        versions=(old.version, new.version),
        statuses=(old.status, new.status),
        throughput=_change(old.throughput, new.throughput, None if withheld else estimate),
        verdict=verdict,
        provisional=not withheld and int(estimate.generations) == 1,
        withheld=withheld,
        startup_cold=starts[True],
        startup_warm=starts[False],
        memory=memory,
        parity=(old.parity["equal"], new.parity["equal"]),
    )


def _measured(generations: Sequence[Generation], label: str) -> list[str]:
    """Return the contestants with slices, and the one asked for in any case."""
    return list(dict.fromkeys([label, *(one.contestant for each in generations for one in each.slices)]))


def _withheld(old: ContestantResult, new: ContestantResult, *, same_work: bool) -> str:
    reasons = [_lacking(one) for one in (old, new)]
    if reasons[0] and reasons[0] == reasons[1]:
        return f"{reasons[0]} before and after"
    for when, reason in zip(("before", "after"), reasons, strict=True):
        if reason:
            return f"{reason} {when}"
    return "" if same_work else "not the same work"


def _lacking(one: ContestantResult) -> str:
    """Return why a contestant has no speed to compare, "" if it has one."""
    if one.status == "not_equal":
        return unequal(one)
    return one.status.replace("_", " ") if one.throughput is None else ""


def _readings(generations: Sequence[Generation], label: str, counter: str) -> list[float]:
    return [float(one[counter]) for one in memory_readings(generations, label) if counter in one]


def _mean_change(
    old: Estimate | None,
    new: Estimate | None,
    before: Sequence[float],
    after: Sequence[float],
    prior_share: float,
    *,
    comparable: bool,
) -> Change:
    if old is None or new is None or not comparable:
        return Change(before=old, after=new)
    estimate = log_mean_change(before, after, prior_share)
    if int(estimate.generations) == 1:
        return Change(before=old, after=new, ratio=math.exp(float(estimate.centre)))
    return _change(old, new, estimate)


def _change(old: Estimate | None, new: Estimate | None, estimate: LogEstimate | None) -> Change:
    if estimate is None:
        return Change(before=old, after=new)
    centre, half = float(estimate.centre), float(estimate.half_width())
    return Change(
        before=old,
        after=new,
        ratio=math.exp(centre),
        low=math.exp(centre - half),
        high=math.exp(centre + half),
    )


def _notes(
    before: Run,
    after: Run,
    workloads: Sequence[WorkloadChange],
    facts: Sequence[Difference],
    *,
    same_machine: bool,
) -> list[str]:
    notes = [
        f"Run {run.id} is not complete; `trivet compare --resume {run.id}` goes on."
        if run.writer is None
        else f"Run {run.id} is {run.state}."
        for run in (before, after)
        if not run.complete
    ]
    notes += [
        f"{run.id}, {note}"
        for run in (before, after)
        for workload in workloads
        if (note := slow_starts(run, workload.workload))
    ]
    changes = [one for workload in workloads for one in workload.contestants]
    if any(one.provisional for one in changes):
        notes.append("A run has one generation only: intervals are assumed, not measured.")
    if not same_machine:
        notes.append("The runs are from different machines: what changed may be the machine alone.")
        return notes
    touched = {label for one in facts if one.where in ("versions", "settings") for label in one.of}
    whole = any(one.where in ("machine", "code") for one in facts)
    unmoved = [
        one.contestant
        for one in changes
        if one.verdict in ("faster", "slower") and one.contestant not in touched
    ]
    if unmoved and not whole:
        notes.append(
            f"Nothing is known to differ for {', '.join(dict.fromkeys(unmoved))}: its change is the machine's, which may "
            "have been slower or faster during one whole run. The others' changes hold as much of it."
        )
    return notes
