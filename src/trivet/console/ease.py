"""Planted mistakes, and counts of code, as terminal tables at 80 columns, and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trivet.console.terminal import Terminal
from trivet.ease import words
from trivet.ease.code import Count
from trivet.ease.results import Changed
from trivet.model.ease import EaseResult, Mistake

_SHORT = {"tensorflow": "tf"}


def ease_view(
    result: EaseResult, mistakes: Mapping[str, Mistake], changed: Sequence[Changed] | None
) -> RenderableType:
    """Return the profile row by row, the counts by class, the switches, who dominates whom, and what has changed.

    Args:
        result: the table.
        mistakes: their titles.
        changed: against another table, None if none was named.
    """
    parts: list[RenderableType] = [_profile(result, mistakes), Text(), Text(words.legend(result)), Text()]
    parts += [_counts(result), Text()]
    switches = words.switch_lines(result, mistakes)
    if switches:
        parts += [
            Text("With the framework's own debugging switch", style="bold"),
            *map(Text, switches),
            Text(),
        ]
    parts += [*map(Text, words.dominance_lines(result, mistakes)), Text()]
    parts += [Text(f"! A correct program was warned about: {alarm}") for alarm in result.alarms]
    if changed is not None:
        parts += [Text("Changed", style="bold"), *map(Text, words.change_lines(changed, mistakes)), Text()]
    parts.append(Text(f"{words.versions_line(result)}; {result.system}; {result.dated}."))
    return Group(*parts)


def code_view(counts: Mapping[str, Count], titles: Mapping[str, str]) -> RenderableType:
    """Return a row for each framework: lines, symbols, concepts.

    Args:
        counts: framework -> what was counted.
        titles: framework -> its name for people.
    """
    table = _table("", "lines", "symbols", "concepts")
    for framework, counted in counts.items():
        table.add_row(
            titles.get(framework, framework),
            str(counted.lines),
            str(len(counted.symbols)),
            str(len(counted.concepts)),
        )
    return table


def print_view(view: RenderableType) -> None:
    """Print a view to standard output."""
    Terminal(highlight=False).print(view)


def ease_markdown(
    result: EaseResult, mistakes: Mapping[str, Mistake], changed: Sequence[Changed] | None
) -> str:
    """Return the same as `ease_view`, as Markdown."""
    names = words.labels(result)
    lines = [
        f"| | mistake | {' | '.join(names)} |",
        f"| --- | --- |{' --- |' * len(names)}",
        *(
            f"| {number} | {title} | {' | '.join(cells)} |"
            for number, title, cells in words.rows(result, mistakes)
        ),
        "",
        words.legend(result),
        "",
        f"| rows | {' | '.join(names)} |",
        f"| --- |{' ---: |' * len(names)}",
        *(f"| {kind} | {' | '.join(map(str, found))} |" for kind, found in words.counts(result)),
        "",
        *(f"- {line}" for line in words.switch_lines(result, mistakes)),
        "",
        *(f"- {line}" for line in words.dominance_lines(result, mistakes)),
    ]
    lines += [f"- A correct program was warned about: {alarm}" for alarm in result.alarms]
    if changed is not None:
        lines += ["", *(f"- {line}" for line in words.change_lines(changed, mistakes))]
    return "\n".join([*lines, "", f"{words.versions_line(result)}; {result.system}; {result.dated}."])


def _profile(result: EaseResult, mistakes: Mapping[str, Mistake]) -> Table:
    table = _table("", "mistake", *(_heading(label) for label in words.labels(result)), widths={1: 22})
    for number, title, cells in words.rows(result, mistakes):
        table.add_row(number, Text(title), *(Text(cell) for cell in cells))
    return table


def _counts(result: EaseResult) -> Table:
    table = _table("rows", *(_heading(label) for label in words.labels(result)), widths={0: 27})
    for kind, found in words.counts(result):
        table.add_row(kind, *map(str, found))
    return table


def _heading(label: str) -> str:
    """Return a variant in two short lines, since eight of them stand beside each other."""
    framework, _, rest = label.partition(":")
    return f"{_SHORT.get(framework, framework)}\n{rest}"


def _table(*headings: str, widths: Mapping[int, int] | None = None) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for number, heading in enumerate(headings):
        table.add_column(heading, width=(widths or {}).get(number), overflow="fold")
    return table
