"""Runs `trivet` at a terminal, typed at as by a user."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from typing import Self

_SECONDS = 60

_PROGRAM = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C comes as a signal
from trivet.cli.main import main
main()
"""


class Terminal:
    """A command with a terminal of its own, for a `with` statement.

    Args:
        arguments: of `trivet`.
        variables: environment variables beside those that are there.
    """

    def __init__(self, *arguments: str, **variables: str) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "TERM": "dumb", **variables},
        )
        os.close(theirs)
        self._shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the command, if the test has left it running."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def until(self, text: str) -> str:
        """Read until a text has come, and return what came before it."""
        end = time.monotonic() + _SECONDS
        while text not in self._shown:
            assert time.monotonic() < end, self._shown
            assert self._read(), self._shown
        before, _, self._shown = self._shown.partition(text)
        return before

    def type(self, text: str) -> None:
        """Type a text; "\\x03" is Ctrl-C."""
        os.write(self._ours, text.encode())

    def rest(self, typing: str = "") -> str:
        """Read to the end, and return it.

        Args:
            typing: typed whenever the command has waited for a second.
        """
        end = time.monotonic() + _SECONDS
        while self._read(typing):
            assert time.monotonic() < end, self._shown
        self.process.wait(_SECONDS)
        return self._shown

    def _read(self, typing: str = "") -> bool:
        """Read what is there within a second; say whether the end has not come yet."""
        if not select.select([self._ours], [], [], 1)[0]:
            if typing:
                self.type(typing)
            return True
        try:
            data = os.read(self._ours, 4096)
        except OSError:  # so Linux says that the other end is closed
            return False
        self._shown += data.decode(errors="replace").replace("\r", "")
        return bool(data)
