"""From a stored run to its conclusions, which every table, page and JSON file shows."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from trivet.conclude import estimates, plausibility
from trivet.conclude.headline import headline
from trivet.conclude.largest import largest_batch
from trivet.conclude.losses import Departure, check_loss, departures
from trivet.conclude.pairs import compare_all
from trivet.conclude.remarks import remarks_on
from trivet.conclude.standing import stand
from trivet.conclude.utilisation import best_peak, flops_per_item, utilisation
from trivet.model.contestant import Contestant
from trivet.model.measurement import Failure, Generation
from trivet.model.parity import ParityReport
from trivet.model.result import FORMAT, ContestantResult, Result, WorkloadResult
from trivet.stats.interval import process_sd
from trivet.stats.samples import Samples, collect
from trivet.store.header import ContestantFacts, WorkloadFacts
from trivet.store.run import Run


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
        notes=(*run.notes, *remarks_on(run, workloads)),
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
    verdicts = gate.verdicts if gate else {}
    equal = [one for one in run.question.contestants if one.label in verdicts and verdicts[one.label].equal]
    apart = departures(equal, generations, run.question.precision)
    contestants = tuple(
        _contestant(run, contestant, facts, generations, samples, gate, apart)
        for contestant in run.question.contestants
    )
    ranked = [
        one.contestant
        for one in contestants
        if one.status in ("measured", "disturbed") and one.parity["equal"]
    ]
    pairs = compare_all(
        {one.contestant: one for one in contestants}, ranked, generations, run.question.margin
    )
    spread = process_sd(collect(generations, ranked).log_seconds) if ranked else None
    return WorkloadResult(
        workload=facts.name,
        summary=facts.summary,
        unit=facts.unit,
        batch=facts.batch,
        settings=_settings(facts),
        generations=len(generations),
        minutes=sum(one.seconds for one in generations) / 60,
        process_sd=spread,
        headline=headline(contestants, pairs),
        parity_reference=gate.reference if gate else (),
        initial_values={one.tensor: one.scales for one in gate.initial_values} if gate else {},
        contestants=contestants,
        pairs=pairs,
        flops_per_item=flops_per_item(generations),
        peak=best_peak(run.peaks) if generations else None,
    )


def _settings(facts: WorkloadFacts) -> dict[str, Any]:
    smoothing = {"label_smoothing": facts.label_smoothing} if facts.label_smoothing else {}
    return {"sizes": facts.sizes, "loss": facts.loss, **smoothing, "optimizer": facts.optimizer}


def _contestant(
    run: Run,
    contestant: Contestant,
    facts: WorkloadFacts,
    generations: Sequence[Generation],
    samples: Samples,
    gate: ParityReport | None,
    apart: Mapping[str, Departure],
) -> ContestantResult:
    label = contestant.label
    verdict = gate.verdicts.get(label) if gate else None
    reference = gate.reference if gate else ()
    agreeing = [one for one in reference if one not in apart]
    loss = check_loss(label, generations, agreeing or reference)
    departs = plausibility.loss_differs(apart.get(label))
    clock = plausibility.clock(label, generations)
    standing = stand(
        label,
        failure=_failures(run, facts.name).get(label),
        verdict=verdict,
        generations=generations,
        samples=samples,
        complete=run.complete,
        departs=departs.message if departs else "",
        clock_contradicts=clock.message if clock else "",
    )
    remarks = [standing.reason] if standing.reason else []
    if loss is not None and not loss.falls:
        remarks.append("Its loss does not fall.")
    described = next(one for one in run.header.contestants if one.label == label)
    throughput = estimates.throughput(samples, label, facts.batch, facts.unit)
    peak, flops = best_peak(run.peaks), flops_per_item(generations)
    result = ContestantResult(
        contestant=label,
        framework=contestant.framework,
        variant=contestant.variant,
        title=described.title,
        version=_version(run, described),
        precision=run.question.precision,
        status=standing.status,
        reason=" ".join(remarks),
        log=standing.log,
        throughput=throughput,
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
        settings={"variant": described.variant, **described.settings, **_variables(label, generations)},
        utilisation=utilisation(throughput, flops, peak),
        largest_batch=largest_batch(run.attempts(facts.name, label)),
    )
    gpus = run.header.machine.gpus
    flags = plausibility.flags_of(
        result,
        generations,
        device=run.question.device,
        device_bytes=gpus[0].memory_bytes if run.question.device == "cuda" and gpus else None,
        batch=facts.batch,
        flops=flops,
        peak=peak,
        departure=apart.get(label),
    )
    return dataclasses.replace(result, flags=flags)


_UNCHECKED: Mapping[str, Any] = {
    "equal": None,
    "worst": {},
    "first_difference": None,
    "by_convention": (),
    "note": "",
    "failure": None,
}


def _variables(label: str, generations: Sequence[Generation]) -> dict[str, str]:
    return next((one.variables[label] for one in generations if label in one.variables), {})


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
        "version": _version(run, next(one for one in run.header.contestants if one.label == label)),
        "accelerator": plan.accelerator,
        "python": plan.python,
        "pinned": plan.pinned,
        "own": environment.own,
        "installer": environment.installer,
        "source": environment.source,
        "packages": environment.packages,
        "devices": run.probes.get(label, {}).get("devices", []),
    }
