"""A run as flat records, for data frames: a dictionary for each contestant, pair or slice."""

from __future__ import annotations

import dataclasses
from typing import Any

from trivet.conclude.timeline import timeline
from trivet.model.result import ContestantResult, Estimate, Result, WorkloadResult
from trivet.store.run import Run

Record = dict[str, Any]

KINDS = ("contestants", "pairs", "slices")


def contestant_records(result: Result) -> list[Record]:
    """Return a record for each contestant on each workload, all with the same keys; None where there is nothing.

    Args:
        result: of a run.
    """
    counters = dict.fromkeys(
        counter for workload in result.workloads for one in workload.contestants for counter in one.memory
    )
    return [
        _contestant(result, workload, one, list(counters))
        for workload in result.workloads
        for one in workload.contestants
    ]


def pair_records(result: Result) -> list[Record]:
    """Return a record for each two contestants that are ranked.

    A break-even is items; infinity where the lead never changes, None where a start-up was not measured.

    Args:
        result: of a run.
    """
    return [
        {
            "run": result.run,
            "workload": workload.workload,
            "a": pair.a,
            "b": pair.b,
            "ratio": pair.ratio,
            "ratio_low": pair.low,
            "ratio_high": pair.high,
            "verdict": pair.verdict,
            "provisional": pair.provisional,
            "unguarded": pair.unguarded,
            "break_even_cold_items": _items(pair.break_even_items, "cold"),
            "break_even_warm_items": _items(pair.break_even_items, "warm"),
        }
        for workload in result.workloads
        for pair in workload.pairs
    ]


def slice_records(run: Run) -> list[Record]:
    """Return a record for each raw slice, rejected ones too.

    Args:
        run: with its generations.
    """
    return [
        {"run": run.id, "workload": workload, **dataclasses.asdict(one)}
        for workload, taken in timeline(run).items()
        for one in taken
    ]


def _contestant(
    result: Result, workload: WorkloadResult, one: ContestantResult, counters: list[str]
) -> Record:
    record: Record = {
        "run": result.run,
        "workload": workload.workload,
        "contestant": one.contestant,
        "framework": one.framework,
        "variant": one.variant,
        "version": one.version,
        "precision": one.precision,
        "batch": workload.batch,
        "unit": workload.unit,
        "status": one.status,
        "reason": one.reason,
        "parity_equal": one.parity["equal"],
        "generations": one.throughput.n if one.throughput else 0,
        **_columns("items_per_second", one.throughput),
        **_columns("startup_cold_seconds", one.startup_cold),
        **_columns("startup_warm_seconds", one.startup_warm),
    }
    for counter in counters:
        record |= _columns(counter, one.memory.get(counter))
    return record | {
        "utilisation": one.utilisation.value if one.utilisation else None,
        "largest_batch": one.largest_batch.value if one.largest_batch else None,
        "largest_batch_failed_at": one.largest_batch.failed_at if one.largest_batch else None,
        "clean_rounds": one.clean_rounds,
        "rejected_slices": one.rejected_slices,
    }


def _columns(name: str, estimate: Estimate | None) -> Record:
    return {
        name: estimate.value if estimate else None,
        f"{name}_low": estimate.low if estimate else None,
        f"{name}_high": estimate.high if estimate else None,
    }


def _items(break_even: dict[str, float | None], caches: str) -> float | None:
    if caches not in break_even:
        return None
    items = break_even[caches]
    return float("inf") if items is None else items
