"""Traces contestants in workers of their own, some side by side, and leaves none behind when interrupted."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from trivet.errors import DiskError
from trivet.launch.room import check_room
from trivet.launch.stage import Staged
from trivet.launch.worker import Worker, WorkerFailed
from trivet.model.catalog import FrameworkInfo
from trivet.model.contestant import Contestant
from trivet.model.environment import Environment
from trivet.model.measurement import Failure
from trivet.parity.scratch import size_bytes
from trivet.parity.trace import Trace, read_trace
from trivet_worker.protocol import FAILED

AT_A_TIME = 2
"""Traces side by side: one imports or compiles on one core while the other computes."""

TRACE_SECONDS = 900.0
"""Limit of one trace."""

SPARE_BYTES = 256 * 1024**2
"""Disk space that is left free: where there is less, a trace is not started."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Entrant:
    """Who is traced, and where.

    Attributes:
        contestant: the contestant.
        framework: its framework.
        environment: its environment.
    """

    contestant: Contestant
    framework: FrameworkInfo
    environment: Environment

    @property
    def label(self) -> str:
        """Return the contestant's label."""
        return self.contestant.label


class Tracing:
    """Runs traces.

    Args:
        title: for progress, such as "parity of mlp".
        staged: the workers' code.
        arrays: an empty folder for what the workers compute.
        compile_caches: folder of compile caches, a folder for each framework.
        log: entrant -> its worker's log.
        cpus: the CPUs that the workers share; () leaves each the coordinator's mask.
    """

    def __init__(
        self,
        *,
        title: str,
        staged: Staged,
        arrays: Path,
        compile_caches: Path,
        log: Callable[[Entrant], Path],
        cpus: tuple[int, ...],
    ) -> None:
        self._title = title
        self._staged = staged
        self._arrays = arrays
        self._compile_caches = compile_caches
        self._log = log
        self._masks: queue.SimpleQueue[tuple[int, ...]] = queue.SimpleQueue()
        for mask in shares(cpus):
            self._masks.put(mask)
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._stopped = False
        self._largest_bytes = 0

    def run(
        self, programs: Mapping[str, tuple[Entrant, Mapping[str, Any]]], report: Callable[[str], None]
    ) -> dict[str, Trace | Failure]:
        """Return what each program computed, or why it did not.

        An interrupt or a full disk ends the workers, and is passed on when they are gone.

        Args:
            programs: a name for each -> the entrant, and the arguments of the verb ``trace``.
            report: is told what is going on, in the caller's thread.
        """
        with ThreadPoolExecutor(max_workers=AT_A_TIME, thread_name_prefix="trivet-gate") as executor:
            futures = {
                name: executor.submit(self._trace, entrant, arguments)
                for name, (entrant, arguments) in programs.items()
            }
            try:
                waiting: set[Future[Trace | Failure]] = set(futures.values())
                while waiting:
                    missing = [programs[name][0].label for name in futures if futures[name] in waiting]
                    done = len(futures) - len(missing)
                    report(f"{self._title}: {done} of {len(futures)} traced, missing {', '.join(missing)}")
                    _, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                return {name: future.result() for name, future in futures.items()}
            except BaseException:
                for future in futures.values():
                    future.cancel()
                self._stop()
                raise

    def _trace(self, entrant: Entrant, arguments: Mapping[str, Any]) -> Trace | Failure:
        log = self._log(entrant)
        place = self._arrays / entrant.contestant.slug
        mask = self._masks.get()
        try:
            self._check_space()
            result = self._ask(entrant, arguments, place, log, mask)
            trace = read_trace(
                result, place / "arrays", entrant.contestant, entrant.framework, arguments["job"]
            )
        except WorkerFailed as error:
            return _failure(error.failure.kind, error.failure.message, log)
        except OSError as error:
            check_room([self._arrays])
            return _failure(FAILED, f"The trace could not be kept: {error}.", log)
        except (KeyError, TypeError, ValueError) as error:
            return _failure(FAILED, f"The worker's answer to 'trace' was not understood: {error!r}.", log)
        finally:
            self._masks.put(mask)
        with self._lock:
            self._largest_bytes = max(self._largest_bytes, size_bytes(place))
        return trace

    def _ask(
        self,
        entrant: Entrant,
        arguments: Mapping[str, Any],
        place: Path,
        log: Path,
        mask: tuple[int, ...],
    ) -> dict[str, Any]:
        arrays = place / "arrays"
        arrays.mkdir(parents=True)
        with (
            Worker.start(
                entrant.environment,
                entrant.framework,
                self._staged,
                folder=place / "work",
                log=log,
                cpus=mask,
                caches=self._compile_caches / entrant.framework.name,
            ) as worker,
            self._stoppable(worker),
        ):
            job = {**arguments["job"], "started": worker.started}
            result = worker.call(
                "trace", {**arguments, "job": job, "folder": str(arrays)}, seconds=TRACE_SECONDS
            )
            worker.stop()
        return result

    @contextlib.contextmanager
    def _stoppable(self, worker: Worker) -> Iterator[None]:
        """Let `_stop` end the worker: only by a signal, since all else belongs to the thread that talks to it."""
        with self._lock:
            if self._stopped:
                raise CancelledError
            self._running.add(worker.pid)
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(worker.pid)

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
            for pid in self._running:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _check_space(self) -> None:
        """Raise where the disk may not hold another trace, judging by the largest so far."""
        free = shutil.disk_usage(self._arrays).free
        needed = SPARE_BYTES + AT_A_TIME * self._largest_bytes
        if free < needed:
            message = (
                f"{free / 1e9:.1f} GB are free below {self._arrays.parent}, {needed / 1e9:.1f} GB are needed."
            )
            raise DiskError(message, "Make room there, or set TRIVET_CACHE to a folder on another disk.")


def shares(cpus: Sequence[int]) -> list[tuple[int, ...]]:
    """Return a mask for each trace that runs at a time.

    Traces share no CPU where there are enough: threads that spin at barriers, as torch's do, hold each other up
    badly when two sets of them sit on the same CPUs.
    """
    if len(cpus) < AT_A_TIME:
        return [tuple(cpus)] * AT_A_TIME
    return [tuple(cpus[number::AT_A_TIME]) for number in range(AT_A_TIME)]


def _failure(status: str, message: str, log: Path) -> Failure:
    return Failure(status=status, stage="parity", message=message, log=f"{log.parent.name}/{log.name}")
