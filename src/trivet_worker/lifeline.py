"""A worker leads its own session, and it dies with its coordinator, even if that was killed with SIGKILL.

Two ways, because each has a gap. The kernel's parent-death signal (Linux) also ends a worker that hangs inside C code
with the interpreter lock held. The lifeline, a pipe whose write end only the coordinator holds, works on every Unix,
and across a wrapper script that stands between the two.

The kernel sends its signal when the *thread* that started the worker ends: a coordinator starts workers from a thread
that outlives them, or doesn't set `PARENT`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading

PARENT = "TRIVET_PARENT_PID"
"""Environment variable: the coordinator's pid."""
LIFELINE = "TRIVET_LIFELINE_FD"
"""Environment variable: the inherited read end of a pipe that the coordinator never writes to."""

_PR_SET_PDEATHSIG = 1
"""From linux/prctl.h."""


def hold() -> None:
    """Lead a session, and arrange to be killed when the coordinator is gone.

    Both variables are taken out of the environment, since they hold for this process and not for its children.
    """
    with contextlib.suppress(PermissionError):  # it leads a session or a group already, which will do
        os.setsid()
    parent = os.environ.pop(PARENT, "")
    if parent:
        _die_with(int(parent))
    lifeline = os.environ.pop(LIFELINE, "")
    if lifeline:
        descriptor = int(lifeline)
        os.set_inheritable(descriptor, False)
        threading.Thread(target=_watch, args=(descriptor,), name="lifeline", daemon=True).start()


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent and not _alive(parent):
        _die()  # it went before the kernel was asked


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _watch(descriptor: int) -> None:
    while os.read(descriptor, 4096):
        pass
    _die()


def _die() -> None:
    os.killpg(0, signal.SIGKILL)
