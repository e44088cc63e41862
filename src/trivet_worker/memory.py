"""How much memory processes needed at most, by the kernel's own high-water mark."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

_PROC = Path("/proc")


def peak_bytes(process: int | None = None) -> int | None:
    """Return the largest resident size that a process has had, or None where it cannot be read.

    Args:
        process: its pid; None for this one.

    References:
        ``VmHWM`` in proc(5). Linux's ``ru_maxrss`` will not do: it can carry the parent's peak over fork and exec.
        macOS has only that, in bytes, and does not carry it over.
    """
    status = _PROC / ("self" if process is None else str(process)) / "status"
    try:
        text = status.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return _peak_of_self_on_macos() if process is None else None
    return parse_high_water_mark(text)


def forget_peak() -> None:
    """Let the high-water mark start again from what is resident now; does nothing where the kernel cannot.

    References:
        ``/proc/<pid>/clear_refs``, value 5, in proc(5): Linux 4.0 and later.
    """
    with contextlib.suppress(OSError):
        (_PROC / "self" / "clear_refs").write_text("5", encoding="ascii")


def parse_high_water_mark(status: str) -> int | None:
    """Return the bytes that a ``/proc/<pid>/status`` names as VmHWM; None if it names none (a zombie)."""
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024  # the kernel's "kB" are KiB
    return None


def descendants_peaks() -> list[tuple[str, int]]:
    """Return name and peak bytes of each living process that descends from this one."""
    found = []
    for process in _descendants(os.getpid(), _parents()):
        peak = peak_bytes(process)
        if peak is not None:
            found.append((_name(process), peak))
    return sorted(found)


def _descendants(root: int, parents: dict[int, int]) -> list[int]:
    children: dict[int, list[int]] = {}
    for process, parent in parents.items():
        children.setdefault(parent, []).append(process)
    found: list[int] = []
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _parents() -> dict[int, int]:
    found = {}
    for stat in _PROC.glob("[0-9]*/stat"):
        try:
            text = stat.read_text(encoding="utf-8", errors="replace")
        except OSError:  # it ended meanwhile
            continue
        after_name = text.rpartition(")")[2].split()  # the name itself may hold spaces and brackets
        found[int(stat.parent.name)] = int(after_name[1])
    return found


def _name(process: int) -> str:
    try:
        return (_PROC / str(process) / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "?"


def _peak_of_self_on_macos() -> int | None:
    if sys.platform != "darwin":
        return None
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
