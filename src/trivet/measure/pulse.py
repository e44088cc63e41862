"""Notices when what is timed stands still: the machine or container was suspended, or somebody stopped a process.

The noise guard is blind to that: nobody uses the CPUs then, so nothing foreign is counted, while the clock runs on.
"""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from pathlib import Path

_BEAT_SECONDS = 0.05
_LATE_SECONDS = 0.2
"""A beat that comes later than this after it was due was kept from coming: scheduling alone takes milliseconds."""

_STOPPED = ("T", "t")
_PROC = Path("/proc")


class Pulse:
    """Beats in a thread of its own until it is ended or forgotten: some 50 µs of work, twenty times a second.

    Args:
        worker: process id of whoever is timed; None if it is still to be started.
    """

    def __init__(self, worker: int | None) -> None:
        self._heart = _Heart(worker)
        self._thread = threading.Thread(target=self._heart.beat, name="trivet-pulse", daemon=True)
        self._thread.start()
        # Whoever is timed may fail, and then nobody asks.
        weakref.finalize(self, self._heart.ended.set)

    def end(self) -> float:
        """Stop beating, and return the seconds in which this process or the worker stood still."""
        self._heart.ended.set()
        self._thread.join()
        return self._heart.lost_seconds


class _Heart:
    """What the thread works on; it knows nothing of the pulse, which may be forgotten meanwhile."""

    def __init__(self, worker: int | None) -> None:
        self.ended = threading.Event()
        self.lost_seconds = 0.0
        self._worker = worker

    def beat(self) -> None:
        """Look at the clock and at the worker until the end."""
        before = time.monotonic()
        over = False
        while not over:
            over = self.ended.wait(_BEAT_SECONDS)
            now = time.monotonic()
            if now - before > _BEAT_SECONDS + _LATE_SECONDS or self._stopped():
                self.lost_seconds += now - before
            before = now

    def _stopped(self) -> bool:
        if self._worker is None:
            return False
        with contextlib.suppress(OSError):
            state = (_PROC / str(self._worker) / "stat").read_text(errors="replace").rpartition(")")[2]
            return state.split()[0] in _STOPPED
        return False
