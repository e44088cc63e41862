"""A worker's log that stays small whatever the worker prints: its beginning and its end are kept.

The worker writes to the file itself, as fast as it can; from time to time the coordinator takes out the middle. The file
is open for appending at both ends, so that what is written next lands at its new end.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

KEPT_BYTES = 4 << 20
"""How much is kept of the beginning, and how much of the end."""

_SLACK_BYTES = 8 << 20
"""How much more a running worker may write before its log is cut again: cutting copies what is kept."""


class Log:
    """The part of a log that one worker writes; what others wrote before it stays.

    Attributes:
        path: of the file.
        start: where this worker's part begins.
    """

    def __init__(self, path: Path, start: int) -> None:
        self.path = path
        self.start = start
        self._left_out = 0
        self._head = KEPT_BYTES

    def cut(self, *, ended: bool = False) -> None:
        """Take out the middle if there is too much of it.

        Args:
            ended: True if nobody writes any more.
        """
        with contextlib.suppress(OSError):
            size = self.path.stat().st_size - self.start
            if size > self._head + KEPT_BYTES + (0 if ended else _SLACK_BYTES):
                self._cut()

    def _cut(self) -> None:
        with self.path.open("r+b", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(end - KEPT_BYTES)
            tail = file.read(KEPT_BYTES)
            self._left_out += end - KEPT_BYTES - self.start - self._head
            file.seek(self.start)
            head = file.read(KEPT_BYTES)
            line = f"\n[trivet left out {self._left_out} bytes here]\n".encode()
            file.truncate(self.start)
            file.seek(self.start)
            file.write(head + line + tail)
            self._head = KEPT_BYTES + len(line)
