"""Runs one command, and ends it together with all that it started as soon as trivet is gone.

Run by its path, as a process of its own between trivet and the installer: ``python guard.py COMMAND...``. Trivet holds the
other end of its stdin; when that closes, for whatever reason, the command's whole process group is killed. The guard also
inherits the environment's lock and ends last, so that the lock is free only when nobody writes to the folder any more.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

_POLL_SECONDS = 0.05
_END_SECONDS = 5.0


def main(command: list[str]) -> int:
    """Return the command's exit status; 137 when it was ended because trivet is gone."""
    if _trivet_is_gone(0):
        return 137
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True
    )
    while process.poll() is None:
        if _trivet_is_gone(_POLL_SECONDS):
            _end(process)
            return 137
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def _trivet_is_gone(seconds: float) -> bool:
    ready, _, _ = select.select([0], [], [], seconds)
    return bool(ready) and os.read(0, 1) == b""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the group, and return when its last member has ended.

    Not for ever: where nobody collects them (a container without an init), dead members stay listed.
    """
    until = time.monotonic() + _END_SECONDS
    while time.monotonic() < until:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # macOS says the latter when only dead ones are left
            return
        process.poll()
        time.sleep(_POLL_SECONDS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
