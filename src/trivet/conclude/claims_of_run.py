"""A stored run as a table of claims, and which table a user means."""

from __future__ import annotations

from pathlib import Path

from trivet.conclude.claims import FOLDER, read_table, shipped
from trivet.conclude.conclusions import conclude
from trivet.conclude.ranking import by_speed
from trivet.errors import StoreError, UsageError
from trivet.model.against import ClaimTable, Ratio, Row, Setting
from trivet.model.result import ContestantResult, Pair, Result, WorkloadResult
from trivet.stats.verdict import UNDECIDED
from trivet.store.run import Run


def open_tables(reference: str) -> tuple[ClaimTable, ...]:
    """Return the tables that a user means: one, or one for each workload of a run.

    Args:
        reference: the name of a table that comes with trivet, a TOML file, or a run as `trivet report` takes it.

    Raises:
        UsageError: it names nothing, or a file that is no table of claims; names the line.
    """
    if reference in shipped():
        return (read_table(FOLDER / f"{reference}.toml"),)
    if reference.endswith(".toml"):
        return (read_table(Path(reference)),)
    try:
        run = Run.open(reference)
    except StoreError as error:
        message = (
            f"--against {reference} names no table that comes with trivet and no TOML file. {error.message}"
        )
        raise UsageError(
            message, f"Tables that come with trivet: {', '.join(shipped())}. {error.remedy}"
        ) from error
    tables = tables_of(conclude(run))
    if not tables:
        message = f"--against {reference}: nothing is measured yet in run {run.id}."
        raise UsageError(message, "`trivet runs` lists the others.")
    return tables


def tables_of(result: Result) -> tuple[ClaimTable, ...]:
    """Return what a run claims of each workload: of every framework, its fastest contestant that is ranked.

    Args:
        result: the run's conclusions.
    """
    return tuple(_table(result, workload) for workload in result.workloads)


def device_of(result: Result) -> str:
    """Return the name of the device that a run measured on."""
    gpus = result.machine["gpus"]
    return str(gpus[0]["name"] if result.question["device"] == "cuda" and gpus else result.machine["cpu"])


def _table(result: Result, workload: WorkloadResult) -> ClaimTable:
    rows: dict[str, Row] = {}
    ranked = {label for pair in workload.pairs for label in (pair.a, pair.b)}
    for one in by_speed(workload):
        framework = one.framework
        if one.contestant in ranked and framework not in {row.framework for row in rows.values()}:
            rows[one.contestant] = _row(one)
    ratios = [
        _ratio(pair, rows)
        for pair in workload.pairs
        if pair.a in rows and pair.b in rows and pair.verdict != UNDECIDED
    ]
    return ClaimTable(
        name=workload.workload,
        title=f"run {result.run}",
        source=f"measured by trivet {result.trivet}",
        dated=result.created[:10],
        setting=Setting(
            workload=workload.workload,
            batch=workload.batch,
            precision=str(result.question["precision"]),
            device=device_of(result),
            unit=workload.unit,
        ),
        rows=tuple(rows.values()),
        ratios=tuple(ratios),
        anywhere=False,
    )


def _row(one: ContestantResult) -> Row:
    memory = one.shown_memory
    return Row(
        framework=one.framework,
        title=one.title,
        variant=one.variant,
        version=one.version,
        throughput=one.throughput.value if one.throughput else None,
        startup_seconds=one.startup_cold.value if one.startup_cold else None,
        startup_variant=one.variant,
        memory_bytes=memory.value if memory else None,
    )


def _ratio(pair: Pair, rows: dict[str, Row]) -> Ratio:
    seen = pair if pair.ratio >= 1 else pair.seen_from(pair.b)
    return Ratio(a=rows[seen.a], b=rows[seen.b], value=seen.ratio, low=seen.low, high=seen.high)
