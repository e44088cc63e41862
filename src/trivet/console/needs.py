"""What the package index says of the user's needs, as a terminal table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from trivet.ecosystem.evidence import of_upkeep, sentence
from trivet.ecosystem.need import Need
from trivet.ecosystem.releases import Upkeep

_MOST_EXTRAS = 3


def needs_view(needs: Sequence[Need], titles: Mapping[str, str], today: str) -> RenderableType:
    """Return a row for each need, a column for each framework, and below what else is to be said.

    Args:
        needs: what was asked.
        titles: framework -> its name for people.
        today: ISO date, for the age of kept answers.
    """
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    for heading in ("library", "version", "released", *titles.values(), "wheels here"):
        table.add_column(heading, overflow="fold")
    for need in needs:
        cells = [
            need.name,
            need.version or need.state,
            need.released or "-",
            *(_cell(need, framework) for framework in titles),
            {True: "yes", False: "no", None: "-"}[need.wheels_here],
        ]
        table.add_row(*(Text(cell) for cell in cells))  # Text: an extra in brackets would be taken for markup
    lines = [Text(line) for need in needs for line in _lines(need, titles, today)]
    return Group(table, Text(), *lines) if lines else table


def print_needs(
    needs: Sequence[Need], released: Iterable[Upkeep], titles: Mapping[str, str], today: str
) -> None:
    """Print the table, and below it the frameworks' own releases."""
    console = Console(highlight=False)
    console.print(needs_view(needs, titles, today))
    for upkeep in released:
        console.print(Text(f"\n{titles[upkeep.framework]}", style="bold"))
        for piece in of_upkeep(upkeep, titles[upkeep.framework]):
            console.print(Text(f"  {piece.text}"))
        if upkeep.problem:
            console.print(Text(f"  {upkeep.problem}"))


def _cell(need: Need, framework: str) -> str:
    if need.state != "answered":
        return "-"
    if framework in need.always:
        return "always"
    extras = [way.extra for way in need.ways if way.framework == framework]
    if extras:
        return f"[{', '.join(extras[:_MOST_EXTRAS])}{', ...' if len(extras) > _MOST_EXTRAS else ''}]"
    return "no" if need.extras_told else "not always"


def _lines(need: Need, titles: Mapping[str, str], today: str) -> Iterable[str]:
    if need.state != "answered" or need.renamed_to or need.companions:
        yield sentence(need, titles)
    for way in need.ways:
        if way.through and not way.extra:
            yield f"{need.name} brings {way.package} along through {' > '.join(way.through)}."
    if need.newest and need.version and need.newest != need.version:
        yield f"{need.name} {need.newest} is out, but not for Python {need.python} here."
    if need.state == "answered" and need.problem:
        yield f"{need.name}: {need.problem}"
    if need.kept:
        days = (dt.date.fromisoformat(today) - dt.date.fromisoformat(need.asked)).days
        yield f"{need.name}: a kept answer of {need.asked}, {days} {'day' if days == 1 else 'days'} old."
