"""The largest batch that trains within a limit of memory: doubling until memory runs out, then halving the gap.

Every batch is tried in a fresh process, which takes its first three steps. On a CPU the kernel holds the process to the
limit (RLIMIT_DATA: private writable memory), so that the process runs out of memory and not the machine; on a GPU the
device is the limit.

References:
    RLIMIT_DATA in setrlimit(2); since Linux 4.7 it covers private mappings, which is what large arrays are.
"""

from __future__ import annotations

import contextlib
import dataclasses
import resource
import sys
from collections.abc import Mapping, Sequence

import psutil

from trivet.launch.worker import WorkerFailed
from trivet.measure import limits
from trivet.measure.entry import Entry, Launch, Setting, launch
from trivet.model.measurement import MEASURED, BatchAttempt
from trivet_worker.protocol import FAILED, OUT_OF_MEMORY

RESOLUTION = 1 / 8
"""The search ends when the largest batch that fits and the smallest that does not are closer than this share."""

SHARE_OF_AVAILABLE = 0.8
"""What a process may take of the memory that is free: the rest keeps the machine alive."""

LARGEST = 1 << 24
"""No larger batch is tried."""

_TRY_SECONDS = 300.0
_MEMORY_SECONDS = 60.0


def next_batch(start: int, attempts: Sequence[BatchAttempt]) -> int | None:
    """Return the next batch to try, None if the search is over.

    Args:
        start: the first batch to try.
        attempts: those made so far. One that failed for another reason than memory ends the search.

    Example:
        >>> next_batch(256, [])
        256
    """
    if any(attempt.outcome not in (MEASURED, OUT_OF_MEMORY) for attempt in attempts):
        return None
    fits = max((attempt.batch for attempt in attempts if attempt.outcome == MEASURED), default=0)
    too_large = min((attempt.batch for attempt in attempts if attempt.outcome == OUT_OF_MEMORY), default=None)
    if too_large is None:
        return min(2 * fits or start, LARGEST) if fits < LARGEST else None
    if fits == 0:
        return too_large // 2 or None
    if too_large - fits <= max(1, RESOLUTION * fits):
        return None
    return (fits + too_large) // 2


def memory_limit(device: str, device_bytes: int | None) -> int | None:
    """Return the bytes that a process may use, None where no limit can be set or is known.

    Args:
        device: "cpu" or "cuda".
        device_bytes: memory of the GPU.
    """
    if device != "cpu":
        return device_bytes
    if sys.platform != "linux":
        return None
    available = psutil.virtual_memory().available
    return int(SHARE_OF_AVAILABLE * min(available, limits.memory_limit_bytes() or available))


def try_batch(
    entry: Entry, setting: Setting, batch: int, limit_bytes: int, *, launch: Launch = launch
) -> BatchAttempt:
    """Train for a few steps at a batch in a fresh process, and say what came of it.

    Args:
        entry: the contestant.
        setting: where it runs.
        batch: items per step.
        limit_bytes: what the process may use.
        launch: starts a worker.
    """
    on_cpu = entry.job.device == "cpu"
    extra: Mapping[str, str] = {} if on_cpu else entry.framework.memory_variables
    outcome, message, peak = MEASURED, "", None
    try:
        worker = launch(entry, setting, extra)
    except WorkerFailed as error:
        return BatchAttempt(
            batch=batch,
            outcome=FAILED,
            message=error.failure.message,
            peak_bytes=None,
            limit_bytes=limit_bytes,
        )
    try:
        if on_cpu:
            _hold(worker.pid, limit_bytes)
        job = dataclasses.replace(entry.job, batch=batch, started=worker.started)
        worker.call("prepare", {"job": dataclasses.asdict(job)}, seconds=_TRY_SECONDS)
        counters = worker.call("memory", seconds=_MEMORY_SECONDS)
        peak = counters.get("host_peak_bytes" if on_cpu else "live_peak_bytes")
        worker.stop()
    except WorkerFailed as error:
        outcome, message = error.failure.kind, error.failure.message
    finally:
        worker.kill()
    return BatchAttempt(
        batch=batch, outcome=outcome, message=message, peak_bytes=peak, limit_bytes=limit_bytes
    )


def _hold(process: int, limit_bytes: int) -> None:
    """Let the kernel refuse a process more private memory than this; it has just begun to import."""
    with contextlib.suppress(ProcessLookupError):  # it has ended; the first question to it tells how
        resource.prlimit(process, resource.RLIMIT_DATA, (limit_bytes, limit_bytes))
