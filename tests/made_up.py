"""Made-up measurements with known truths, for tests that need a run but no framework.

`made_up_run` stores a whole run; `trivet.conclude.conclude(made_up_run(tmp_path))` is a `Result` to render.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest import mock

import numpy as np

from trivet.model.contestant import parse_contestant
from trivet.model.environment import Environment, Plan
from trivet.model.machine import Machine
from trivet.model.measurement import Failure, Generation, Slice, StartUp
from trivet.model.parity import Difference, ParityReport, Verdict
from trivet.model.question import Question
from trivet.store.events import Finished, Gated, Measured, Probed, Ready
from trivet.store.run import Run

PHASES = ("import", "build", "compile", "first_step")

SPEEDS = {
    "torch:eager": 80.0,
    "torch:compile": 79.0,
    "tensorflow:graph": 118.0,
    "tensorflow:xla": 133.0,
    "jax:jit": 150.0,
}
"""Steps per second of the usual five, in truth; the first two do not differ in practice."""

STARTS = {
    "torch:eager": 1.3,
    "torch:compile": 4.0,
    "tensorflow:graph": 2.4,
    "tensorflow:xla": 3.2,
    "jax:jit": 2.9,
}
"""Their warm start-ups in seconds; cold is three times as long."""

VERSIONS = {"torch": "2.13.0", "tensorflow": "2.21.0", "jax": "0.10.2"}

MACHINE = Machine(
    cpu="Made-up CPU 9000",
    features=("avx2", "fma"),
    architecture="x86_64",
    physical_cores=2,
    logical_cpus=4,
    cpus=(0, 1),
    memory_bytes=24 * 2**30,
    cpu_quota=None,
    memory_limit_bytes=None,
    system="Made-up Linux 1",
    kernel="6.1.0",
    virtual="",
    governor="performance",
    clock_mhz=3000.0,
    load=0.1,
    gpus=(),
)


def made_up_run(
    folder: Path,
    *,
    workloads: Sequence[str] = ("mlp", "resnet18"),
    speeds: Mapping[str, float] = SPEEDS,
    generations: int = 4,
    quick: bool = False,
    unequal: Sequence[str] = (),
    disturbed: Sequence[str] = (),
    failures: Mapping[str, Failure] | None = None,
    guarded: bool = True,
    process_sd: float = 0.02,
    finished: bool = True,
    losses: Mapping[str, list[float]] | None = None,
    versions: Mapping[str, str] = VERSIONS,
    machine: Machine = MACHINE,
    batch: int | None = None,
    seed: int = 0,
    flops_per_item: float | None = None,
) -> Run:
    """Return a stored run, closed but readable.

    Args:
        folder: the run's folder is made in it.
        workloads: names. The second and later ones run at a fifth of the speed, with the contestants' order reversed.
        speeds: label -> steps per second on the first workload, the truth.
        generations: how many of each workload.
        quick: only marks the question; give generations=1 with it.
        unequal: labels that the parity gate withholds.
        disturbed: labels nearly all of whose slices are rejected.
        failures: label -> why it fails in every generation.
        guarded: False if the noise counters cannot be read.
        process_sd: of each contestant's process effect, log scale.
        finished: False leaves the run incomplete.
        losses: label -> losses of steps 1, 2, 3 and the last.
        versions: framework -> its version, where a label asks for none.
        machine: that it was measured on.
        batch: of the question.
        seed: runs of different seeds have other processes and noise.
        flops_per_item: analytic count of a training step.
    """
    contestants = tuple(parse_contestant(label) for label in speeds)
    question = Question(
        workloads=tuple(workloads), contestants=contestants, cpus=(0, 1), quick=quick, batch=batch
    )
    with mock.patch.dict(os.environ, {"TRIVET_RUNS": str(folder)}):
        run = Run.create(
            question, machine, command="trivet compare", code={"trivet_worker": "0123456789abcdef"}
        )
    with run:
        places = [(one.framework, one.version or versions.get(one.framework, "1.0")) for one in contestants]
        for framework, version in dict.fromkeys(places):
            labels = tuple(
                one.label
                for one, place in zip(contestants, places, strict=True)
                if place == (framework, version)
            )
            run.append(Ready(contestants=labels, environment=made_up_environment(framework, version)))
            run.append(Probed(contestants=labels, facts={"versions": {framework: version}}))
        for place, workload in enumerate(workloads):
            run.append(Gated(report=made_up_gate(workload, list(speeds), unequal)))
            truth = dict(zip(speeds, reversed(speeds.values()), strict=True)) if place else speeds
            for number in range(generations):
                generation = made_up_generation(
                    {label: speed / (5 if place else 1) for label, speed in truth.items()},
                    workload=workload,
                    number=number,
                    seed=place + 1000 * seed,
                    process_sd=process_sd,
                    start_seconds=STARTS,
                    disturbed=disturbed,
                    failures=failures,
                    guarded=guarded,
                    losses=losses,
                    flops_per_item=flops_per_item,
                )
                run.append(Measured(generation=generation))
        if finished:
            run.append(Finished())
    return run


def made_up_environment(framework: str, version: str = "") -> Environment:
    """Return an environment that is nowhere."""
    version = version or VERSIONS.get(framework, "1.0")
    plan = Plan(
        framework=framework,
        version=version,
        accelerator="cpu",
        python="3.11",
        requirements=(f"{framework}=={version}",),
        pinned=True,
        digest="0" * 16,
    )
    return Environment(
        plan=plan,
        python="/nowhere/bin/python",
        own=False,
        packages={framework: version, "numpy": "2.4.6"},
        installer="uv",
        source="index",
        seconds=12.0,
    )


def made_up_gate(workload: str, labels: Sequence[str], unequal: Sequence[str] = ()) -> ParityReport:
    """Return what the gate says: some differ by a BatchNorm epsilon, the others are equal."""
    return ParityReport(
        workload=workload,
        reference=tuple(label for label in labels if label not in unequal),
        verdicts={label: _differs() if label in unequal else _equal(label) for label in labels},
        cached=False,
        seconds=40.0,
        digest="fedcba9876543210",
    )


def _equal(label: str) -> Verdict:
    conventions = (
        ("momentum: the velocity holds the learning rate",) if label.startswith("tensorflow") else ()
    )
    worst = {
        "eval_output": 3.1e-15,
        "train_output": 2.2e-15,
        "loss": 4.0e-16,
        "gradient": 1.3e-14,
        "parameter": 8.8e-15,
    }
    return Verdict(equal=True, worst=worst, first_difference=None, by_convention=conventions)


def _differs() -> Verdict:
    difference = Difference(
        check="train_output",
        where="stem.norm",
        error=4.9e-4,
        limit=1e-9,
        cause="epsilon: 0.001 here, 1e-05 in the reference",
        ours={"epsilon": 1e-3},
        theirs={"epsilon": 1e-5},
    )
    worst = {"eval_output": 5.2e-4, "train_output": 4.9e-4, "loss": 1.1e-4, "gradient": 8.0e-3}
    return Verdict(equal=False, worst=worst, first_difference=difference, by_convention=())


def made_up_generation(
    speeds: Mapping[str, float],
    *,
    workload: str = "mlp",
    number: int = 0,
    rounds: int = 3,
    process_sd: float = 0.02,
    noise_sd: float = 0.01,
    seed: int = 0,
    start_seconds: Mapping[str, float] | None = None,
    disturbed: Sequence[str] = (),
    failures: Mapping[str, Failure] | None = None,
    guarded: bool = True,
    losses: Mapping[str, list[float]] | None = None,
    flops_per_item: float | None = None,
) -> Generation:
    """Return a generation whose contestants step at given speeds, give or take processes and noise.

    Args:
        speeds: label -> steps per second, the truth.
        workload: name.
        number: of the generation; 0 is cold and starts three times slower.
        rounds: clean ones.
        process_sd: of each contestant's process effect, log scale.
        noise_sd: of a slice, log scale.
        seed: every generation of a run draws from (seed, number).
        start_seconds: label -> warm start-up; a second and a bit if not given.
        disturbed: labels all of whose slices but one are rejected.
        failures: label -> why it has no result in this generation; it has no slices then.
        guarded: False if the noise counters cannot be read.
        losses: label -> losses; all alike and falling if not given.
        flops_per_item: analytic count of a training step.
    """
    draw = np.random.default_rng([seed, number])
    failures = dict(failures or {})
    running = [label for label in speeds if label not in failures]
    slices: list[Slice] = []
    process = {label: draw.normal(0, process_sd) for label in speeds}
    clock = 10.0 + 100.0 * number
    for turn in range(rounds):
        for place in range(len(running)):
            label = running[(place + turn) % len(running)]
            rejected = label in disturbed and turn > 0
            steps = max(3, round(speeds[label]))
            slow = math.exp(process[label] + draw.normal(0, noise_sd)) * (3.0 if rejected else 1.0)
            seconds = steps / speeds[label] * slow
            slices.append(
                Slice(
                    contestant=label,
                    round=turn,
                    steps=steps,
                    seconds=seconds,
                    started=clock,
                    foreign_share=(0.31 if rejected else 0.004) if guarded else None,
                    steal_share=0.0 if guarded else None,
                    clean=not rejected,
                )
            )
            clock += seconds
    starts = {
        label: (start_seconds or {}).get(label, 1.0 + 0.5 * place) for place, label in enumerate(speeds)
    }
    return Generation(
        workload=workload,
        number=number,
        startups={label: _start_up(starts[label], number == 0, draw) for label in running},
        slices=tuple(slices),
        memory={label: _memory(place, draw) for place, label in enumerate(speeds) if label in running},
        children={label: [] for label in running},
        losses={label: list((losses or {}).get(label, [2.31, 2.25, 2.19, 0.84])) for label in running},
        failures=failures,
        guarded=guarded,
        cold_caches=number == 0,
        gpu={},
        seconds=30.0,
        flops_per_item=flops_per_item,
    )


def _start_up(seconds: float, cold: bool, draw: np.random.Generator) -> StartUp:
    total = seconds * (3.0 if cold else 1.0) * math.exp(draw.normal(0, 0.02))
    shares = (
        {"import": 0.1, "build": 0.1, "compile": 0.7, "first_step": 0.1}
        if cold
        else dict.fromkeys(PHASES, 0.25)
    )
    return StartUp(
        total_seconds=total,
        phases={phase: share * total for phase, share in shares.items()},
        harness_seconds=0.05,
        cold=cold,
        first_loss=2.31,
    )


def _memory(place: int, draw: np.random.Generator) -> dict[str, int]:
    peak = round((600 + 150 * place) * 2**20 * math.exp(draw.normal(0, 0.01)))
    return {"host_peak_bytes": peak, "host_peak_above_import_bytes": peak - 250 * 2**20}
