"""Sentences that qualify the numbers of a run."""

from __future__ import annotations

from collections.abc import Sequence

from trivet.conclude.utilisation import best_peak, rests_on_disturbed
from trivet.model.result import WorkloadResult
from trivet.store.run import Run

START_LIMIT = 0.1
"""Share of the CPUs that others may use during a start-up before it is remarked upon. Slices are judged more strictly;
a start-up has its own waits, for the disk and for compilers."""

UNRULY = 0.06
"""A spread between processes, on the log scale, above which a run deserves a warning."""


def remarks_on(run: Run, workloads: Sequence[WorkloadResult]) -> list[str]:
    """Return the sentences that go with every table of a run.

    Args:
        run: complete or not.
        workloads: its conclusions.
    """
    notes = []
    if not run.complete:
        missing = [name for name in run.question.workloads if name not in {one.workload for one in workloads}]
        rest = f" {', '.join(missing)} was not reached." if missing else ""
        if run.writer is None:
            notes.append(f"The run is not complete; `trivet compare --resume {run.id}` goes on.{rest}")
        else:
            notes.append(f"The run is {run.state}; what it lacks is still to come.")
    if run.question.quick and any(one.pairs for one in workloads):
        notes.append(
            "One generation (--quick): intervals of ratios are assumed, not measured; fresh processes usually vary by "
            "4 %. Two more generations would make it a result."
        )
    if any(pair.unguarded for one in workloads for pair in one.pairs):
        notes.append(
            "Unguarded: how busy other processes were could not be read, so disturbed slices count too."
        )
    notes += [slow_starts(run, one.workload) for one in workloads]
    if run.peaks and best_peak(run.peaks) is None:
        notes.append(
            "The machine's peak could not be measured, since other processes used it at every try; no share of it is "
            "shown."
        )
    elif rests_on_disturbed(run.peaks):
        notes.append(
            "The machine's peak was measured while other processes used it; it may be higher, and utilisations lower."
        )
    notes += [
        f"{one.workload}: ratios vary by {100 * one.process_sd:.0f} % between fresh processes, where 4 % is usual; "
        "the machine may be unsteady, or a framework may choose other kernels from one start to the next."
        for one in workloads
        if one.process_sd is not None and one.process_sd > UNRULY
    ]
    return [note for note in notes if note]


def slow_starts(run: Run, workload: str) -> str:
    """Say which start-ups others disturbed, "" if none: a cold one cannot be had twice."""
    shares: dict[str, float] = {}
    for generation in run.generations(workload):
        for label, startup in generation.startups.items():
            if (startup.foreign_share or 0.0) >= START_LIMIT:
                shares[label] = max(shares.get(label, 0.0), startup.foreign_share or 0.0)
    if not shares:
        return ""
    return (
        f"{workload}: other processes used up to {100 * max(shares.values()):.0f} % of the CPUs during start-ups of "
        f"{', '.join(shares)}; these took longer than on a quiet machine."
    )
