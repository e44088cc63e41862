"""One worker process: started, asked, stopped, and nothing left behind.

A worker's end is the end of its process id, never the end of its channel: children that it forked keep the channel
open, and may write into it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from trivet.launch import lifeline, obituary, session, variables
from trivet.launch.log import Log
from trivet.launch.patience import Patience
from trivet.launch.room import cannot_write, check_room
from trivet.launch.stage import Staged
from trivet.model.catalog import FrameworkInfo
from trivet.model.environment import Environment
from trivet_worker import protocol

STOP_SECONDS = 10.0
"""How long a worker may take to end after it was told to stop; then it is killed."""

_POLL_SECONDS = 0.1
"""How often a process is looked at where the kernel cannot announce its end (no pidfd)."""

_LOG_BYTES = 1 << 16
"""How much of the log is searched for the reason of a worker's end: stacks of many threads may follow it."""


class WorkerFailed(Exception):  # noqa: N818 - an outcome of the run, not an error of trivet
    """A request got no result.

    Attributes:
        failure: why, as the worker told it or as its end shows.
    """

    def __init__(self, failure: protocol.Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Worker:
    """A process that runs `trivet_worker` in another interpreter. Made by `Worker.start`; use it in a `with` block.

    Attributes:
        pid: its process id, also that of its process group and session.
        started: `time.monotonic()` just before it was started.
        variables: the environment variables worth recording.
        log: where its stderr goes.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        *,
        mark: str,
        started: float,
        variables: Mapping[str, str],
        log: Path,
        log_file: IO[bytes],
        folders: Sequence[Path],
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self.started = started
        self.variables = dict(variables)
        self.log = log
        self._process = process
        self._mark = mark
        self._log_file = log_file
        self._folders = tuple(folders)
        self._log = Log(log, log_file.seek(0, os.SEEK_END))
        self._kills_before = obituary.out_of_memory_kills()
        self._to, self._from = process.stdin.fileno(), process.stdout.fileno()
        self._received = b""
        self._number = 0
        for descriptor in (self._to, self._from):
            os.set_blocking(descriptor, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._from, selectors.EVENT_READ)
        self._pid_descriptor = _pid_descriptor(process.pid)
        if self._pid_descriptor is not None:
            self._selector.register(self._pid_descriptor, selectors.EVENT_READ)

    @classmethod
    def start(
        cls,
        environment: Environment,
        framework: FrameworkInfo,
        staged: Staged,
        *,
        folder: Path,
        log: Path,
        cpus: Sequence[int] = (),
        caches: Path | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> Self:
        """Start a worker; it answers its first request when its interpreter is up.

        Args:
            environment: whose interpreter runs it. trivet's own environments run in isolated mode; the user's own
                interpreter keeps its PYTHONPATH and user site.
            framework: whose environment variables and compile caches it gets.
            staged: the code that it runs.
            folder: its working directory, made if it is not there; stray files of frameworks land in it.
            log: its stderr is appended here, and whatever is no message on its channel.
            cpus: its affinity mask, inherited by all its threads and children; () leaves the coordinator's.
            caches: private folder of compile caches, made if it is not there; None leaves the user's own in force.
            extra: further environment variables.

        Raises:
            WorkerFailed: the interpreter cannot be started.
            DiskError: one of the folders cannot be made or written.
        """
        effective = variables.effective(
            os.environ, framework, own=environment.own, caches=caches, extra=extra or {}
        )
        mark = uuid.uuid4().hex
        isolated = [] if environment.own else ["-I"]
        folders = (log.parent, folder, *([caches] if caches else []))
        with contextlib.ExitStack() as undo:
            log_file = undo.enter_context(_open_log(log, folders))
            try:
                started = time.monotonic()
                process = lifeline.spawn(
                    [environment.python, *isolated, str(staged.bootstrap)],
                    variables={**effective, session.MARK: mark},
                    cpus=cpus,
                    folder=folder,
                    log=log_file,
                )
            except OSError as error:
                where = error.filename or environment.python
                problem = f"The worker could not be started: {where}: {error.strerror or error}."
                raise WorkerFailed(protocol.Failure(protocol.FAILED, problem)) from error
            undo.pop_all()
        return cls(
            process,
            mark=mark,
            started=started,
            variables=variables.recorded(effective, framework),
            log=log,
            log_file=log_file,
            folders=folders,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.kill()

    def call(
        self,
        verb: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        seconds: float,
        on_progress: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Send a request and return its result.

        Args:
            verb: see `trivet_worker.protocol`.
            arguments: plain JSON values.
            seconds: the limit; when it is over, the worker is killed.
            on_progress: is told what the worker says it is doing.

        Raises:
            WorkerFailed: the worker answered that it failed (it lives on), ended, or took too long (it is dead).
            DiskError: the same, and trivet's own folders cannot be written, so that it is no fault of the worker's.
        """
        try:
            return self._call(verb, arguments or {}, seconds, on_progress)
        except WorkerFailed:
            check_room(self._folders)
            raise

    def _call(
        self,
        verb: str,
        arguments: Mapping[str, Any],
        seconds: float,
        on_progress: Callable[[str], None] | None,
    ) -> dict[str, Any]:
        if self._process.stdin is None or self._process.stdin.closed:
            raise WorkerFailed(
                protocol.Failure(protocol.FAILED, f"The worker had ended before {verb!r} was asked.")
            )
        self._number += 1
        patience = Patience(seconds)
        try:
            self._send(protocol.request(self._number, verb, dict(arguments)).encode(), patience)
            answer = self._answer(patience, on_progress)
        except _Ended:
            code = self._process.wait()
            failure = obituary.ended(
                verb,
                code,
                log_tail=self._tail(),
                log=self._written(),
                out_of_memory=obituary.out_of_memory_kills() > self._kills_before,
            )
            self.kill()
            raise WorkerFailed(failure) from None
        except TimeoutError:
            failure = obituary.timed_out(verb, seconds, log_tail=self._tail())
            self.kill()
            raise WorkerFailed(failure) from None
        if answer["event"] == "failed":
            raise WorkerFailed(protocol.Failure(**answer["failure"]))
        result: dict[str, Any] = answer["result"]
        return result

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Ask the worker to end, and see to it that it and all its children have."""
        if self._process.poll() is None:
            deadline = time.monotonic() + seconds
            with contextlib.suppress(WorkerFailed):
                self.call("stop", seconds=seconds)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(max(0.0, deadline - time.monotonic()))
        self.kill()

    def kill(self) -> None:
        """End the worker and all its children at once, and close the channel. Does nothing the second time."""
        if self._log_file.closed:
            return
        lifeline.end(self._process, self._mark)
        with contextlib.suppress(_Ended):
            self._receive()
        for line in self._received.split(b"\n"):
            self._note(line)
        self._selector.close()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        if self._pid_descriptor is not None:
            os.close(self._pid_descriptor)
        self._log_file.close()
        self._log.cut(ended=True)

    def _send(self, data: bytes, patience: Patience) -> None:
        """Write a request, in pieces if the pipe is full, because a hanging worker does not empty it."""
        while data:
            try:
                data = data[os.write(self._to, data) :]
            except BlockingIOError:
                if patience.left() <= 0:
                    raise TimeoutError from None
                time.sleep(0.01)
            except BrokenPipeError:
                return  # it has ended or is about to; waiting for the answer tells how

    def _answer(self, patience: Patience, on_progress: Callable[[str], None] | None) -> dict[str, Any]:
        """Return the closing event of the latest request."""
        while True:
            for message in self._messages():
                if message.get("event") in ("done", "failed"):
                    return message
                if on_progress is not None and message.get("event") == "progress":
                    on_progress(str(message["what"]))
            remaining = patience.left()
            if remaining <= 0:
                raise TimeoutError
            self._selector.select(
                remaining if self._pid_descriptor is not None else min(remaining, _POLL_SECONDS)
            )
            self._log.cut()
            ended = self._process.poll() is not None
            more = self._receive()  # after the look at the process, so that its last words are in
            if ended and not more:
                raise _Ended

    def _receive(self) -> bool:
        """Take what is in the pipe, and say whether there was anything."""
        before = len(self._received)
        while True:
            try:
                data = os.read(self._from, 65536)
            except BlockingIOError:
                break
            if not data:  # closed at the other end; the worker's end is for its process to tell
                with contextlib.suppress(KeyError):
                    self._selector.unregister(self._from)
                break
            self._received += data
        return len(self._received) > before

    def _messages(self) -> list[dict[str, Any]]:
        """Return the messages in what was received that belong to the latest request; the rest goes to the log."""
        *lines, self._received = self._received.split(b"\n")
        found = []
        for line in lines:
            try:
                message = protocol.parse(line.decode())
            except ValueError:  # ProtocolError, or bytes that are no text
                self._note(line)
                continue
            if message.get("id") == self._number:
                found.append(message)
            else:
                self._note(line)
        return found

    def _note(self, line: bytes) -> None:
        if line.strip():
            with contextlib.suppress(OSError):  # a full disk shows where it matters
                self._log_file.write(b"[on the channel] " + line + b"\n")

    def _tail(self) -> list[str]:
        """Return the last lines of this worker's part of the log."""
        return self._written()[-obituary.TAIL_LINES :]

    def _written(self) -> list[str]:
        """Return the last lines of this worker's part of the log, as many as `_LOG_BYTES` hold."""
        with contextlib.suppress(OSError), self.log.open("rb") as file:
            file.seek(max(self._log.start, self.log.stat().st_size - _LOG_BYTES))
            return file.read().decode(errors="replace").splitlines()
        return []


class _Ended(Exception):  # noqa: N818 - control flow within this module
    """The worker's process has ended."""


def _open_log(log: Path, folders: Sequence[Path]) -> IO[bytes]:
    """Return a log, opened for appending, after the folders were made."""
    try:
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        return log.open("ab", buffering=0)
    except OSError as error:
        raise cannot_write(Path(error.filename or log), error) from error


def _pid_descriptor(pid: int) -> int | None:
    """Return a descriptor that becomes readable when the process ends, where the kernel has such."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
