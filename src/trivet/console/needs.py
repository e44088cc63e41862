"""What the package index says of the user's needs, as a terminal table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trivet.console.terminal import Terminal
from trivet.ecosystem.evidence import of_upkeep, sentence
from trivet.ecosystem.need import Need, is_chore
from trivet.ecosystem.releases import Upkeep
from trivet.plain import all_plain

_MOST_EXTRAS = 5


def needs_view(needs: Sequence[Need], titles: Mapping[str, str], today: str) -> RenderableType:
    """Return a row for each need, a column for each framework, and below what else is to be said.

    Args:
        needs: what was asked.
        titles: framework -> its name for people.
        today: ISO date, for the age of kept answers.
    """
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for heading in ("library", "version", "released", *titles.values(), "wheels"):
        table.add_column(heading, overflow="fold")
    for need in needs:
        cells = [
            need.name,
            need.version or need.state,
            (need.released if need.version == need.newest else "") or "-",
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
    console = Terminal(highlight=False)
    console.print(needs_view(all_plain(list(needs)), titles, today))
    for upkeep in released:
        console.print(upkeep_view(all_plain(upkeep), titles[upkeep.framework], today))


def upkeep_view(upkeep: Upkeep, title: str, today: str) -> RenderableType:
    """Return what the index tells of a framework's releases; without an answer, why there is none.

    Args:
        upkeep: of the framework.
        title: its name for people.
        today: ISO date, for the age of a kept answer.
    """
    lines = [piece.text for piece in of_upkeep(upkeep, title)] if upkeep.version else []
    lines += [upkeep.problem] if upkeep.problem else []
    lines += [f"This is {_kept(upkeep.asked, today)}"] if upkeep.kept else []
    return Group(
        Text(),
        Text(title, style="bold"),
        *(Padding(Text(line), (0, 0, 0, 2), expand=False) for line in lines),
    )


def _cell(need: Need, framework: str) -> str:
    if need.state != "answered":
        return "-"
    if framework == need.itself:
        return "itself"
    if framework in need.always:
        return "always"
    if framework in need.by_extra:
        return "by extra"
    if framework in need.beside:
        return "beside"
    return "not always" if need.untold else "no"


def _lines(need: Need, titles: Mapping[str, str], today: str) -> Iterable[str]:
    if need.state != "answered" or need.renamed_to or need.companions or need.itself or need.undeclared:
        yield sentence(need, titles)
    for way in need.ways:
        if way.through and not way.extra:
            yield f"{need.name} brings {way.package} along through {' > '.join(way.through)}."
    for framework in need.by_extra:
        extras = [way.extra for way in need.ways if way.framework == framework and not is_chore(way.extra)]
        yield f"{need.name} brings {titles.get(framework, framework)} by {_extras(extras)}."
    for framework in need.beside:
        extras = [way.extra for way in need.ways if way.framework == framework]
        always = " and ".join(titles.get(name, name) for name in need.always)
        why = f"beside {always}, which always comes" if always else "for work on itself"
        yield f"{need.name} brings {titles.get(framework, framework)} by {_extras(extras)}: {why}."
    if need.unresolved:
        yield f"{need.name}: nobody could tell what comes with {_extras(need.unresolved)}."
    if need.newest and need.version and need.newest != need.version:
        since = f" since {need.released}" if need.released else ""
        yield f"{need.name} {need.newest} is out{since}, but not for Python {need.python} here."
    if need.state == "answered" and need.problem:
        yield f"{need.name}: {need.problem}"
    if need.kept:
        yield f"{need.name}: {_kept(need.asked, today)}"


def _extras(names: Sequence[str]) -> str:
    """Return such as "its extras a, b and 3 more"."""
    shown, rest = names[:_MOST_EXTRAS], len(names) - _MOST_EXTRAS
    more = f" and {rest} more" if rest > 0 else ""
    return f"its extra{'s' if len(names) > 1 else ''} {', '.join(shown)}{more}"


def _kept(asked: str, today: str) -> str:
    days = (dt.date.fromisoformat(today) - dt.date.fromisoformat(asked)).days
    return f"a kept answer of {asked}, {days} {'day' if days == 1 else 'days'} old."
