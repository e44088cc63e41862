"""The result as a terminal table, readable at 80 columns and without colour."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trivet import figures
from trivet.conclude.ranking import against_leader, by_speed, verdict_words
from trivet.conclude.words import (
    ahead_after,
    flag_lines,
    generations,
    largest_batch_line,
    parity_words,
    peak_line,
    reasons,
)
from trivet.console.terminal import Terminal
from trivet.model.result import ContestantResult, Result, WorkloadResult
from trivet.plain import all_plain


def result_view(result: Result) -> RenderableType:
    """Return the whole result: a table and its verdicts per workload, then the notes."""
    parts: list[RenderableType] = []
    for workload in result.workloads:
        parts += [workload_view(workload, str(result.question.get("precision", ""))), Text()]
    parts += [Text(f"Note: {note}") for note in result.notes]
    return Group(*parts)


def workload_view(result: WorkloadResult, precision: str) -> RenderableType:
    """Return one workload's title, table, sentence and pairs against the leader."""
    title = Text(
        f"{result.workload} · batch {result.batch} · {precision} · {generations(result)}", style="bold"
    )
    parts: list[RenderableType] = [title, _table(result), Text()]
    if result.headline:
        parts.append(Text(result.headline))
    parts += [Text(f"  {labels}: {reason}", style="yellow") for reason, labels in reasons(result).items()]
    pairs = against_leader(result)
    if pairs:
        parts.append(_pairs(result))
    parts += [Text(line) for line in (peak_line(result), largest_batch_line(result)) if line]
    parts += [Text(f"  ! {line}", style="yellow") for line in flag_lines(result)]
    return Group(*parts)


def _table(result: WorkloadResult) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("contestant", no_wrap=True)
    table.add_column(f"{result.unit}/s", justify="right", no_wrap=True)
    table.add_column("95 %", justify="right", no_wrap=True)
    table.add_column("cold", justify="right", no_wrap=True)
    table.add_column("warm", justify="right", no_wrap=True)
    table.add_column("memory", justify="right", no_wrap=True)
    table.add_column("parity", no_wrap=True)
    for contestant in by_speed(result):
        table.add_row(*_row(contestant))
    return table


def _row(contestant: ContestantResult) -> list[str]:
    speed = contestant.throughput
    status = contestant.status.replace("_", " ")
    return [
        contestant.contestant,
        figures.number(speed.value) if speed else status,
        figures.interval(speed.low, speed.high) if speed else "-",
        figures.seconds(contestant.startup_cold),
        figures.seconds(contestant.startup_warm),
        figures.mebibytes(contestant.shown_memory),
        parity_words(contestant).replace("not equal", "NOT EQUAL"),
    ]


def _pairs(result: WorkloadResult) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("against the leader", no_wrap=True)
    table.add_column("ratio", justify="right", no_wrap=True)
    table.add_column("95 %", justify="right", no_wrap=True)
    table.add_column("verdict")
    table.add_column("ahead after (cold)")
    for pair in against_leader(result):
        low_high = figures.interval(pair.low, pair.high)
        table.add_row(
            pair.b,
            figures.number(pair.ratio),
            f"{low_high} assumed" if pair.provisional else low_high,
            verdict_words(pair),
            ahead_after(pair, result.unit),
        )
    return table


def print_result(result: Result) -> None:
    """Print the view to standard output, in colour where that is a terminal that wants it."""
    Terminal(highlight=False).print(result_view(all_plain(result)))


def render_text(result: Result, width: int = 80, color: bool = False) -> str:
    """Return the view as text."""
    console = Terminal(width=width, no_color=not color, force_terminal=color, highlight=False)
    with console.capture() as capture:
        console.print(result_view(all_plain(result)))
    return capture.get()
