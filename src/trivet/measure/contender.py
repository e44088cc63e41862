"""A contestant with its living worker, through the stages of a generation."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from trivet.launch.worker import WorkerFailed
from trivet.measure import gpu
from trivet.measure.entry import Entry, Launch, Limits, RunningWorker, Setting, empty_caches
from trivet.measure.guard import Disturbance, Guard
from trivet.measure.warmup import SHORTEST_SLICE_SECONDS, WarmUp, steps_per_slice, warm_up
from trivet.model.measurement import Block, Placement, Slice, StartUp

FOOTPRINT = "footprint_bytes"
"""Memory counter: what the driver says a worker holds on the GPU, context and code included."""

_MEMORY_STEPS = 3
_MEMORY_SECONDS = 60.0
_INSPECT_SECONDS = 60.0
_REPEATED_STEPS = 3

_CLOCK_SHARE = 1.1
_CLOCK_SECONDS = 0.5
"""A worker's seconds and trivet's own contradict each other beyond this factor and so many seconds. What lies between is
the way of a message, the last loss and the count of compilations: milliseconds."""


class Contender:
    """One contestant in one generation. Every method that asks the worker may raise `WorkerFailed`.

    Attributes:
        entry: who it is.
        startup: None until it has started.
        losses: of the first three steps, then the latest.
        variables: environment variables worth recording.
        settled: False if its warm-up ended without agreement.
        readings: of the GPU, one for each slice.
        flops_per_item: the workload's analytic count, as the worker told it.
        block: the last one of its warm-up; None if others disturbed it, or the warm-up did not settle.
        compilations: name -> how often it was compiled while slices were timed.
        repeated: losses of the first steps taken again; [] until it was asked, or where it failed.
        clock: (seconds told, seconds that passed) where its clock contradicts trivet's, the worst; None if it never did.
        placement: where and how it computes; None until it was asked, or where it does not tell.
    """

    def __init__(self, entry: Entry, setting: Setting, guard: Guard, launch: Launch, limits: Limits) -> None:
        self.entry = entry
        self.startup: StartUp | None = None
        self.losses: list[float] = []
        self.variables: dict[str, str] = {}
        self.settled = True
        self.readings: list[dict[str, float]] = []
        self.flops_per_item: float | None = None
        self.block: Block | None = None
        self.compilations: Counter[str] = Counter()
        self.placement: Placement | None = None
        self.repeated: list[float] = []
        self.clock: tuple[float, float] | None = None
        self._setting = setting
        self._guard = guard
        self._launch = launch
        self._limits = limits
        self._worker: RunningWorker | None = None
        self._step_seconds = 0.0
        self._steps = 0
        self._call_seconds = 0.0
        self._compiled: Counter[str] = Counter()

    def start(self, on_progress: Callable[[str], None]) -> Disturbance:
        """Start the worker alone on a machine as quiet as can be had, and return how quiet it stayed.

        The start-up is kept, unless an earlier one of this generation was less disturbed.
        """
        self.close()
        if self._setting.cold:
            empty_caches(self.entry, self._setting)
        self._guard.wait_for_quiet()
        window = self._guard.open(None)
        result = self._prepare({}, on_progress)
        assert self._worker is not None
        disturbance = self._guard.close(window, self._worker.pid)
        startup = StartUp(
            total_seconds=result["total_seconds"],
            phases=result["phases"],
            harness_seconds=result["harness_seconds"],
            cold=self._setting.cold,
            first_loss=_loss(result["losses"][0]),
            foreign_share=disturbance.foreign_share,
        )
        if self.startup is None or (startup.foreign_share or 0.0) <= (self.startup.foreign_share or 0.0):
            self.startup = startup
        self.losses = [_loss(told) for told in result["losses"]]
        self.variables = dict(self._worker.variables)
        self.flops_per_item = result.get("flops_per_item")
        self._step_seconds = result["steady_seconds"]
        return disturbance

    def warm_up(self) -> WarmUp:
        """Run until successive blocks agree, and choose how many steps make a slice."""
        result = warm_up(self._watched_block, self._step_seconds)
        self.settled = result.settled
        if not result.settled:
            self.block = None
        self._step_seconds = result.step_seconds
        self._steps = steps_per_slice(result.step_seconds)
        self._rest()
        return result

    @property
    def steps(self) -> int:
        """Return how many steps make a slice."""
        return self._steps

    @property
    def slice_seconds(self) -> float:
        """Return about how long a slice takes."""
        return self._steps * self._step_seconds

    def take_slice(self, number: int) -> Slice:
        """Take a slice and judge it.

        Args:
            number: of the round.
        """
        assert self._worker is not None
        steps = self._steps
        began = monotonic()
        window = self._guard.open(self._worker.pid)
        if self.entry.job.device == "cuda":
            with gpu.Sampler() as sampler:
                seconds = self._run(steps)
        else:
            sampler = None
            seconds = self._run(steps)
        disturbance = self._guard.close(window, self._worker.pid)
        self._rest()
        self.compilations += self._compiled
        if sampler is not None:
            self.readings.append(sampler.readings())
        short = seconds < SHORTEST_SLICE_SECONDS
        if short:
            self._step_seconds = seconds / steps
            self._steps = steps_per_slice(self._step_seconds)
        return Slice(
            contestant=self.entry.label,
            round=number,
            steps=steps,
            seconds=seconds,
            started=began - self._setting.began,
            foreign_share=disturbance.foreign_share,
            steal_share=disturbance.steal_share,
            clean=disturbance.clean and not short and self._clock_agrees(seconds),
        )

    def read_memory(self) -> tuple[dict[str, int], list[tuple[str, int]]]:
        """Return counters in bytes, and name and peak bytes of each child process."""
        assert self._worker is not None
        counters = self._worker.call("memory", seconds=_MEMORY_SECONDS)
        children = [(str(name), int(peak)) for name, peak in counters.pop("children", [])]
        if self.entry.job.device == "cuda":
            footprint = gpu.footprint_bytes([self._worker.pid])
            if footprint is not None:
                counters[FOOTPRINT] = footprint
        return {name: int(value) for name, value in counters.items()}, children

    def repeat(self) -> None:
        """Have the first steps taken once more. Nothing hangs on the answer but a flag, so it may stay out."""
        assert self._worker is not None
        limit = self._limits.slice_seconds(_REPEATED_STEPS * self._step_seconds)
        with contextlib.suppress(WorkerFailed):
            self.repeated = [_loss(told) for told in self._worker.call("repeat", seconds=limit)["losses"]]

    def inspect(self) -> None:
        """Ask the worker where and how it computes. Nothing hangs on the answer but flags, so it may stay out."""
        assert self._worker is not None
        with contextlib.suppress(WorkerFailed):
            told = self._worker.call("inspect", seconds=_INSPECT_SECONDS).get("placement")
            if told is not None:
                self.placement = Placement(**{name: tuple(values) for name, values in told.items()})

    def start_for_memory(self) -> None:
        """Start a worker of its own to read device memory: preallocation would hide what is needed."""
        self.close()
        self._prepare(self.entry.framework.memory_variables, None)
        losses = list(self.losses)
        self._run(_MEMORY_STEPS)
        self.losses = losses

    def stop(self) -> None:
        """Ask the worker to end, and see to it."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def close(self) -> None:
        """End the worker at once, if there is one."""
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    def _prepare(self, extra: Mapping[str, str], on_progress: Callable[[str], None] | None) -> dict[str, Any]:
        self._worker = self._launch(self.entry, self._setting, extra)
        job = dataclasses.replace(self.entry.job, started=self._worker.started)
        return self._worker.call(
            "prepare",
            {"job": dataclasses.asdict(job)},
            seconds=self._limits.prepare_seconds,
            on_progress=on_progress,
        )

    def _clock_agrees(self, told: float) -> bool:
        """Say whether a slice took as long by the worker's clock as by trivet's own; keep the worst that did not."""
        passed = self._call_seconds
        low, high = sorted((told, passed))
        if high <= _CLOCK_SHARE * low + _CLOCK_SECONDS:
            return True
        if self.clock is None or abs(passed - told) > abs(self.clock[1] - self.clock[0]):
            self.clock = told, passed
        return False

    def _rest(self) -> None:
        """Let the worker finish what it does after its answer, before another one is timed."""
        assert self._worker is not None
        self._guard.wait_for_rest(self._worker.pid)

    def _watched_block(self, steps: int) -> float:
        """Take a block of the warm-up, and keep it if nobody disturbed it."""
        assert self._worker is not None
        window = self._guard.open(self._worker.pid)
        seconds = self._run(steps)
        clean = self._guard.close(window, self._worker.pid).clean
        self.block = Block(steps=steps, seconds=seconds) if clean else None
        return seconds

    def _run(self, steps: int) -> float:
        """Take so many steps and return the seconds they took."""
        assert self._worker is not None
        limit = self._limits.slice_seconds(steps * self._step_seconds)
        began = monotonic()
        result = self._worker.call("run", {"steps": steps}, seconds=limit)
        self._call_seconds = monotonic() - began
        self.losses[3:] = [_loss(result["loss"])]
        self._compiled = Counter(result.get("compilations", {}))
        return float(result["seconds"])


def _loss(told: float | None) -> float:
    """Return a loss as it was; one that is not finite travels as None."""
    return math.nan if told is None else float(told)
