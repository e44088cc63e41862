"""Evidence as the page's table shows it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from trivet.model.evidence import Evidence
from trivet.model.result import Estimate
from trivet.report import words
from trivet.report.decision.tracing import address


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """One piece of evidence.

    Attributes:
        id: of the row, such as "e12".
        piece: all that is known of it.
        value, interval: in words.
        href: where its source is, "" where it has no address.
        stale: True if it has expired.
    """

    id: str
    piece: Evidence
    value: str
    interval: str
    href: str
    stale: bool


def rows_of(evidence: Sequence[Evidence], *, today: str, run_pages: Mapping[str, str]) -> list[Row]:
    """Return the table's rows.

    Args:
        evidence: in the order that `tracing` numbers it.
        today: ISO date, by which evidence may have expired.
        run_pages: run -> address of its page.
    """
    return [
        Row(
            id=f"e{number}",
            piece=piece,
            value=value_words(piece),
            interval=interval_words(piece),
            href=run_pages.get(piece.source) or address(piece.source),
            stale=piece.is_stale(today),
        )
        for number, piece in enumerate(evidence, start=1)
    ]


def value_words(piece: Evidence) -> str:
    """Return a value such as "37 700 examples/s", "411 MiB", "by conversion", "yes" or "not known"."""
    value = piece.value
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return words.size(value) if piece.unit == "bytes" else f"{words.number(value)} {piece.unit}".strip()


def interval_words(piece: Evidence) -> str:
    """Return the interval in the unit of the value."""
    if piece.unit == "bytes" and isinstance(piece.value, int | float):
        size = Estimate(value=piece.value, low=piece.low, high=piece.high, n=piece.n or 0, unit=piece.unit)
        return words.size_interval(size)
    return words.interval(piece.low, piece.high)
