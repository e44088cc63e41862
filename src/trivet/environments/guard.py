"""Runs one command, and ends it together with all that it started as soon as trivet is gone.

Run by its path, as a process of its own between trivet and the installer: ``python guard.py COMMAND...``. Trivet holds the
other end of its stdin; when that closes, for whatever reason, the command's whole process group is killed. The guard also
inherits the environment's lock and ends last, so that the lock is free only when nobody writes to the folder any more.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time

_POLL_SECONDS = 0.05
_END_SECONDS = 5.0
_PR_SET_CHILD_SUBREAPER = 36


def main(command: list[str]) -> int:
    """Return the command's exit status; 137 when it was ended because trivet is gone."""
    if _trivet_is_gone(0):
        return 137
    _adopt_orphans()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True
    )
    while process.poll() is None:
        if _trivet_is_gone(_POLL_SECONDS):
            _end(process.pid)
            return 137
    _end(process.pid)  # whatever it left: nobody may write to the folder, or hold our output open, after us
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def _adopt_orphans() -> None:
    """Become the parent of the command's orphans, so that their end can be waited for (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _trivet_is_gone(seconds: float) -> bool:
    ready, _, _ = select.select([0], [], [], seconds)
    return bool(ready) and os.read(0, 1) == b""


def _end(group: int) -> None:
    """Kill a process group, and return when its last member has ended; a member stuck in the kernel is left."""
    until = time.monotonic() + _END_SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        try:
            ended, _ = os.waitpid(-group, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(_POLL_SECONDS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
