"""Time that passes only while this process runs: whoever was stopped cannot say that others were late."""

from __future__ import annotations

import time
from collections.abc import Callable

GLANCE_SECONDS = 0.5
"""The longest that may be waited between two looks at the clock."""


class Patience:
    """Counts down the time that somebody is waited for.

    A look at the clock that comes much later than it should shows that this process was stopped meanwhile, and with it,
    as a rule, whoever it waits for (Ctrl-Z, a container that is paused, a virtual machine that is moved).

    Args:
        seconds: how long to wait.
        clock: in seconds.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._left = seconds
        self._clock = clock
        self._before = clock()

    def left(self) -> float:
        """Return the seconds that are left, never over `GLANCE_SECONDS`; 0 or less when patience is at its end."""
        now = self._clock()
        self._left -= min(now - self._before, 2 * GLANCE_SECONDS)
        self._before = now
        return min(self._left, GLANCE_SECONDS)
