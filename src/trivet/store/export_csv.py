"""A run as tables for spreadsheets and data frames: raw slices, estimates, pairs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from trivet.errors import DiskError, UsageError
from trivet.model.result import ContestantResult, Estimate, Result
from trivet.store.atomic import write_named
from trivet.store.run import Run

SLICES = (
    "run",
    "workload",
    "generation",
    "contestant",
    "round",
    "steps",
    "seconds",
    "items_per_second",
    "started",
    "foreign_share",
    "steal_share",
    "clean",
)
ESTIMATES = ("run", "workload", "contestant", "status", "measure", "value", "low", "high", "n", "unit")
PAIRS = (
    "run",
    "workload",
    "a",
    "b",
    "ratio",
    "low",
    "high",
    "verdict",
    "provisional",
    "unguarded",
    "break_even_cold",
    "break_even_warm",
    "break_even_cold_seconds",
    "break_even_warm_seconds",
)
Row = Sequence[str | int | float | bool | None]


def export_csv(run: Run, result: Result, folder: Path) -> tuple[Path, ...]:
    """Write ``ID-slices.csv`` (one row per slice), ``ID-estimates.csv`` (one per estimate) and ``ID-pairs.csv``.

    Empty cells are None; a break-even that never comes is "never".

    Args:
        run: with the raw slices.
        result: its conclusions.
        folder: made if it is not there; files of the same run in it are replaced.

    Returns:
        The files.

    Raises:
        UsageError: the folder is a file.
        DiskError: they cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        message = f"--to {folder} is a file."
        raise UsageError(message, "Name a folder.") from error
    except OSError as error:
        message = f"--to {folder} cannot be made: {error.strerror or error}."
        raise DiskError(message, "Name a folder where you may write.") from error
    tables = {
        f"{run.id}-slices.csv": (SLICES, _slices(run)),
        f"{run.id}-estimates.csv": (ESTIMATES, _estimates(result)),
        f"{run.id}-pairs.csv": (PAIRS, _pairs(result)),
    }
    for name, (head, rows) in tables.items():
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(head)
        writer.writerows(rows)
        write_named(folder / name, text.getvalue().encode(), "--to")
    return tuple(folder / name for name in tables)


def _slices(run: Run) -> Iterator[Row]:
    for facts in run.header.workloads:
        for generation in run.generations(facts.name):
            for taken in generation.slices:
                yield (
                    run.id,
                    facts.name,
                    generation.number,
                    taken.contestant,
                    taken.round,
                    taken.steps,
                    taken.seconds,
                    facts.batch * taken.steps / taken.seconds,
                    taken.started,
                    taken.foreign_share,
                    taken.steal_share,
                    taken.clean,
                )


def _estimates(result: Result) -> Iterator[Row]:
    for workload in result.workloads:
        for contestant in workload.contestants:
            for measure, estimate in _measures(contestant):
                yield (
                    result.run,
                    workload.workload,
                    contestant.contestant,
                    contestant.status,
                    measure,
                    estimate.value,
                    estimate.low,
                    estimate.high,
                    estimate.n,
                    estimate.unit,
                )


def _measures(contestant: ContestantResult) -> Iterator[tuple[str, Estimate]]:
    if contestant.throughput:
        yield "throughput", contestant.throughput
    for name, start in (("startup_cold", contestant.startup_cold), ("startup_warm", contestant.startup_warm)):
        if start:
            yield name, start
            for phase, seconds in start.phases.items():
                yield (
                    f"{name}.{phase}",
                    Estimate(value=seconds, low=None, high=None, n=start.n, unit=start.unit),
                )
    if contestant.utilisation:
        yield "utilisation", contestant.utilisation
    for counter, estimate in contestant.memory.items():
        yield f"memory.{counter}", estimate


def _pairs(result: Result) -> Iterator[Row]:
    for workload in result.workloads:
        for pair in workload.pairs:
            after = [
                "never" if name in crossing and crossing[name] is None else crossing.get(name)
                for crossing in (pair.break_even_items, pair.break_even_seconds)
                for name in ("cold", "warm")
            ]
            yield (
                result.run,
                workload.workload,
                pair.a,
                pair.b,
                pair.ratio,
                pair.low,
                pair.high,
                pair.verdict,
                pair.provisional,
                pair.unguarded,
                *after,
            )
