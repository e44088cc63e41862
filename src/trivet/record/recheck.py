"""Whether a recorded decision still holds on the evidence of today."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Literal

from trivet import figures
from trivet.decide.decision import Decision
from trivet.model.evidence import Evidence
from trivet.record.block import Recorded

Standing = Literal["holds", "does not hold", "undecided now"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Change:
    """One piece of evidence that is not what it was.

    Attributes:
        key: of the evidence.
        before: None where the decision did not rest on it then: the record does not tell what it was.
        after: None where there is no such evidence any more, or the decision does not rest on it.
        says_else: False where only source, date or a number within its old interval have changed.
    """

    key: str
    before: Evidence | None
    after: Evidence | None
    says_else: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recheck:
    """A record, set against a decision from the same answers today.

    Attributes:
        standing: "holds" where the choice is the same, undecided then and now included.
        before: the choice then, "" for undecided.
        after: the choice now.
        changes: in evidence, those that say something else first.
        tree_changed: the tree is not the one of the record.
        unmeasured: the decision rested on measured performance, and nothing is known of that any more.
    """

    standing: Standing
    before: str
    after: str
    changes: tuple[Change, ...]
    tree_changed: bool
    unmeasured: bool


def recheck(recorded: Recorded, now: Decision) -> Recheck:
    """Return whether a record holds.

    Args:
        recorded: what was decided, and on what.
        now: what follows from its answers and its tree today.
    """
    after = now.recommendation.outcome.choice
    standing: Standing = "holds"
    if after != recorded.choice:
        standing = "does not hold" if after else "undecided now"
    return Recheck(
        standing=standing,
        before=recorded.choice,
        after=after,
        changes=_changes(recorded.evidence, now),
        tree_changed=recorded.tree_sha256 != now.tree_sha256,
        unmeasured=_measured(recorded.evidence) and not _measured(now.evidence),
    )


def says(piece: Evidence | None) -> str:
    """Return what a piece of evidence says, in a few words: "2.02 times (1.92–2.11)", "native", "not known"."""
    if piece is None:
        return "not there"
    if isinstance(piece.value, bool):
        return "yes" if piece.value else "no"
    if piece.value is None:
        return "not known"
    if isinstance(piece.value, str):
        return piece.value
    low_high = f" ({figures.interval(piece.low, piece.high)})" if piece.low is not None else ""
    return f"{figures.number(piece.value)} {piece.unit}".strip() + low_high


def _measured(evidence: Iterable[Evidence]) -> bool:
    return any(piece.claim.startswith("performance.") and piece.value is not None for piece in evidence)


def _changes(recorded: Iterable[Evidence], now: Decision) -> tuple[Change, ...]:
    before = {piece.key: piece for piece in recorded}
    there = {piece.key: piece for piece in now.evidence}
    used = {piece.key: piece for piece in now.used}
    found = [
        _change(key, before, used | {k: there[k] for k in before if k in there}) for key in {**before, **used}
    ]
    changes = [change for change in found if change is not None]
    return tuple(sorted(changes, key=lambda change: (not change.says_else, change.key)))


def _change(key: str, before: Mapping[str, Evidence], after: Mapping[str, Evidence]) -> Change | None:
    old, new = before.get(key), after.get(key)
    if old == new:
        return None
    return Change(
        key=key, before=old, after=new, says_else=old is None or new is None or _says_else(old, new)
    )


def _says_else(old: Evidence, new: Evidence) -> bool:
    if old.value == new.value:
        return False
    if isinstance(new.value, int | float) and old.low is not None and old.high is not None:
        return not old.low <= new.value <= old.high
    return True
