"""What a container, a batch system or systemd allows this process: limits of its control groups (Linux)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")
_UNLIMITED_BYTES = 1 << 60
"""Version 1 writes "no limit" as a number near 2 to the 63."""


def cpu_quota(groups: Path = _GROUPS, own: Path = _OWN) -> float | None:
    """Return how many CPUs' worth of time this process may use, None if there is no limit."""
    found = []
    for folder in _folders("cpu", groups, own):
        quota, period = _pair(folder)
        if quota is not None and period:
            found.append(quota / period)
    return min(found, default=None)


def memory_limit_bytes(groups: Path = _GROUPS, own: Path = _OWN) -> int | None:
    """Return how much memory this process may use, None if there is no limit."""
    found = []
    for folder in _folders("memory", groups, own):
        for name in ("memory.max", "memory.limit_in_bytes"):
            value = _number(folder / name)
            if value is not None and value < _UNLIMITED_BYTES:
                found.append(value)
    return min(found, default=None)


def _folders(controller: str, groups: Path, own: Path) -> Iterator[Path]:
    """Yield the folders of this process's group and of those above it, in version 1 and 2 of control groups."""
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        mount = groups / controllers.removeprefix("name=") if controllers else groups
        # within a container the path may be the host's, and only the mount itself be there
        folder = mount / path.lstrip("/")
        while folder != mount:
            yield folder
            folder = folder.parent
        yield mount


def _pair(folder: Path) -> tuple[int | None, int | None]:
    """Return quota and period in microseconds."""
    try:
        quota, _, period = (folder / "cpu.max").read_text().partition(" ")
        return (None if quota == "max" else int(quota)), int(period)
    except (OSError, ValueError):
        quota_v1 = _number(folder / "cpu.cfs_quota_us")
        if quota_v1 is None or quota_v1 < 0:
            return None, None
        return quota_v1, _number(folder / "cpu.cfs_period_us")


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # "max" is no number
        return None
