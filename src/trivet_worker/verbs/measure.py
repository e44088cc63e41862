"""Measure: prepare a contestant once, then time blocks of steps whenever the coordinator asks."""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from trivet_worker import arrays, memory, modules, startup
from trivet_worker.contract import Adapter, Inspectable, Program
from trivet_worker.protocol import Job
from trivet_worker.startup import HARNESS, Laps
from trivet_worker.workloads.initial import initial_values

_FOLLOWING_STEPS = (2, 5)
"""At least and at most so many steps follow the first one, to learn what a steady step takes."""
_FOLLOWING_SECONDS = 0.3
"""No further step is begun once the following ones took so long."""
_FIRST_LOSSES = 3
"""So many losses are told of the first steps, and of the same steps taken again."""

Report = Callable[[str], None]


class Measurement:
    """A contestant that is resident in this process: the program, and two batches on its device."""

    def __init__(self) -> None:
        self._program: Program | None = None
        self._job: Job | None = None
        self._batches: tuple[Any, Any] = (None, None)
        self._taken = 0
        self._baseline_bytes: int | None = None
        self._built_bytes: int | None = None

    def prepare(self, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
        """Import, build, compile and take the first steps.

        It must be the first request to a fresh process, sent as soon as that is started: the time until then counts
        as start-up.

        Args:
            arguments: ``job``, a `Job` as dict.
            report: takes the phase that begins.

        Returns:
            ``phases`` {"import", "build", "compile", "first_step": seconds}; ``total_seconds``, their sum;
            ``harness_seconds``, trivet's own work in between (initial values, batches), not in the total;
            ``losses`` of steps 1, 2 and 3; ``steady_seconds``, the median of the steps that followed the first;
            ``baseline_bytes``, this process's memory peak after the import (absent where it cannot be read);
            ``flops_per_item``, the workload's analytic count for a training step (absent where it has none);
            ``versions`` {package: version}; ``device``, its name.
        """
        if self._program is not None:
            message = "This worker is prepared already; its start-up can be measured only once."
            raise RuntimeError(message)
        job = Job(**arguments["job"])
        laps = Laps(job.started)

        report("import")
        adapter = modules.adapter(job.framework)
        adapter.configure(job.precision, job.device)
        laps.end("import")
        self._baseline_bytes = memory.peak_bytes()

        report("build")
        spec = modules.spec(job.folder)
        laps.end(HARNESS)
        program = adapter.build(job, modules.model(job.folder, job.model))
        laps.end("build")
        self._built_bytes = memory.peak_bytes()
        _load(program, job)
        host = spec.batch(job.batch, job.seed + 1, **job.sizes)
        laps.end(HARNESS)
        batch = program.put(host)
        laps.end("build")
        del host  # one of the two in numpy at a time: a large one may not fit twice
        self._batches = (batch, program.put(spec.batch(job.batch, job.seed + 2, **job.sizes)))
        self._program, self._job = program, job
        memory.forget_peak()  # the initial values and batches in numpy were trivet's, and they are gone
        laps.end(HARNESS)

        report("compile")
        program.compile(batch)
        laps.end("compile")
        report("first_step")
        laps.end(HARNESS)
        self._step()
        program.wait()
        laps.end("first_step")

        losses = [program.loss()]
        steady_seconds = self._following_steps(program, losses)
        phases = startup.phases(laps.seconds, steady_seconds, job.variant in adapter.COMPILES_ON_FIRST_CALL)
        result = {
            "phases": phases,
            "total_seconds": sum(phases.values()),
            "harness_seconds": laps.seconds[HARNESS],
            "losses": losses[:_FIRST_LOSSES],
            "steady_seconds": steady_seconds,
            "versions": adapter.versions(),
            "device": _device_name(adapter, job.device),
        }
        if hasattr(spec, "training_flops"):
            result["flops_per_item"] = float(spec.training_flops(**job.sizes))
        if self._baseline_bytes is not None:
            result["baseline_bytes"] = self._baseline_bytes
        return result

    def run(self, arguments: dict[str, Any], report: Report) -> dict[str, Any]:  # noqa: ARG002 - nothing is reported inside the clock
        """Take steps against the clock.

        Args:
            arguments: ``steps``, how many.
            report: not used.

        Returns:
            ``seconds`` from the first step's start to the last one's end; ``loss`` of the last; ``compilations``
            {name: count} of what was traced or compiled meanwhile.
        """
        program = self._prepared()
        before = len(_compilations(program))
        program.wait()
        started = time.monotonic()
        for _ in range(arguments["steps"]):
            self._step()
        program.wait()
        seconds = time.monotonic() - started
        compiled = _compilations(program)[before:]
        return {"seconds": seconds, "loss": program.loss(), "compilations": Counter(compiled)}

    def memory(self, arguments: dict[str, Any], report: Report) -> dict[str, Any]:  # noqa: ARG002 - a verb's signature
        """Read the memory counters.

        Args:
            arguments: none.
            report: not used.

        Returns:
            ``host_peak_bytes``, this process's high-water mark, trivet's own work before the first step left out
            where the kernel can; ``host_peak_above_import_bytes``, the same above that after the import; the device allocator's counters; ``children`` [[name, peak bytes]] of living descendants.
            A counter that cannot be read is absent.
        """
        result: dict[str, Any] = dict(self._prepared().device_memory())
        peak = memory.peak_bytes()
        if peak is not None:
            peak = max(peak, self._built_bytes or 0)
            result["host_peak_bytes"] = peak
            if self._baseline_bytes is not None:
                result["host_peak_above_import_bytes"] = peak - self._baseline_bytes
        result["children"] = memory.descendants_peaks()
        return result

    def repeat(self, arguments: dict[str, Any], report: Report) -> dict[str, Any]:  # noqa: ARG002 - a verb's signature
        """Take the first steps once more, from the same parameters and on the same batches.

        It brings trivet's own tensors back into memory, so it comes after memory was read.

        Args:
            arguments: none.
            report: not used.

        Returns:
            ``losses`` of the steps: those of `prepare`, if the program still does what it did.
        """
        program = self._prepared()
        assert self._job is not None
        _load(program, self._job)
        self._taken = 0
        losses = []
        for _ in range(_FIRST_LOSSES):
            self._step()
            losses.append(program.loss())
        return {"losses": losses}

    def inspect(self, arguments: dict[str, Any], report: Report) -> dict[str, Any]:  # noqa: ARG002 - a verb's signature
        """Say where and in which precision the program really computes.

        It may run the model, so it comes after memory was read.

        Args:
            arguments: none.
            report: not used.

        Returns:
            ``placement``, the fields of `trivet_worker.contract.Placement`; absent where the program does not tell.
        """
        program = self._prepared()
        if not isinstance(program, Inspectable):
            return {}
        return {"placement": dataclasses.asdict(program.placement(self._batches[0]))}

    def _prepared(self) -> Program:
        if self._program is None:
            message = "Nothing is prepared in this worker; send `prepare` first."
            raise RuntimeError(message)
        return self._program

    def _step(self) -> None:
        program = self._prepared()
        program.step(self._batches[self._taken % 2])
        self._taken += 1

    def _following_steps(self, program: Program, losses: list[float]) -> float:
        least, most = _FOLLOWING_STEPS
        times: list[float] = []
        while len(times) < least or (len(times) < most and sum(times) < _FOLLOWING_SECONDS):
            started = time.monotonic()
            self._step()
            program.wait()
            times.append(time.monotonic() - started)
            losses.append(program.loss())
        return statistics.median(times)


def _load(program: Program, job: Job) -> None:
    """Give the program the shared initial values."""
    tensors = modules.spec(job.folder).tensors(**job.sizes)
    program.load(arrays.native(initial_values(tensors, job.seed), tensors, job.layout))


def _compilations(program: Program) -> tuple[str, ...]:
    return program.compilations() if isinstance(program, Inspectable) else ()


def _device_name(adapter: Adapter, kind: str) -> str:
    return next((device.name for device in adapter.devices() if device.kind == kind), kind)
