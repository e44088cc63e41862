"""What a worker's life hangs on: it must not outlive its coordinator, however that ends.

Three lines of defence, since each alone has a gap:

- the kernel kills the worker when the thread that started it ends (``PR_SET_PDEATHSIG``, set by the bootstrap; this is
  why workers are started from one thread that lives as long as the coordinator). It says nothing to its children;
- a thread in the worker waits for the end of a pipe that only the coordinator holds open, then kills the worker's
  process group. It loses the race against the signal, and waits while native code holds the interpreter's lock;
- the reaper: a small process beside the coordinator, in a session of its own, which waits for the end of its stdin and
  then ends all that the workers left.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import IO

from trivet.launch import session

PARENT = "TRIVET_PARENT_PID"
"""Variable that tells a worker whose child it must be; if it is another's already, its coordinator is gone."""

LIFELINE = "TRIVET_LIFELINE_FD"
"""Variable that tells a worker the descriptor whose end means that its coordinator is gone."""


def spawn(
    command: Sequence[str], *, variables: Mapping[str, str], cpus: Sequence[int], folder: Path, log: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start a worker's process in a session of its own, its stdin and stdout pipes, its stderr the log.

    Args:
        command: interpreter and script.
        variables: its whole environment, `session.MARK` among them; the lifeline's are added.
        cpus: its affinity mask; () leaves the coordinator's.
        folder: its working directory.
        log: open for appending.

    Raises:
        OSError: the program cannot be started, or a CPU is not there.
    """
    mark = variables[session.MARK]
    _tell(f"watch {mark} 0")
    future = _defences().starter.submit(_start, command, variables, cpus, folder, log)
    try:
        process = future.result()
    except OSError:
        forget(mark)
        raise
    except BaseException:  # an interrupt while waiting: the process may be there already
        with contextlib.suppress(OSError):
            end(future.result(), mark)
        raise
    _tell(f"watch {mark} {process.pid}")
    return process


def end(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a worker and all that it left, and collect it."""
    session.end(mark, process.pid)
    with contextlib.suppress(
        subprocess.TimeoutExpired
    ):  # stuck in the kernel; the reaper tries again at the end
        process.wait(5)
        forget(mark)


def forget(mark: str) -> None:
    """Tell the reaper that a worker has been seen to."""
    _tell(f"forget {mark}")


def _start(
    command: Sequence[str], variables: Mapping[str, str], cpus: Sequence[int], folder: Path, log: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start the process from the starter's thread, whose affinity mask it inherits.

    On Linux the mask belongs to the thread, so the coordinator's other threads keep theirs, and nothing need run
    between fork and exec, where Python code is unsafe beside threads.
    """
    lifeline = _defences().pipe
    before = os.sched_getaffinity(0) if cpus else set()
    if cpus:
        os.sched_setaffinity(0, cpus)
    try:
        return subprocess.Popen(
            command,
            env={**variables, PARENT: str(os.getpid()), LIFELINE: str(lifeline)},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            bufsize=0,
            close_fds=True,
            pass_fds=(lifeline,),
            start_new_session=True,
        )
    finally:
        if cpus:
            os.sched_setaffinity(0, before)


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Defences:
    """What the three lines of defence need in this process; made with the first worker, and kept to the end.

    Attributes:
        starter: the one thread that starts workers; it ends when the interpreter does.
        pipe: reading end of the lifeline. The writing end stays open, and unused, as long as this process.
        reaper: the reaper; its stdin takes what `session` documents.
    """

    starter: ThreadPoolExecutor
    pipe: int
    reaper: subprocess.Popen[bytes]


_LOCK = threading.Lock()


def _defences() -> _Defences:
    with (
        _LOCK
    ):  # a second set, made by another thread at the same time, would end its workers when it is discarded
        return _make_defences()


@cache
def _make_defences() -> _Defences:
    reading, _ = os.pipe()
    reaper = subprocess.Popen(
        [sys.executable, "-I", "-S", session.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,
    )
    atexit.register(_dismiss, reaper)
    starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="trivet-starter")
    return _Defences(starter=starter, pipe=reading, reaper=reaper)


def _tell(line: str) -> None:
    pipe = _defences().reaper.stdin
    assert pipe is not None
    with contextlib.suppress(BrokenPipeError):  # somebody killed it; two lines of defence are left
        pipe.write(f"{line}\n".encode())


def _dismiss(reaper: subprocess.Popen[bytes]) -> None:
    assert reaper.stdin is not None
    reaper.stdin.close()
    reaper.wait()
