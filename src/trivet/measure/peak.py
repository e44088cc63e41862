"""Finds how fast a framework's own large operations run here: the measure that utilisation is a share of."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from trivet.launch.stage import Staged
from trivet.launch.worker import Worker
from trivet.measure.entry import RunningWorker
from trivet.measure.guard import Guard
from trivet.model.catalog import FrameworkInfo
from trivet.model.environment import Environment
from trivet.model.measurement import PeakReading

PEAK_SECONDS = 5.0
"""No operation is begun later than this after the framework's import."""

_OPERATION_SECONDS = 0.5
"""Repeating one operation: the least that the noise guard can judge."""

_TRIES = 3
_CALL_SECONDS = 120.0
"""Limit of one answer; importing from a cold network file system may take a minute."""


def measure_peak(
    environment: Environment,
    framework: FrameworkInfo,
    staged: Staged,
    *,
    precision: str,
    device: str,
    cpus: Sequence[int],
    folder: Path,
    log: Path,
    report: Callable[[str], None],
) -> PeakReading:
    """Start a worker and measure its framework's operations.

    Args:
        environment: where it runs.
        framework: whose operations.
        staged: the worker's code.
        precision: "float32", "tf32" or "bfloat16".
        device: "cpu" or "cuda".
        cpus: the affinity mask that contestants run on.
        folder: the worker's working directory.
        log: where its stderr goes.
        report: is told what is measured.

    Raises:
        WorkerFailed: it has no such operations (then "unsupported"), or failed.
    """
    with Worker.start(
        environment, framework, staged, folder=folder, log=log, cpus=cpus, caches=folder / "caches"
    ) as worker:
        operations, disturbed = read_operations(
            worker,
            Guard(cpus),
            {"framework": framework.name, "precision": precision, "device": device},
            report=lambda operation: report(f"peak of {framework.title}: {operation}"),
        )
        worker.stop()
    return PeakReading(
        framework=framework.name,
        version=environment.packages.get(framework.package, environment.plan.version),
        precision=precision,
        device=device,
        operations=operations,
        disturbed=disturbed,
    )


def read_operations(
    worker: RunningWorker,
    guard: Guard,
    asked: dict[str, str],
    *,
    report: Callable[[str], None],
    clock: Callable[[], float] = time.monotonic,
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return operation -> FLOP/s, and those that were disturbed at every try.

    A disturbance can only slow an operation down, so the fastest try counts in any case.

    Args:
        worker: just started.
        guard: over its CPUs.
        asked: ``framework``, ``precision``, ``device``.
        report: is told which operation begins.
        clock: in seconds.
    """
    arguments = {**asked, "operation": "", "seconds": 0.0}
    names = worker.call("peak", arguments, seconds=_CALL_SECONDS)["operations"]
    end = clock() + PEAK_SECONDS
    found: dict[str, float] = {}
    disturbed: list[str] = []
    for name in names:
        for _ in range(_TRIES):
            if found and clock() >= end:
                return found, (*disturbed, *([name] if name in found else []))
            report(name)
            guard.wait_for_quiet()
            window = guard.open(worker.pid)
            arguments = {**asked, "operation": name, "seconds": _OPERATION_SECONDS}
            told = worker.call("peak", arguments, seconds=_CALL_SECONDS)
            clean = guard.close(window, worker.pid).clean
            found[name] = max(found.get(name, 0.0), float(told["flops_per_second"]))
            if clean:
                break
        else:
            disturbed.append(name)
    return found, tuple(disturbed)
