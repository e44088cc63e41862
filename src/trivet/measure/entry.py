"""Who is measured, under which conditions, and how its worker is started."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from trivet.launch.stage import Staged
from trivet.launch.worker import Worker
from trivet.model.catalog import FrameworkInfo
from trivet.model.contestant import Contestant
from trivet.model.environment import Environment
from trivet_worker.protocol import Job


@dataclasses.dataclass(frozen=True, kw_only=True)
class Entry:
    """One contestant, ready to be measured.

    Attributes:
        contestant: who.
        framework: its framework.
        environment: where it runs.
        job: its work; `started` is set at each start.
    """

    contestant: Contestant
    framework: FrameworkInfo
    environment: Environment
    job: Job

    @property
    def label(self) -> str:
        """Return the contestant's label."""
        return self.contestant.label


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setting:
    """What is the same for all contestants of a generation.

    Attributes:
        workload: its name.
        number: of the generation; 0 is cold: compile caches are emptied before.
        staged: the worker's code.
        cpus: the affinity mask; () where there are no masks.
        run: the run folder; logs go to its folder "logs".
        caches: the run's compile caches, a folder for each contestant and workload.
        scratch: working folders of the workers; may go when the run ends.
        began: `time.monotonic()` when the run began.
    """

    workload: str
    number: int
    staged: Staged
    cpus: tuple[int, ...]
    run: Path
    caches: Path
    scratch: Path
    began: float

    @property
    def cold(self) -> bool:
        """Say whether compile caches are empty at start."""
        return self.number == 0

    def log(self, entry: Entry) -> Path:
        """Return the log file of a contestant in this generation."""
        return self.run / "logs" / f"{self.workload}-{self.number}-{entry.contestant.slug}.txt"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """When patience ends.

    Attributes:
        prepare_seconds: for a start, compilation included: minutes on slow machines.
        run_seconds: for a slice at the least.
        run_factor: for a slice, times what it should take: a step was seen to take fifty times as long beside one busy
            neighbour.
        round_seconds: for all rounds of a generation at the least; no round is begun after it.
        round_factor: for all rounds, times what undisturbed ones should take.
    """

    prepare_seconds: float = 600.0
    run_seconds: float = 120.0
    run_factor: float = 60.0
    round_seconds: float = 60.0
    round_factor: float = 4.0

    def slice_seconds(self, expected: float) -> float:
        """Return the limit of a slice that should take so long."""
        return max(self.run_seconds, self.run_factor * expected)

    def rounds_seconds(self, expected: float) -> float:
        """Return the limit of all rounds that should take so long."""
        return max(self.round_seconds, self.round_factor * expected)


class RunningWorker(Protocol):
    """What is needed of `trivet.launch.worker.Worker`."""

    @property
    def pid(self) -> int:
        """Return its process id."""

    @property
    def started(self) -> float:
        """Return `time.monotonic()` just before it was started."""

    @property
    def variables(self) -> Mapping[str, str]:
        """Return the environment variables worth recording."""

    def call(
        self,
        verb: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        seconds: float,
        on_progress: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Send a request and return its result; see `Worker.call`."""

    def stop(self) -> None:
        """Ask it to end, and see to it."""

    def kill(self) -> None:
        """End it and all its children at once."""


Launch = Callable[[Entry, Setting, Mapping[str, str]], RunningWorker]
"""Starts an entry's worker with further environment variables."""


def launch(entry: Entry, setting: Setting, extra: Mapping[str, str]) -> RunningWorker:
    """Start an entry's worker as a process.

    Raises:
        WorkerFailed: it cannot be started.
    """
    own = f"{setting.workload}-{entry.contestant.slug}"
    return Worker.start(
        entry.environment,
        entry.framework,
        setting.staged,
        folder=setting.scratch / own,
        log=setting.log(entry),
        cpus=setting.cpus,
        caches=setting.caches / own,
        extra=extra,
    )


def empty_caches(entry: Entry, setting: Setting) -> None:
    """Remove a contestant's compile caches."""
    shutil.rmtree(setting.caches / f"{setting.workload}-{entry.contestant.slug}", ignore_errors=True)
