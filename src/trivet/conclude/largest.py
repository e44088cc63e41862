"""The largest batch that fits, from the batches that were tried."""

from __future__ import annotations

from collections.abc import Sequence

from trivet.model.measurement import MEASURED, BatchAttempt
from trivet.model.result import LargestBatch

OUT_OF_MEMORY = "out_of_memory"


def largest_batch(attempts: Sequence[BatchAttempt]) -> LargestBatch | None:
    """Return what a search found; None if no batch trained.

    Args:
        attempts: of one contestant on one workload, in order; the search may have been cut short.
    """
    trained = sorted(
        (attempt for attempt in attempts if attempt.outcome == MEASURED), key=lambda one: one.batch
    )
    if not trained:
        return None
    value = trained[-1].batch
    too_large = (one.batch for one in attempts if one.outcome == OUT_OF_MEMORY and one.batch > value)
    failed_at = min(too_large, default=None)
    return LargestBatch(
        value=value,
        failed_at=failed_at,
        resolution=None if failed_at is None else (failed_at - value) / value,
        limit_bytes=trained[-1].limit_bytes,
        points=tuple((one.batch, one.peak_bytes) for one in trained if one.peak_bytes is not None),
    )
