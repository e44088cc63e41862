"""The table in words: one set for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trivet.ease.dominance import dominant
from trivet.ease.results import Changed
from trivet.model.ease import KINDS, Cell, EaseResult, Kind, Mistake, Price

SHORT: Mapping[Kind, str] = {
    "cannot be made": "-",
    "meant": "ok",
    "corrected": "fixed",
    "located": "LINE",
    "loud elsewhere": "error",
    "warned": "warn",
    "visible NaN": "NaN",
    "silent": "WRONG",
    "costs time": "time",
    "unusable": "fails",
    "not run": "?",
}
"""What stands in a cell."""

LEGEND: Mapping[Kind, str] = {
    "cannot be made": "cannot be made",
    "meant": "does what was meant",
    "corrected": "silently corrected",
    "located": "error, and it points at the line",
    "loud elsewhere": "error, and it points elsewhere",
    "warned": "warning, and wrong numbers",
    "visible NaN": "no word, but the loss is NaN",
    "silent": "no word, and plausible wrong numbers",
    "costs time": "costs time",
    "unusable": "the correct program fails too, with the switch on",
    "not run": "not run",
}


def labels(result: EaseResult) -> list[str]:
    """Return the variants of a table, in order."""
    return list(dict.fromkeys(cell.variant for cell in result.cells))


def rows(result: EaseResult, mistakes: Mapping[str, Mistake]) -> list[tuple[str, str, list[str]]]:
    """Return number, title and a word for each variant, for every mistake, without switches."""
    cells = {(cell.mistake, cell.variant): cell for cell in result.cells if not cell.switch}
    names = dict.fromkeys(cell.mistake for cell in result.cells if not cell.switch)
    return [
        (
            mistakes[name].number,
            mistakes[name].title,
            [word(cells.get((name, label))) for label in labels(result)],
        )
        for name in names
        if name in mistakes
    ]


def word(cell: Cell | None) -> str:
    """Return what stands in a cell: a class, or the seconds that were lost."""
    if cell is None:
        return ""
    said = SHORT[cell.kind]
    if cell.kind == "costs time" and cell.extra_seconds is not None:
        said = "busy" if cell.disturbed else f"{max(0.0, cell.extra_seconds):+.1f}"
    return f"{said}!" if cell.warned and cell.kind != "warned" else said


def counts(result: EaseResult) -> list[tuple[str, list[int]]]:
    """Return for each outcome class that occurs how many rows of each variant are of it, without switches."""
    return [
        (
            LEGEND[kind],
            [
                sum(cell.kind == kind and cell.variant == label and not cell.switch for cell in result.cells)
                for label in labels(result)
            ],
        )
        for kind in KINDS
        if any(cell.kind == kind and not cell.switch for cell in result.cells)
    ]


def legend(result: EaseResult) -> str:
    """Return what the words in the cells mean, of those that occur."""
    kinds = [
        kind for kind in KINDS if any(cell.kind == kind for cell in result.cells) and kind != "costs time"
    ]
    parts = [f"{SHORT[kind]}: {LEGEND[kind]}" for kind in kinds]
    if any(cell.kind == "costs time" for cell in result.cells):
        parts.append("+1.2: right, but 1.2 s are lost to compiling again")
    if any(cell.disturbed for cell in result.cells):
        parts.append("busy: other work used the machine, so that the seconds do not count")
    if any(cell.warned and cell.kind != "warned" for cell in result.cells):
        parts.append("!: with a warning")
    return "; ".join(parts)


def switch_lines(result: EaseResult, mistakes: Mapping[str, Mistake]) -> list[str]:
    """Return a line for each variant and switch: what it finds, and what it costs."""
    prices = {(price.variant, price.switch): price for price in result.prices}
    found = []
    for label, switch in dict.fromkeys((cell.variant, cell.switch) for cell in result.cells if cell.switch):
        cells = [cell for cell in result.cells if (cell.variant, cell.switch) == (label, switch)]
        said = ", ".join(
            f"{mistakes[cell.mistake].number} {_found(cell)}" for cell in cells if cell.mistake in mistakes
        )
        found.append(f"{label}, {switch}: {said}{_price(prices.get((label, switch)))}")
    return found


def dominance_lines(result: EaseResult, mistakes: Mapping[str, Mistake]) -> list[str]:
    """Return a sentence for each pair of which one variant is nowhere behind the other."""
    pairs = dominant(result.cells)
    if not pairs:
        return [
            "No variant is at least as good as another in every row: which rows matter is for you to say."
        ]
    return [
        f"{pair.variant} is nowhere behind {pair.against}, and ahead in {_numbers(pair.better, mistakes)}."
        for pair in pairs
    ]


def change_lines(changed: Sequence[Changed], mistakes: Mapping[str, Mistake]) -> list[str]:
    """Return a line for each cell that is not what it was."""
    return [_change(one, mistakes) for one in changed] or ["Every cell is as it was."]


def versions_line(result: EaseResult) -> str:
    """Return the versions of the table, each once."""
    found = {name: version for packages in result.versions.values() for name, version in packages.items()}
    return ", ".join(f"{name} {version}" for name, version in found.items())


def _found(cell: Cell) -> str:
    where = f" ({cell.where})" if cell.where else ""
    return f"{SHORT[cell.kind]}{where}"


def _price(price: Price | None) -> str:
    if price is None:
        return "."
    if price.ratio is None:
        return ". It cannot be used: the correct program fails with it."
    if price.disturbed:
        return ". Its price is not known: other work used the machine."
    return f". A step takes {price.ratio:.2f} times as long ({price.off_ms:.1f} ms without)."


def _numbers(names: Sequence[str], mistakes: Mapping[str, Mistake]) -> str:
    return ", ".join(mistakes[name].number if name in mistakes else name for name in names)


def _change(one: Changed, mistakes: Mapping[str, Mistake]) -> str:
    cell = one.after
    title = mistakes[cell.mistake].number if cell.mistake in mistakes else cell.mistake
    switch = f", {cell.switch}" if cell.switch else ""
    before = _described(one.before) if one.before else "not in the table"
    return f"{title} in {cell.variant}{switch}: was {before}; is {_described(cell)}."


def _described(cell: Cell) -> str:
    parts = [cell.kind, cell.where, cell.error, cell.line]
    return ", ".join(part for part in parts if part)
