"""A run beside a table of claims, as a terminal table (80 columns, without colour too) and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trivet.conclude.words import against_facts, verdict_of_claim
from trivet.console.terminal import Terminal
from trivet.model.against import Against, WorkloadAgainst
from trivet.plain import all_plain

_STYLES = {
    "holds": "green",
    "does not hold here": "red",
    "cannot be tested here": "dim",
    "undecided": "yellow",
}


def against_view(against: Against) -> RenderableType:
    """Return the whole: whose table it is, then for each workload its setting and a line for each claim."""
    parts: list[RenderableType] = [Text(f"Against {against.title}", style="bold")]
    parts += [Text(line, overflow="fold") for line in _head(against)]
    for workload in against.workloads:
        parts += [Text(), *_workload_view(workload)]
    parts += [Text(), *(Text(f"Note: {note}") for note in against.notes)] if against.notes else []
    return Group(*parts)


def print_against(against: Against) -> None:
    """Print the view to standard output, in colour where that is a terminal that wants it."""
    Terminal(highlight=False).print(Text(), against_view(all_plain(against)))


def render_text(against: Against, width: int = 80) -> str:
    """Return the view as text."""
    console = Terminal(width=width, no_color=True, highlight=False)
    with console.capture() as capture:
        console.print(against_view(all_plain(against)))
    return capture.get()


def render_markdown(against: Against) -> str:
    """Return a section, with a table for each workload."""
    against = all_plain(against)
    lines = [f"## Against {against.title}", "", *(f"- {line}" for line in _head(against)), ""]
    for workload in against.workloads:
        lines += [f"### {workload.workload}", "", *(f"{line}\n" for line in against_facts(workload))]
        lines += ["| claim | verdict | why |", "| --- | --- | --- |"]
        lines += [f"| {one.claim} | {verdict_of_claim(one)} | {one.why} |" for one in workload.judgements]
        lines.append("")
    return "\n".join([*lines, *(f"*{note}*\n" for note in against.notes)]) + "\n"


def _head(against: Against) -> Iterator[str]:
    dated = f", {against.dated}" if against.dated else ""
    yield f"Source: {against.source}{dated}."
    yield from against.defects


def _workload_view(workload: WorkloadAgainst) -> Iterator[RenderableType]:
    yield Text(workload.workload, style="bold")
    for line in against_facts(workload):
        yield Text(line)
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold", expand=True)
    table.add_column("claim", ratio=25)
    table.add_column("here", ratio=15)
    table.add_column("why", ratio=38)
    for one in workload.judgements:
        table.add_row(Text(one.claim), Text(verdict_of_claim(one), style=_STYLES[one.verdict]), Text(one.why))
    yield table
