"""One generation: fresh processes of all contestants, started one at a time, timed in turn, and ended.

A contestant that fails drops out, and the others go on. Whatever ends a generation, no worker outlives it.
"""

from __future__ import annotations

import contextlib
import functools
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence

from trivet.launch.worker import WorkerFailed
from trivet.measure import events
from trivet.measure.contender import Contender
from trivet.measure.entry import Entry, Launch, Limits, Setting, launch
from trivet.measure.guard import Guard
from trivet.measure.rounds import ROUNDS, rotated, take_rounds
from trivet.model.measurement import Failure, Generation, Slice

START_SECONDS = 8.0
"""What a start is expected to take when nothing is known."""

_WARM_UP_SECONDS = 1.0
_SLICE_SECONDS = 1.2


def measure_generation(
    entries: Sequence[Entry],
    setting: Setting,
    *,
    guard: Guard | None = None,
    resident: bool = True,
    limits: Limits | None = None,
    expected_starts: Mapping[str, float] | None = None,
    report: events.Report = events.ignore,
    launch: Launch = launch,
) -> Generation:
    """Measure one generation.

    Args:
        entries: the contestants.
        setting: what they have in common.
        guard: the noise guard; None for one over the mask's CPUs.
        resident: True to keep all workers alive and time them in interleaved rounds; False to take them one after
            another, where memory cannot hold all: contestants are then compared across minutes, not seconds.
        limits: when patience ends.
        expected_starts: label -> seconds, from an earlier generation, for the estimate of the time left.
        report: is told what happens.
        launch: starts a worker.
    """
    began = time.monotonic()
    limits = limits or Limits()
    guard = guard or Guard(setting.cpus)
    contenders = {entry.label: Contender(entry, setting, guard, launch, limits) for entry in entries}
    stages = _Stages(contenders, setting, guard, limits, dict(expected_starts or {}), report)
    try:
        order = rotated(list(contenders), setting.number)
        for group in [order] if resident else [[label] for label in order]:
            stages.measure(group)
        if any(entry.job.device == "cuda" for entry in entries):
            for label in order:
                stages.read_device_memory(label)
    finally:
        for contender in contenders.values():
            contender.close()
    return stages.result(time.monotonic() - began)


class _Stages:
    """The stages of a generation, and what they have yielded."""

    def __init__(
        self,
        contenders: Mapping[str, Contender],
        setting: Setting,
        guard: Guard,
        limits: Limits,
        expected_starts: Mapping[str, float],
        report: events.Report,
    ) -> None:
        self._contenders = contenders
        self._setting = setting
        self._guard = guard
        self._limits = limits
        self._expected_starts = expected_starts
        self._report = report
        self._slices: list[Slice] = []
        self._memory: dict[str, dict[str, int]] = {}
        self._children: dict[str, list[tuple[str, int]]] = {}
        self._failures: dict[str, Failure] = {}
        self._taken: dict[str, int] = dict.fromkeys(contenders, 0)
        self._warm: set[str] = set()

    def measure(self, labels: Sequence[str]) -> None:
        """Start contestants one at a time, time them in turn, read their memory, and end them."""
        for label in labels:
            with self._drops_out(label, "start"):
                self._start(label)
        for label in self._present(labels):
            with self._drops_out(label, "measure"):
                self._warm_up(label)
        present = self._present(labels)
        if present:
            self._time(present)
        for label in self._present(labels):
            with self._drops_out(label, "measure"):
                contender = self._contenders[label]
                if contender.entry.job.device == "cpu":
                    self._read_memory(label)
                if self._setting.cold:  # once is enough: what a program does is its own, not its process's
                    contender.repeat()
                contender.inspect()
                contender.stop()

    def read_device_memory(self, label: str) -> None:
        """Read a contestant's memory in a run of its own."""
        if label in self._failures:
            return
        with self._drops_out(label, "measure"):
            self._contenders[label].start_for_memory()
            self._read_memory(label)
            self._contenders[label].stop()

    def result(self, seconds: float) -> Generation:
        """Return everything."""
        setting, contenders = self._setting, self._contenders
        readings = {label: _medians(contender.readings) for label, contender in contenders.items()}
        return Generation(
            workload=setting.workload,
            number=setting.number,
            startups={label: c.startup for label, c in contenders.items() if c.startup is not None},
            slices=tuple(self._slices),
            memory=self._memory,
            children=self._children,
            losses={label: c.losses for label, c in contenders.items() if c.losses},
            failures=self._failures,
            guarded=all(taken.foreign_share is not None for taken in self._slices),
            cold_caches=setting.cold,
            gpu={label: values for label, values in readings.items() if values},
            seconds=seconds,
            variables={label: c.variables for label, c in contenders.items() if c.variables},
            unsettled=tuple(label for label, c in contenders.items() if not c.settled),
            flops_per_item=next((c.flops_per_item for c in contenders.values() if c.flops_per_item), None),
            blocks={label: c.block for label, c in contenders.items() if c.block is not None},
            compilations={label: dict(c.compilations) for label, c in contenders.items() if c.compilations},
            repeated={label: c.repeated for label, c in contenders.items() if c.repeated},
            clocks={label: c.clock for label, c in contenders.items() if c.clock is not None},
            placements={label: c.placement for label, c in contenders.items() if c.placement is not None},
        )

    def _start(self, label: str) -> None:
        """Start a contestant, once more if others disturbed it and have stopped. A cold start cannot be had twice."""
        contender = self._contenders[label]
        for again in (False, True):
            tell = functools.partial(self._tell_start, label, again)
            tell("start")
            disturbance = contender.start(tell)
            if disturbance.clean or self._setting.cold or not self._guard.wait_for_quiet():
                break
        assert contender.startup is not None
        self._tell(events.Started(contestant=label, startup=contender.startup))

    def _warm_up(self, label: str) -> None:
        contender = self._contenders[label]
        result = contender.warm_up()
        self._warm.add(label)
        self._tell(events.WarmedUp(contestant=label, steps=contender.steps, settled=result.settled))

    def _time(self, labels: Sequence[str]) -> None:
        expected = ROUNDS * sum(self._contenders[label].slice_seconds for label in labels)
        deadline = time.monotonic() + self._limits.rounds_seconds(expected)
        self._slices += take_rounds(
            labels,
            self._take,
            wait_for_quiet=self._guard.wait_for_quiet,
            in_time=lambda: time.monotonic() < deadline,
        )

    def _take(self, label: str, number: int) -> Slice | None:
        with self._drops_out(label, "measure"):
            taken = self._contenders[label].take_slice(number)
            self._taken[label] += taken.clean
            self._tell(events.SliceTaken(slice=taken))
            return taken
        return None

    def _read_memory(self, label: str) -> None:
        self._memory[label], self._children[label] = self._contenders[label].read_memory()
        self._tell(events.MemoryRead(contestant=label, memory=self._memory[label]))

    def _present(self, labels: Sequence[str]) -> list[str]:
        return [label for label in labels if label not in self._failures]

    @contextlib.contextmanager
    def _drops_out(self, label: str, stage: str) -> Iterator[None]:
        """Turn a worker's failure within the block into the contestant's, and end what is left of the worker."""
        try:
            yield
        except WorkerFailed as error:
            contender = self._contenders[label]
            contender.close()
            log = self._setting.log(contender.entry).relative_to(self._setting.run)
            failure = Failure(
                status=error.failure.kind, stage=stage, message=error.failure.message, log=log.as_posix()
            )
            self._failures[label] = failure
            self._tell(events.Dropped(contestant=label, failure=failure))

    def _tell_start(self, label: str, again: bool, what: str) -> None:
        self._tell(events.Starting(contestant=label, what=what, again=again))

    def _tell(self, event: events.Event) -> None:
        self._report(event, self._remaining_seconds())

    def _remaining_seconds(self) -> float:
        """Return about how long the generation still takes, if all goes well."""
        known = [c.startup.total_seconds for c in self._contenders.values() if c.startup is not None]
        typical = statistics.fmean(known) if known else START_SECONDS
        seconds = 0.0
        for label, contender in self._contenders.items():
            if label in self._failures:
                continue
            if contender.startup is None:
                seconds += self._expected_starts.get(label, typical)
            if label not in self._warm:
                seconds += _WARM_UP_SECONDS
            left = max(0, ROUNDS - self._taken[label])
            seconds += left * (contender.slice_seconds or _SLICE_SECONDS)
        return seconds


def _medians(readings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = {name for reading in readings for name in reading}
    return {
        name: statistics.median(reading[name] for reading in readings if name in reading)
        for name in sorted(names)
    }
