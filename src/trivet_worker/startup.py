"""The arithmetic of start-up: from process start to the end of the first training step."""

from __future__ import annotations

import time
from collections.abc import Callable

PHASES = ("import", "build", "compile", "first_step")
"""What a framework's user waits for, in order."""
HARNESS = "harness"
"""trivet's own work in between, which no user has: it is counted apart."""


class Laps:
    """Adds up the time since the last reading under a name.

    Args:
        started: reading of the clock at process start, taken by the coordinator.
        clock: seconds, the same clock in both processes.

    Example:
        >>> readings = iter([3.0, 4.5])
        >>> laps = Laps(1.0, clock=lambda: next(readings))
        >>> laps.end("import"); laps.end("build")
        >>> laps.seconds
        {'import': 2.0, 'build': 1.5}
    """

    def __init__(self, started: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = started
        self.seconds: dict[str, float] = {}

    def end(self, name: str) -> None:
        """Count the time since the last reading as `name`."""
        now = self._clock()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._last
        self._last = now


def phases(laps: dict[str, float], steady_seconds: float, compiles_on_first_call: bool) -> dict[str, float]:
    """Return the seconds of each phase.

    Args:
        laps: seconds by phase, as read.
        steady_seconds: what a step takes later on.
        compiles_on_first_call: True if the first call of the step traces and compiles: then what it takes beyond a
            steady step was compilation.
    """
    found = {phase: laps.get(phase, 0.0) for phase in PHASES}
    if compiles_on_first_call:
        excess = max(0.0, found["first_step"] - steady_seconds)
        found["compile"] += excess
        found["first_step"] -= excess
    return found
