"""Finds and ends every process that a worker has left, and, run as a script, does so when the coordinator dies.

Standard library only: the script is started by path, in isolated mode, to be small and quick.

A process belongs to a worker if it is in the worker's session, or in the session of any process whose environment at
start carries the worker's mark. So children that made sessions of their own are found, and those that were given a new
environment, and orphans; no snapshot of the process tree is needed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

MARK = "TRIVET_WORKER"
"""Environment variable whose value, unique to each worker, marks it and its descendants."""

_PROCESSES = Path("/proc")
_ENDED_STATES = ("Z", "X")


def members(mark: str, leader: int = 0) -> list[int]:
    """Return the ids of a worker's living processes, itself included. Empty where there is no /proc.

    Args:
        mark: the value of `MARK` that the worker was started with.
        leader: the worker's process id, which is also its session's, or 0 if unknown.
    """
    sessions = {}
    for folder in _PROCESSES.glob("[0-9]*"):
        try:
            # the name, in parentheses, may hold anything; after it: state, parent, group, session
            state, _, _, session = (
                (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[:4]
            )
        except (OSError, ValueError):
            continue
        if state not in _ENDED_STATES:
            sessions[int(folder.name)] = int(session)
    wanted = f"{MARK}={mark}".encode()
    theirs = {session for pid, session in sessions.items() if wanted in _environment(pid)}
    if leader:  # 0 is the session of kernel threads, and of processes outside a container
        theirs.add(leader)
    return sorted(pid for pid, session in sessions.items() if session in theirs)


def end(mark: str, leader: int = 0, *, seconds: float = 5.0) -> list[int]:
    """Kill a worker's processes until none is left, and return those that would not go in time.

    Killing is repeated, since a process may have forked after it was listed.
    """
    deadline = time.monotonic() + seconds
    if leader and not _PROCESSES.is_dir():
        _kill(-leader)
    while left := members(mark, leader):
        for pid in left:
            _kill(pid)
        if time.monotonic() > deadline:
            return left
        time.sleep(0.01)
    return []


def _environment(pid: int) -> list[bytes]:
    try:
        return (_PROCESSES / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)  # a negative id stands for a process group


def _reap() -> None:
    """Keep a table of workers from lines on stdin; at its end, which is the coordinator's, end what is in it.

    Lines: ``watch <mark> <leader or 0>`` and ``forget <mark>``.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # a batch system sends them to all
        signal.signal(number, signal.SIG_IGN)
    workers: dict[str, int] = {}
    for line in sys.stdin:
        verb, mark, *leader = line.split()
        if verb == "watch":
            workers[mark] = int(leader[0])
        else:
            workers.pop(mark, None)
    for mark, leader in workers.items():
        end(mark, leader)


if __name__ == "__main__":
    _reap()
