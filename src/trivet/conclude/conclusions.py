"""From a stored run to its conclusions, which every table, page and JSON file shows."""

from __future__ import annotations

import dataclasses
import itertools
import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from trivet.conclude import estimates
from trivet.conclude.headline import headline
from trivet.conclude.standing import stand
from trivet.model.contestant import Contestant
from trivet.model.measurement import Failure, Generation
from trivet.model.parity import ParityReport
from trivet.model.result import FORMAT, ContestantResult, LossCheck, Pair, Result, WorkloadResult
from trivet.stats.breakeven import break_even
from trivet.stats.interval import process_sd
from trivet.stats.samples import Samples, collect
from trivet.stats.stopping import more_generations
from trivet.stats.verdict import UNDECIDED, compare
from trivet.store.header import ContestantFacts, WorkloadFacts
from trivet.store.run import Run

UNRULY = 0.06
"""A spread between processes, on the log scale, above which a run deserves a warning."""


def conclude(run: Run) -> Result:
    """Return what a run shows so far.

    Args:
        run: complete or not.
    """
    workloads = tuple(_workload(run, facts) for facts in run.header.workloads if _known(run, facts.name))
    question = run.question
    return Result(
        format=FORMAT,
        run=run.id,
        trivet=run.header.trivet,
        created=run.header.created,
        command=run.header.command,
        complete=run.complete,
        question={
            **dataclasses.asdict(question),
            "contestants": [contestant.label for contestant in question.contestants],
        },
        machine=dataclasses.asdict(run.header.machine),
        environments={label: _environment(run, label) for label in run.environments},
        code=run.header.code,
        workloads=workloads,
        notes=(*run.notes, *_notes(run, workloads)),
    )


def _known(run: Run, workload: str) -> bool:
    return bool(workload in run.gates or run.generations(workload) or _failures(run, workload))


def _failures(run: Run, workload: str) -> dict[str, Failure]:
    return {event.contestant: event.failure for event in run.failures if event.workload in ("", workload)}


def _workload(run: Run, facts: WorkloadFacts) -> WorkloadResult:
    generations = run.generations(facts.name)
    gate = run.gates.get(facts.name)
    everyone = [contestant.label for contestant in run.question.contestants]
    samples = collect(generations, everyone)
    contestants = tuple(
        _contestant(run, contestant, facts, generations, samples, gate)
        for contestant in run.question.contestants
    )
    ranked = [
        one.contestant
        for one in contestants
        if one.status in ("measured", "disturbed") and one.parity["equal"]
    ]
    pairs = _pairs(run, {one.contestant: one for one in contestants}, ranked, generations)
    spread = process_sd(collect(generations, ranked).log_seconds) if ranked else None
    return WorkloadResult(
        workload=facts.name,
        summary=facts.summary,
        unit=facts.unit,
        batch=facts.batch,
        settings={"sizes": facts.sizes, "loss": facts.loss, "optimizer": facts.optimizer},
        generations=len(generations),
        minutes=sum(one.seconds for one in generations) / 60,
        process_sd=spread,
        headline=headline(contestants, pairs),
        parity_reference=gate.reference if gate else (),
        contestants=contestants,
        pairs=pairs,
    )


def _contestant(
    run: Run,
    contestant: Contestant,
    facts: WorkloadFacts,
    generations: Sequence[Generation],
    samples: Samples,
    gate: ParityReport | None,
) -> ContestantResult:
    label = contestant.label
    verdict = gate.verdicts.get(label) if gate else None
    loss = _loss(label, generations, gate.reference if gate else ())
    standing = stand(
        label,
        failure=_failures(run, facts.name).get(label),
        verdict=verdict,
        generations=generations,
        samples=samples,
        complete=run.complete,
    )
    remarks = [standing.reason] if standing.reason else []
    if loss is not None and not loss.falls:
        remarks.append("Its loss does not fall.")
    described = next(one for one in run.header.contestants if one.label == label)
    return ContestantResult(
        contestant=label,
        framework=contestant.framework,
        variant=contestant.variant,
        version=_version(run, described),
        precision=run.question.precision,
        status=standing.status,
        reason=" ".join(remarks),
        log=standing.log,
        throughput=estimates.throughput(samples, label, facts.batch, facts.unit),
        startup_cold=estimates.start_up(generations, label, cold=True),
        startup_warm=estimates.start_up(generations, label, cold=False),
        memory=estimates.memory(generations, label),
        children=estimates.children(generations, label),
        parity=dataclasses.asdict(verdict) if verdict else dict(_UNCHECKED),
        loss=dataclasses.asdict(loss) if loss else {},
        clean_rounds=sum(one.contestant == label and one.clean for g in generations for one in g.slices),
        rejected_slices=sum(
            one.contestant == label and not one.clean for g in generations for one in g.slices
        ),
        gpu=estimates.gpu(generations, label),
        settings={"variant": described.variant, **described.settings},
    )


_UNCHECKED: Mapping[str, Any] = {
    "equal": None,
    "worst": {},
    "first_difference": None,
    "by_convention": (),
    "note": "",
    "failure": None,
}


def _pairs(
    run: Run,
    contestants: Mapping[str, ContestantResult],
    ranked: Sequence[str],
    generations: Sequence[Generation],
) -> tuple[Pair, ...]:
    samples = collect(generations, ranked)
    minutes = statistics.fmean([one.seconds for one in generations[1:] or generations] or [0.0]) / 60
    found = []
    for a, b in itertools.combinations(ranked, 2):
        comparison = compare(samples, a, b, run.question.margin)
        if comparison is None:
            continue
        low, high = comparison.interval()
        disturbed = "disturbed" in (contestants[a].status, contestants[b].status)
        more = more_generations(comparison.estimate, run.question.margin)
        found.append(
            Pair(
                a=a,
                b=b,
                ratio=comparison.ratio,
                low=low,
                high=high,
                generations=comparison.generations,
                verdict=UNDECIDED if disturbed else comparison.verdict,
                provisional=comparison.provisional,
                unguarded=not all(one.guarded for one in generations),
                more_minutes=None if disturbed or more is None else more * minutes,
                break_even_items=_break_even(contestants[a], contestants[b], comparison.ratio),
            )
        )
    return tuple(found)


def _break_even(a: ContestantResult, b: ContestantResult, ratio: float) -> dict[str, float | None]:
    assert b.throughput is not None
    starts = {"cold": (a.startup_cold, b.startup_cold), "warm": (a.startup_warm, b.startup_warm)}
    return {
        name: break_even(
            start_a=start_a.value, start_b=start_b.value, throughput_b=b.throughput.value, ratio=ratio
        )
        for name, (start_a, start_b) in starts.items()
        if start_a is not None and start_b is not None
    }


def _loss(label: str, generations: Sequence[Generation], reference: Sequence[str]) -> LossCheck | None:
    """Compare the first generation's losses with those of the reference group's first member that has any."""
    first = next((one for one in generations if len(one.losses.get(label, ())) > 1), None)
    if first is None:
        return None
    losses = first.losses[label]
    other = next((name for name in reference if len(first.losses.get(name, ())) > 1), "")
    distance = None
    if other:
        theirs = first.losses[other]
        distances = [
            abs(ours - own) / abs(own) for ours, own in zip(losses[:3], theirs[:3], strict=False) if own
        ]
        distance = max(distances, default=math.nan)
    return LossCheck(
        losses=tuple(loss if math.isfinite(loss) else None for loss in losses),
        falls=losses[-1] < losses[0],
        reference=other,
        distance=distance if distance is not None and math.isfinite(distance) else None,
    )


def _version(run: Run, described: ContestantFacts) -> str:
    probed = run.probes.get(described.label, {}).get("versions", {})
    environment = run.environments.get(described.label)
    installed = environment.packages.get(described.package, "") if environment else ""
    version = probed.get(described.package, installed)
    return str(version or (environment.plan.version if environment else ""))


def _environment(run: Run, label: str) -> dict[str, Any]:
    environment = run.environments[label]
    plan = environment.plan
    return {
        "framework": plan.framework,
        "version": plan.version,
        "accelerator": plan.accelerator,
        "python": plan.python,
        "pinned": plan.pinned,
        "own": environment.own,
        "installer": environment.installer,
        "source": environment.source,
        "packages": environment.packages,
        "devices": run.probes.get(label, {}).get("devices", []),
    }


def _notes(run: Run, workloads: Sequence[WorkloadResult]) -> list[str]:
    notes = []
    if not run.complete:
        missing = [name for name in run.question.workloads if name not in {one.workload for one in workloads}]
        rest = f" {', '.join(missing)} was not reached." if missing else ""
        notes.append(f"The run is not complete; `trivet compare --resume {run.id}` goes on.{rest}")
    if run.question.quick:
        notes.append(
            "One generation (--quick): intervals of ratios are assumed, not measured; fresh processes usually vary by "
            "4 %. Two more generations would make it a result."
        )
    if any(pair.unguarded for one in workloads for pair in one.pairs):
        notes.append(
            "Unguarded: how busy other processes were could not be read, so disturbed slices count too."
        )
    notes += [
        f"{one.workload}: ratios vary by {100 * one.process_sd:.0f} % between fresh processes, where 4 % is usual; "
        "the machine may be unsteady, or a framework may choose other kernels from one start to the next."
        for one in workloads
        if one.process_sd is not None and one.process_sd > UNRULY
    ]
    return notes
