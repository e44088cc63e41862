"""A run: a folder with an unchanging header, a list of events that only grows, and logs.

::

    20261130-170412-3f9a/
        run.json        header: question, machine, versions of everything
        events.jsonl    one event a line, flushed to the disk before the run goes on
        logs/           what workers wrote
        lock            held by the one process that may append
        writer          the id of that process, or of the last

A process may be killed at any point: a half-written event is dropped when the run is read or continued.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import os
import secrets
import shutil
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import filelock

from trivet.errors import DiskError, StoreError
from trivet.folders import runs_folder
from trivet.lock import is_held
from trivet.model.environment import Environment
from trivet.model.machine import Machine
from trivet.model.measurement import BatchAttempt, Generation, PeakReading
from trivet.model.parity import ParityReport
from trivet.model.question import Question
from trivet.store import codec
from trivet.store.atomic import sync_folder, write_atomically
from trivet.store.check import check_event, check_header
from trivet.store.events import Event, Failed, Finished, Gated, Measured, Noted, Peaked, Probed, Ready, Tried
from trivet.store.files import EVENTS, HEADER, read_file, read_raw, whole_length
from trivet.store.header import FORMAT, Header, contestant_facts, workload_facts
from trivet.store.locate import locate, run_folders
from trivet.version import __version__

LOGS = "logs"
LOCK = "lock"
WRITER = "writer"

_PATIENCE_SECONDS = 0.5
"""Whoever looks whether a lock is held, holds it for a moment."""

_STAMP = "%Y%m%d-%H%M%S"


class Run:
    """A run that is being written, or one that is read.

    Use it in a ``with`` statement when it is written: its end gives the lock back.

    Attributes:
        folder: the run folder, or the zip file that it is read from.
        header: what is known from the start.
    """

    def __init__(
        self, folder: Path, header: Header, events: list[Event], lock: filelock.BaseFileLock | None
    ) -> None:
        self.folder = folder
        self.header = header
        self._events = events
        self._lock = lock
        self._file: FileIO | None = (folder / EVENTS).open("ab", buffering=0) if lock else None

    @classmethod
    def create(
        cls,
        question: Question,
        machine: Machine,
        *,
        command: str = "",
        code: Mapping[str, str] | None = None,
    ) -> Run:
        """Make a new run, ready to be appended to.

        Args:
            question: what is asked.
            machine: facts about the host.
            command: as typed.
            code: part of the code -> hash of what will run.

        Raises:
            UsageError: the question names a workload or framework that is not there.
            DiskError: the folder cannot be written.
        """
        now = dt.datetime.now().astimezone()
        identifier = f"{_stamp(now)}-{secrets.token_hex(2)}"
        header = Header(
            format=FORMAT,
            run=identifier,
            trivet=__version__,
            created=now.isoformat(timespec="seconds"),
            command=command,
            question=question,
            machine=machine,
            code=dict(code or {}),
            workloads=tuple(workload_facts(name, question.batch) for name in question.workloads),
            contestants=tuple(contestant_facts(contestant) for contestant in question.contestants),
        )
        place = runs_folder()
        # A name with a dot is no run yet: whoever lists runs never sees a folder without its header.
        unfinished, folder = place / f".{identifier}", place / identifier
        try:
            (unfinished / LOGS).mkdir(parents=True)
            (unfinished / EVENTS).touch()
            write_atomically(unfinished / HEADER, codec.encode(header, indent=1).encode())
            unfinished.rename(folder)
            sync_folder(place)
        except OSError as error:
            shutil.rmtree(unfinished, ignore_errors=True)
            message = f"No run can be stored in {place}: {error.strerror or error}."
            raise DiskError(message, "Set TRIVET_RUNS to a folder that can be written.") from error
        return cls(folder, header, [], take_lock(folder))

    @classmethod
    def open(cls, where: str | Path, *, writable: bool = False) -> Run:
        """Open a stored run.

        Args:
            where: a run folder, a zip file of one, an id or a unique part of one, or "last".
            writable: to append to it; needs a folder, and the lock.

        Raises:
            StoreError: there is none, it is damaged, of a newer format, or in use by another process.
        """
        place = locate(where)
        if writable and not place.is_dir():
            message = f"{place} is a zip file, which can be read but not continued."
            raise StoreError(message, "Unpack it and name the folder.")
        lock = take_lock(place) if writable else None
        try:
            raw = read_raw(place)
            if lock and raw.upgraded:
                message = (
                    f"The run {place.name} was begun by an older trivet; it can be read but not continued."
                )
                raise StoreError(message, "Ask the question again with `trivet compare`.")
            header = codec.decode_header(raw.header, f"{place}: {HEADER}")
            check_header(header, f"{place}: {HEADER}")
            events = []
            for number, written in enumerate(raw.events, start=1):
                line = f"{place}: {EVENTS} line {number}"
                events.append(codec.decode_event(written, line))
                check_event(events[-1], header, line)
            if lock:
                _drop_torn_line(place / EVENTS)
        except BaseException:
            if lock:
                lock.release()
            raise
        return cls(place, header, events, lock)

    def append(self, event: Event) -> None:
        """Add an event; it is on the disk when this returns.

        Raises:
            StoreError: the run was opened for reading, or its folder was removed meanwhile.
            DiskError: the disk is full.
        """
        if self._file is None:
            message = f"{self.folder} was opened for reading."
            raise StoreError(message, "Open it with writable=True.")
        line = (codec.encode(event) + "\n").encode()
        self.check_there()
        before = self._file.tell()
        try:
            if self._file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), before)
            message = f"{self.folder / EVENTS} cannot be written: {error.strerror or error}."
            raise DiskError(message, f"Make room there, then `trivet compare --resume {self.id}`.") from error
        self._events.append(event)

    def check_there(self) -> None:
        """See to it that a run which is being written still has its folder: logs alone would make it anew.

        Raises:
            StoreError: the folder was removed meanwhile.
        """
        if self._file is not None and not (
            os.fstat(self._file.fileno()).st_nlink and (self.folder / EVENTS).is_file()
        ):
            message = f"{self.folder} was removed while the run was being written."
            raise StoreError(message, "Nothing more can be stored in it; start a new run.")

    def close(self) -> None:
        """Give the lock back; a closed run can still be read."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def id(self) -> str:
        """Return the run's name."""
        return self.header.run

    @property
    def question(self) -> Question:
        """Return what was asked."""
        return self.header.question

    @property
    def events(self) -> tuple[Event, ...]:
        """Return everything that happened, in order."""
        return tuple(self._events)

    @property
    def logs(self) -> Path:
        """Return the folder for logs; `Failure.log` names them relative to the run, such as "logs/mlp-0.txt".

        Raises:
            StoreError: as `check_there`.
        """
        self.check_there()
        return self.folder / LOGS

    def read_log(self, name: str) -> str | None:
        """Return a log by the name that a `Failure` gives, or None if it is not there."""
        data = read_file(self.folder, name)
        return None if data is None else data.decode(errors="replace")

    def generations(self, workload: str) -> tuple[Generation, ...]:
        """Return a workload's complete generations in order."""
        found = {
            event.generation.number: event.generation
            for event in self._events
            if isinstance(event, Measured) and event.generation.workload == workload
        }
        return tuple(found[number] for number in sorted(found))

    @property
    def gates(self) -> dict[str, ParityReport]:
        """Return workload -> what the parity gate said last."""
        return {event.report.workload: event.report for event in self._events if isinstance(event, Gated)}

    @property
    def environments(self) -> dict[str, Environment]:
        """Return label -> environment."""
        return {
            label: event.environment
            for event in self._events
            if isinstance(event, Ready)
            for label in event.contestants
        }

    @property
    def probes(self) -> dict[str, dict[str, Any]]:
        """Return label -> what the environment's framework said of itself."""
        return {
            label: event.facts
            for event in self._events
            if isinstance(event, Probed)
            for label in event.contestants
        }

    @property
    def failures(self) -> tuple[Failed, ...]:
        """Return who is out, outside of generations."""
        return tuple(event for event in self._events if isinstance(event, Failed))

    @property
    def peaks(self) -> tuple[PeakReading, ...]:
        """Return how fast frameworks' own large operations run here, in the order in which it became known."""
        return tuple(event.reading for event in self._events if isinstance(event, Peaked))

    def attempts(self, workload: str, contestant: str) -> tuple[BatchAttempt, ...]:
        """Return the batches that were tried to find the largest that fits, in order.

        Args:
            workload: name.
            contestant: label.
        """
        return tuple(
            event.attempt
            for event in self._events
            if isinstance(event, Tried) and (event.workload, event.contestant) == (workload, contestant)
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the reader should know, each sentence once."""
        return tuple(dict.fromkeys(event.text for event in self._events if isinstance(event, Noted)))

    @property
    def writer(self) -> str | None:
        """Return the process that is writing to the run now ("?" where that is not to be seen), or None."""
        return writer_of(self.folder)

    @property
    def state(self) -> str:
        """Return in words whether the run is complete, being measured now, or to be gone on with."""
        writer = self.writer
        if writer is not None:
            return f"being measured now (process {writer})"
        return "complete" if self.complete else "not complete"

    @property
    def complete(self) -> bool:
        """Say whether all that was asked has been done: nothing was measured after it was said to be finished."""
        relevant = [
            event for event in self._events if isinstance(event, Finished | Measured | Gated | Failed)
        ]
        return bool(relevant) and isinstance(relevant[-1], Finished)


def _stamp(now: dt.datetime) -> str:
    """Return the time as names of runs begin with it.

    Names tell the order of runs. Where the clock was set back, or summer time ended, a new one would sort before the newest
    that is there, and "last" would mean another run; so it takes the newest's time and a second.
    """
    for folder in run_folders():
        with contextlib.suppress(ValueError):  # a folder that the user named
            newest = dt.datetime.strptime(folder.name[:15], _STAMP).replace(tzinfo=now.tzinfo)
            now = max(now, newest + dt.timedelta(seconds=1))
    return f"{now:{_STAMP}}"


def take_lock(folder: Path) -> filelock.BaseFileLock:
    """Return the lock of a run folder, taken.

    Raises:
        StoreError: another process has it.
        DiskError: the folder cannot be written.
    """
    lock = filelock.FileLock(folder / LOCK, timeout=_PATIENCE_SECONDS)
    try:
        lock.acquire()
        with contextlib.suppress(OSError):  # only to tell who it is
            (folder / WRITER).write_text(str(os.getpid()), encoding="ascii")
    except filelock.Timeout as error:
        message = f"Another process is writing to the run {folder.name}."
        raise StoreError(
            message, "Wait until it is done, or stop it; `trivet report` can read the run meanwhile."
        ) from error
    except OSError as error:
        message = f"{folder} cannot be written: {error.strerror or error}."
        raise DiskError(
            message, "Make room there, or copy the run to a folder that can be written."
        ) from error
    return lock


def writer_of(folder: Path) -> str | None:
    """Return the process that has the lock of a run folder, "?" where that is not to be seen; None if nobody has."""
    if not is_held(folder / LOCK):
        return None
    try:
        return (folder / WRITER).read_text(encoding="ascii", errors="replace").strip() or "?"
    except OSError:
        return "?"


def _drop_torn_line(path: Path) -> None:
    if path.is_file():
        data = path.read_bytes()
        whole = whole_length(data)
        if whole < len(data):
            with path.open("r+b") as file:
                file.truncate(whole)
                file.flush()
                os.fsync(file.fileno())
