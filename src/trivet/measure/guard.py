"""The noise guard: how much of the CPUs others took while a contestant was timed.

Kernel counters only, no privileges. On Linux; elsewhere nothing can be read, and the run is *unguarded*.

Precision: busy time is what is left of the wall clock after idle time, since the kernel counts idle time exactly but
shares out busy time by sampling. Idle time comes in ticks of 10 ms, rounded down for each CPU, so a window on N CPUs is
off by 6 ms times the root of N as a rule, 0.4 % of a second on two CPUs; the worker's own time is exact to below a
millisecond. Windows under half a second tell too little to judge a slice by.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from trivet.measure.pulse import Pulse

FOREIGN_LIMIT = 0.04
"""A slice counts only if other processes used less than this share of the CPUs given."""

STEAL_LIMIT = 0.02
"""... and the hypervisor took less than this."""

QUIET_SECONDS = 3.0
"""How long to wait for a quiet machine before a slice is tried again."""

_QUIET_WINDOW_SECONDS = 0.25

REST_SECONDS = 1.0
"""How long a worker that has answered may go on working before the next one is timed all the same."""

_REST_WINDOW_SECONDS = 0.02
_REST_SHARE = 0.1
"""A worker rests when it uses less than this share of one CPU."""

_PROC = Path("/proc")
_IDLE, _IOWAIT, _STEAL = 3, 4, 7
_COUNTED_FIELDS = 8
"""Fields of a CPU's line that add up to its time: user, nice, system, idle, iowait, irq, softirq, steal. (Guest time,
which follows, is in user already.)"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Counters:
    """What the kernel has counted on the watched CPUs by some moment, in seconds summed over them.

    Attributes:
        at: `time.monotonic()` of the reading.
        idle: with waiting for input and output.
        steal: taken by the hypervisor for others.
        total: all that is counted; must keep pace with the clock.
    """

    at: float
    idle: float
    steal: float
    total: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Disturbance:
    """What others took in a window, as shares of wall time times CPUs.

    Attributes:
        foreign_share: CPU time of all but the watched worker's tree, steal and interrupts included, and all time in which
            the worker or the coordinator stood still; None if unknown.
        steal_share: time taken by the hypervisor; None if unknown.
    """

    foreign_share: float | None
    steal_share: float | None

    @property
    def known(self) -> bool:
        """Say whether the counters could be read."""
        return self.foreign_share is not None

    @property
    def clean(self) -> bool:
        """Say whether what was timed counts. What cannot be judged counts, and makes the run unguarded."""
        if self.foreign_share is None or self.steal_share is None:
            return True
        return self.foreign_share < FOREIGN_LIMIT and self.steal_share < STEAL_LIMIT

    def with_lost(self, share: float) -> Disturbance:
        """Return the same with a share of time in which what was timed stood still, which counters do not show."""
        return Disturbance(
            foreign_share=min(1.0, (self.foreign_share or 0.0) + share), steal_share=self.steal_share or 0.0
        )


UNKNOWN = Disturbance(foreign_share=None, steal_share=None)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Window:
    """An open window: readings at its start.

    Attributes:
        counters: None if they cannot be read.
        own_seconds: CPU time of the worker's tree until then.
        pulse: beats until the window is closed.
        opened: `time.monotonic()`.
    """

    counters: Counters | None
    own_seconds: float
    pulse: Pulse
    opened: float


class Guard:
    """Watches the CPUs that the contestants run on."""

    def __init__(self, cpus: Sequence[int]) -> None:
        self._cpus = tuple(cpus)

    def open(self, worker: int | None) -> Window:
        """Begin to watch.

        Args:
            worker: process id of the worker to be timed, whose tree does not count as foreign. None if it is still to
                be started in this window, or if everything counts.
        """
        own_seconds = 0.0 if worker is None else tree_seconds(worker)
        pulse = Pulse(worker)
        return Window(own_seconds=own_seconds, pulse=pulse, opened=time.monotonic(), counters=self._read())

    def close(self, window: Window, worker: int | None) -> Disturbance:
        """Return what others took since the window was opened."""
        after = self._read()
        lost_share = min(1.0, window.pulse.end() / max(time.monotonic() - window.opened, 1e-9))
        if window.counters is None or after is None:
            found = UNKNOWN
        else:
            own_seconds = 0.0 if worker is None else tree_seconds(worker) - window.own_seconds
            found = disturbance(window.counters, after, own_seconds=own_seconds, cpus=len(self._cpus))
        return found.with_lost(lost_share) if lost_share else found

    def wait_for_quiet(self, seconds: float = QUIET_SECONDS) -> bool:
        """Wait until nobody uses the CPUs, and say whether that came within the time. No contestant may be at work."""
        deadline = time.monotonic() + seconds
        while True:
            window = self.open(None)
            time.sleep(_QUIET_WINDOW_SECONDS)
            if self.close(window, None).clean:
                return True
            if time.monotonic() > deadline:
                return False

    @staticmethod
    def wait_for_rest(worker: int) -> bool:
        """Wait until a worker that has answered is idle, and say whether that came within `REST_SECONDS`.

        XLA frees a step's buffers after it has said that the step is done: 0.1 s of CPU time for a ResNet-50, which
        would be foreign in the next contestant's slice, the same one in every round.
        """
        deadline = time.monotonic() + REST_SECONDS
        while True:
            began, used = time.monotonic(), tree_seconds(worker)
            time.sleep(_REST_WINDOW_SECONDS)
            if tree_seconds(worker) - used < _REST_SHARE * (time.monotonic() - began):
                return True
            if time.monotonic() > deadline:
                return False

    def _read(self) -> Counters | None:
        if not self._cpus:
            return None
        try:
            text = (_PROC / "stat").read_text()
        except OSError:
            return None
        return parse_counters(text, self._cpus, at=time.monotonic())


def parse_counters(text: str, cpus: Sequence[int], *, at: float) -> Counters | None:
    """Return the counters of some CPUs from the text of ``/proc/stat``; None if one of them is not in it."""
    second = os.sysconf("SC_CLK_TCK")
    lines = {}
    for line in text.splitlines():
        name, *fields = line.split()
        if name.startswith("cpu") and name != "cpu":
            lines[int(name.removeprefix("cpu"))] = [int(field) for field in fields[:_COUNTED_FIELDS]]
    chosen = [lines[cpu] for cpu in cpus if len(lines.get(cpu, ())) == _COUNTED_FIELDS]
    if len(chosen) < len(cpus):
        return None
    return Counters(
        at=at,
        idle=sum(line[_IDLE] + line[_IOWAIT] for line in chosen) / second,
        steal=sum(line[_STEAL] for line in chosen) / second,
        total=sum(sum(line) for line in chosen) / second,
    )


def disturbance(before: Counters, after: Counters, *, own_seconds: float, cpus: int) -> Disturbance:
    """Return what others took between two readings.

    Args:
        before: reading at the start.
        after: reading of the same CPUs at the end.
        own_seconds: CPU time that the timed worker's tree used between them.
        cpus: how many CPUs.
    """
    capacity = (after.at - before.at) * cpus
    counted = after.total - before.total
    if capacity <= 0 or abs(counted - capacity) > 0.2 * capacity + 0.05 * cpus:
        return UNKNOWN  # some sandboxes and container file systems show counters that stand still, or made-up ones
    foreign = capacity - (after.idle - before.idle) - own_seconds
    return Disturbance(
        foreign_share=max(0.0, foreign / capacity),
        steal_share=max(0.0, (after.steal - before.steal) / capacity),
    )


def tree_seconds(root: int) -> float:
    """Return the CPU time of a process and its descendants so far, ended and collected ones included."""
    return sum(_process_seconds(pid) for pid in _tree(root))


def _process_seconds(pid: int) -> float:
    """Return the CPU time of one process, and of the children that it has collected."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    user, system, children_user, children_system = (int(field) for field in fields[11:15])
    second = os.sysconf("SC_CLK_TCK")
    try:
        own = time.clock_gettime(_process_clock(pid))
    except OSError:
        own = (user + system) / second
    return own + (children_user + children_system) / second


def _process_clock(pid: int) -> int:
    """Return the kernel's id of another process's CPU-time clock, exact where the ticks of /proc are not.

    As clock_getcpuclockid(3) of the C library computes it on Linux.
    """
    return (~pid << 3) | 2


def _tree(root: int) -> list[int]:
    found = [root]
    for pid in found:  # grows while it is walked
        found += _children(pid)
    return found


def _children(pid: int) -> list[int]:
    listed = []
    try:
        for path in (_PROC / str(pid) / "task").glob("*/children"):
            with contextlib.suppress(OSError):
                listed.append(path.read_text())
    except OSError:
        return []
    if listed:
        return [int(child) for text in listed for child in text.split()]
    with contextlib.suppress(psutil.Error):  # kernels built without the children files
        return [child.pid for child in psutil.Process(pid).children()]
    return []
