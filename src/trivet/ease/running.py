"""Runs programs, each in a process of its own in its framework's environment: two at a time, or alone if time counts."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from trivet.ease import kept
from trivet.folders import ease_folder, make_cache, measuring_lock
from trivet.launch.stage import Staged
from trivet.launch.worker import Worker, WorkerFailed
from trivet.lock import held
from trivet.measure.guard import Guard
from trivet.model.catalog import FrameworkInfo
from trivet.model.ease import PLACE, Observation, Program
from trivet.model.environment import Environment

LIMIT_SECONDS = 240.0
"""How long one program may take; torch.compile's first, with empty caches on a slow machine, takes the longest."""

_LEAST_COMPILE_SECONDS = {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Home:
    """Where a framework's programs run.

    Attributes:
        environment: its interpreter.
        framework: whose variables and caches apply.
        staged: the worker's code.
    """

    environment: Environment
    framework: FrameworkInfo
    staged: Staged


@dataclasses.dataclass(frozen=True, kw_only=True)
class Task:
    """A program to run.

    Attributes:
        program: what.
        home: where.
        timed: alone, with empty compile caches.
        title: for people.
    """

    program: Program
    home: Home
    timed: bool
    title: str

    @property
    def key(self) -> str:
        """Return the name under which what it does is kept."""
        return kept.key_of(self.program, self.home.environment, timed=self.timed)


def run_all(
    tasks: Iterable[Task], *, jobs: int, again: bool = False, say: Callable[[str], None]
) -> dict[str, Observation]:
    """Return key -> what the program did; programs that are asked for twice run once.

    What is done is kept at once, so that an interrupt loses only what was running.

    Args:
        tasks: what to run; those that count time come last, one at a time.
        jobs: how many others run at a time.
        again: True to run those that are kept already too.
        say: told what is done.

    Raises:
        OSError: a folder cannot be written.
        BrokenEnvironment: the cache folder cannot be made.
    """
    wanted: dict[str, Task] = {}
    for task in tasks:
        wanted.setdefault(task.key, task)
    found = {} if again else {key: seen for key in wanted if (seen := kept.find(key)) is not None}
    todo = [(key, task) for key, task in wanted.items() if key not in found]
    together = [(key, task) for key, task in todo if not task.timed]
    alone = [(key, task) for key, task in todo if task.timed]
    done = 0
    for batch, at_once, lock in (
        (together, jobs, contextlib.nullcontext()),
        (alone, 1, held(measuring_lock(), what="measures on this machine", report=say)),
    ):
        if not batch:
            continue
        with lock:
            for key, task, seen in _run(batch, at_once):
                done += 1
                found[key] = seen
                say(f"{done} of {len(todo)}: {task.title}, {seen.seconds:.1f} s")
    return found


def _run(todo: Sequence[tuple[str, Task]], at_once: int) -> Iterator[tuple[str, Task, Observation]]:
    crew = _Crew(at_once)
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        futures: dict[Future[Observation], tuple[str, Task]] = {
            pool.submit(crew.carry_out, key, task): (key, task) for key, task in todo
        }
        left = set(futures)
        try:
            while left:
                done, left = wait(left, return_when=FIRST_COMPLETED)
                for future in done:
                    yield (*futures[future], future.result())
        except BaseException:  # an interrupt, or a full disk: nothing that runs is waited for
            pool.shutdown(wait=False, cancel_futures=True)
            crew.end()
            raise


class _Crew:
    """Runs tasks in threads; each thread has compile caches of its own, so that no two processes write to the same."""

    def __init__(self, size: int) -> None:
        self._slots: queue.Queue[int] = queue.Queue()
        for number in range(size):
            self._slots.put(number)
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._ended = False

    def carry_out(self, key: str, task: Task) -> Observation:
        """Run a program and keep what it did."""
        slot = self._slots.get()
        try:
            seen = self._observe(task, slot)
        finally:
            self._slots.put(slot)
        # A process that was killed, or took too long, is tried again next time; so is a time that does not count.
        if not (self._ended or seen.ended or seen.disturbed):
            kept.keep(key, seen)
        return seen

    def end(self) -> None:
        """End all that run; what they did is not kept."""
        self._ended = True
        with self._lock:
            for pid in self._running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)

    def _enter(self, pid: int) -> None:
        with self._lock:
            self._running.add(pid)
            if self._ended:  # it was started just as all others were ended
                os.killpg(pid, signal.SIGKILL)

    def _observe(self, task: Task, slot: int) -> Observation:
        root = make_cache(ease_folder()).resolve()
        name = f"{task.program.digest[:16]}-{slot}"
        folder, output, log = root / "programs" / name, root / f"out-{name}.txt", root / f"log-{name}.txt"
        caches = root / "caches" / (f"cold-{name}" if task.timed else f"{task.home.framework.name}-{slot}")
        _write(task.program, folder)
        for path in (output, log):
            path.unlink(missing_ok=True)
        if task.timed:
            shutil.rmtree(caches, ignore_errors=True)
        extra = (
            {} if task.timed else {"JAX_COMPILATION_CACHE_DIR": str(caches / "jax"), **_LEAST_COMPILE_SECONDS}
        )
        started = time.monotonic()
        try:
            seen = self._ask(task, folder, output, log, caches, extra)
            return dataclasses.replace(
                seen,
                stdout=_read(output, folder),
                stderr=_read(log, folder),
                seconds=round(time.monotonic() - started, 2),
            )
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            for path in (output, log):
                path.unlink(missing_ok=True)
            if task.timed:
                shutil.rmtree(caches, ignore_errors=True)

    def _ask(
        self, task: Task, folder: Path, output: Path, log: Path, caches: Path, extra: dict[str, str]
    ) -> Observation:
        """Return how the program ended; what it printed lies in the files."""
        home = task.home
        arguments = {"folder": str(folder), "output": str(output), "count": task.timed}
        guard = Guard(sorted(os.sched_getaffinity(0)))
        if task.timed:
            guard.wait_for_quiet()
        try:
            with Worker.start(
                home.environment,
                home.framework,
                home.staged,
                folder=folder,
                log=log,
                caches=caches,
                extra=extra,
            ) as worker:
                self._enter(worker.pid)
                try:
                    window = guard.open(worker.pid)
                    answer = worker.call("script", arguments, seconds=LIMIT_SECONDS)
                    clean = guard.close(window, worker.pid).clean
                    worker.stop()
                finally:
                    with self._lock:
                        self._running.discard(worker.pid)
        except WorkerFailed as error:
            return Observation(
                stdout="", stderr="", error="", ended=error.failure.message, seconds=0.0, traces=None
            )
        return Observation(
            stdout="",
            stderr="",
            error=answer["error"],
            ended="",
            seconds=0.0,
            traces=answer["traces"],
            disturbed=task.timed and not clean,
        )


def _write(program: Program, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in program.files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _read(path: Path, folder: Path) -> str:
    """Return a file's text, the program's folder written as `PLACE`."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    return text.replace(str(folder), PLACE)
