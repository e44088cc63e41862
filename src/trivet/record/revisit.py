"""When a decision is to be looked at again."""

from __future__ import annotations

import calendar
import dataclasses
import datetime as dt
from collections.abc import Iterable

from trivet.model.evidence import Evidence

MONTHS = 6
"""At the latest after so many: frameworks have a release or two in that time."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Revisit:
    """A day, and why it.

    Attributes:
        day: ISO date.
        why: in a sentence.
    """

    day: str
    why: str


def revisit(used: Iterable[Evidence], today: str) -> Revisit:
    """Return the earliest expiry of the evidence that was used, or the day in six months, whichever comes first.

    Stale evidence has expired already: then it is today.

    Args:
        used: that the recommendation rests on.
        today: ISO date of the decision.
    """
    latest = Revisit(day=_in_months(today, MONTHS), why=f"{MONTHS} months after the decision.")
    expiring = [piece for piece in used if piece.expires is not None]
    first = min(expiring, key=lambda piece: (piece.expires or "", piece.key), default=None)
    if first is None or first.expires is None or first.expires > latest.day:
        return latest
    if first.is_stale(today):
        return Revisit(day=today, why=f"{first.key} is stale since {first.expires}.")
    return Revisit(day=first.expires, why=f"{first.key} expires then.")


def _in_months(day: str, months: int) -> str:
    start = dt.date.fromisoformat(day)
    years, month = divmod(start.month - 1 + months, 12)
    year = start.year + years
    last = calendar.monthrange(year, month + 1)[1]
    return dt.date(year, month + 1, min(start.day, last)).isoformat()
