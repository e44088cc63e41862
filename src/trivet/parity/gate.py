"""Runs the gate: every contestant traced in a fresh worker, then judged.

A contestant whose trace fails has a failure for a verdict; the others go on.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trivet.launch import variables
from trivet.launch.stage import Staged
from trivet.launch.work import job_of
from trivet.model.catalog import WorkloadInfo
from trivet.model.measurement import Failure
from trivet.model.parity import ParityReport, Verdict
from trivet.parity import cache, recipe
from trivet.parity.initial import initial_values
from trivet.parity.judge import judge
from trivet.parity.scratch import scratch
from trivet.parity.trace import Trace
from trivet.parity.tracing import Entrant, Tracing


def run_gate(
    workload: WorkloadInfo,
    entrants: Sequence[Entrant],
    staged: Staged,
    *,
    folder: Path,
    logs: Path,
    seed: int = 0,
    cpus: Sequence[int] = (),
    report: Callable[[str], None],
) -> ParityReport:
    """Trace all contestants on a workload, and say who computes the same.

    Args:
        workload: what is computed; the worker shrinks its sizes.
        entrants: the contestants.
        staged: the workers' code.
        folder: where reports, compile caches and (for the time being) arrays are kept.
        logs: folder of the workers' logs, one for each contestant.
        seed: of parameters and batches.
        cpus: the CPUs that the workers share; () leaves each the coordinator's mask.
        report: is told what is going on, in the caller's thread.
    """
    started = time.monotonic()
    arguments = {entrant.label: trace_arguments(workload, entrant, seed) for entrant in entrants}
    keys = {entrant.label: _key(entrant, arguments[entrant.label], staged) for entrant in entrants}
    kept = cache.find(folder / "reports", keys)
    if kept is not None:
        return dataclasses.replace(kept, seconds=time.monotonic() - started)
    with scratch(folder) as arrays:
        tracing = Tracing(
            title=f"parity of {workload.name}",
            staged=staged,
            arrays=arrays,
            compile_caches=folder / "compiled",
            log=lambda entrant: logs / f"parity-{workload.name}-{entrant.contestant.slug}.txt",
            cpus=tuple(cpus),
        )
        # Copies of a contestant are one program: it is traced once.
        programs: dict[str, Entrant] = {}
        for entrant in entrants:
            programs.setdefault(keys[entrant.label], entrant)
        outcomes = tracing.run(
            {key: (entrant, arguments[entrant.label]) for key, entrant in programs.items()}, report
        )
        report(f"parity of {workload.name}: comparing")
        traces, failures = _apart(entrants, {label: outcomes[key] for label, key in keys.items()})
        reference, judged = judge(traces)
        verdicts = {**failures, **judged}
        different = initial_values(traces)
    result = ParityReport(
        workload=workload.name,
        reference=reference,
        verdicts={entrant.label: verdicts[entrant.label] for entrant in entrants},
        cached=False,
        seconds=time.monotonic() - started,
        digest=cache.report_digest(keys),
        initial_values=different,
    )
    with contextlib.suppress(OSError):  # only the next run would gain by it
        cache.keep(folder / "reports", keys, result)
    return result


def trace_arguments(workload: WorkloadInfo, entrant: Entrant, seed: int) -> dict[str, Any]:
    """Return what the verb ``trace`` is asked, but for the folder and the time at which the worker was started."""
    job = job_of(
        workload,
        entrant.framework,
        entrant.contestant.variant,
        precision="float64",
        device="cpu",
        seed=seed,
        batch=recipe.BATCH,
        optimizer=recipe.optimizer(workload.optimizer),
    )
    return {"job": dataclasses.asdict(job), "rates": list(recipe.rates(job.optimizer))}


def _key(entrant: Entrant, arguments: Mapping[str, Any], staged: Staged) -> str:
    effective = variables.effective(os.environ, entrant.framework, own=entrant.environment.own)
    return cache.trace_key(
        code=staged.digest,
        arguments={**arguments, "conventions": dict(entrant.framework.conventions)},
        environment=entrant.environment,
        variables=variables.recorded(effective, entrant.framework),
    )


def _apart(
    entrants: Sequence[Entrant], outcomes: Mapping[str, Trace | Failure]
) -> tuple[list[Trace], dict[str, Verdict]]:
    """Return the traces under their contestants' own labels, and the verdicts of those that failed."""
    traces, failures = [], {}
    for entrant in entrants:
        outcome = outcomes[entrant.label]
        if isinstance(outcome, Failure):
            failures[entrant.label] = Verdict(
                equal=None, worst={}, first_difference=None, by_convention=(), failure=outcome
            )
        else:
            traces.append(dataclasses.replace(outcome, contestant=entrant.contestant))
    return traces, failures
