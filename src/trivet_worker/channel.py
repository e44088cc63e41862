"""The worker's private line to the coordinator: duplicates of the descriptors 0 and 1 that it was started with."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator


class Channel:
    """Reads request lines from one descriptor, writes event lines to another."""

    def __init__(self, requests: int, events: int) -> None:
        self._requests = os.fdopen(requests, "r", encoding="utf-8", errors="replace", newline="\n")
        self._events = events

    def lines(self) -> Iterator[str]:
        """Yield each line that the coordinator sends, until it closes its end."""
        with self._requests as requests:
            yield from requests

    def send(self, line: str) -> None:
        """Write a whole line, newline included.

        Raises:
            BrokenPipeError: the coordinator reads no more.
        """
        rest = memoryview(line.encode())
        while rest:
            rest = rest[os.write(self._events, rest) :]


def take_standard_streams() -> Channel:
    """Keep descriptors 0 and 1 for the channel; from now on 0 is empty and 1 is the log (descriptor 2).

    Called before anything is imported that might print: a framework's banner, written by Python or by C, must land in
    the log. The duplicates are not inherited by programs that the worker starts; mere forks do keep them open, which
    is why a worker's end is its pid's end and not the end of this stream.
    """
    channel = Channel(os.dup(0), os.dup(1))
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)  # what was printed before a crash is wanted in the log
    return channel
