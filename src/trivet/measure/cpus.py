"""Which CPUs contestants run on: an affinity mask is the only limit that holds for every framework."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from trivet.errors import UsageError
from trivet.measure.limits import cpu_quota

_TOPOLOGY = Path("/sys/devices/system/cpu")


def choose(threads: int | None) -> tuple[int, ...]:
    """Return the CPUs of the mask, one for each thread, or () where there are no masks (macOS).

    CPUs of different physical cores come first; siblings are used only if more threads are asked for than there are
    cores. By default one for each physical core that this process may use, no more than a container's quota holds.

    Args:
        threads: how many; None for the default.

    Raises:
        UsageError: there are not that many CPUs here.
    """
    if not hasattr(os, "sched_getaffinity"):
        return ()
    allowed = sorted(os.sched_getaffinity(0))
    ordered, cores = spread(allowed, [_siblings(cpu) for cpu in allowed])
    if threads is None:
        quota = cpu_quota()
        threads = cores if quota is None else max(1, min(cores, int(quota)))
    if threads > len(ordered):
        message = f"--threads is {threads}, but this process may use only {len(ordered)} CPUs."
        raise UsageError(
            message, f"Give {len(ordered)} or less, or leave it out for one per physical core ({cores})."
        )
    return tuple(sorted(ordered[:threads]))


def spread(cpus: Sequence[int], siblings: Sequence[str]) -> tuple[list[int], int]:
    """Return the CPUs with those of different cores first, and how many cores they are on.

    Args:
        cpus: in ascending order.
        siblings: for each CPU a text that is the same for all CPUs of its core.

    Example:
        >>> spread([0, 1, 2, 3], ["0,2", "1,3", "0,2", "1,3"])
        ([0, 1, 2, 3], 2)
        >>> spread([0, 1, 2, 3], ["0-1", "0-1", "2-3", "2-3"])
        ([0, 2, 1, 3], 2)
    """
    seen: dict[str, int] = {}
    ranks = []
    for core in siblings:
        ranks.append(seen.get(core, 0))
        seen[core] = ranks[-1] + 1
    ordered = [cpu for _, cpu in sorted(zip(ranks, cpus, strict=True))]
    return ordered, len(seen)


def _siblings(cpu: int) -> str:
    """Return the CPUs on the same core as the kernel writes them; the CPU itself where it does not say."""
    for name in ("core_cpus_list", "thread_siblings_list"):
        try:
            return (_TOPOLOGY / f"cpu{cpu}" / "topology" / name).read_text().strip()
        except OSError:
            continue
    return str(cpu)
