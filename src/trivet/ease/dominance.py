"""Sets two variants against each other row by row: one leads only where it is nowhere behind. There is no total.

The order of outcome classes is partial, on purpose. Most would agree on *silent* below *visible NaN* below *warned* below
*loud elsewhere* below *located*, and that nothing beats *meant*, where no harm was done. Whether a silent correction
(*corrected*) is better or worse than being told is for the user to say: it stands above *silent* and below *meant*, and
against the rest it is not comparable. Rows that one of the two cannot make, or that were not run, or that cost time
only, are left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from trivet.model.ease import Cell, Kind

_LADDER: tuple[Kind, ...] = ("silent", "visible NaN", "warned", "loud elsewhere", "located", "meant")
_LEFT_OUT: tuple[Kind, ...] = ("cannot be made", "costs time", "not run")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Standing:
    """How one variant stands against another.

    Attributes:
        variant: the one.
        against: the other.
        better: mistakes in which the one is better.
        worse: those in which the other is.
        equal: how many rows are alike.
        open: those that are not comparable.
    """

    variant: str
    against: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    equal: int
    open: tuple[str, ...]

    @property
    def dominates(self) -> bool:
        """Say whether the one is nowhere behind, nowhere incomparable, and somewhere ahead."""
        return bool(self.better) and not self.worse and not self.open


def compare(one: Kind, other: Kind) -> int | None:
    """Return 1 if the one class is better, -1 if it is worse, 0 if they are the same, None if there is no order."""
    if one == other:
        return 0
    if "corrected" in (one, other):
        rest = other if one == "corrected" else one
        sign = 1 if one == "corrected" else -1
        return {"silent": sign, "meant": -sign}.get(rest)
    if one not in _LADDER or other not in _LADDER:
        return None
    return 1 if _LADDER.index(one) > _LADDER.index(other) else -1


def standing(cells: Sequence[Cell], variant: str, against: str) -> Standing:
    """Return how one variant stands against another, without switches.

    Args:
        cells: of a table.
        variant: label of the one.
        against: label of the other.
    """
    mine = {cell.mistake: cell.kind for cell in cells if cell.variant == variant and not cell.switch}
    theirs = {cell.mistake: cell.kind for cell in cells if cell.variant == against and not cell.switch}
    verdicts = {
        mistake: compare(kind, theirs[mistake])
        for mistake, kind in mine.items()
        if mistake in theirs and not {kind, theirs[mistake]} & set(_LEFT_OUT)
    }
    return Standing(
        variant=variant,
        against=against,
        better=tuple(name for name, verdict in verdicts.items() if verdict == 1),
        worse=tuple(name for name, verdict in verdicts.items() if verdict == -1),
        equal=sum(verdict == 0 for verdict in verdicts.values()),
        open=tuple(name for name, verdict in verdicts.items() if verdict is None),
    )


def dominant(cells: Sequence[Cell]) -> tuple[Standing, ...]:
    """Return every pair of which the first dominates the second."""
    labels = list(dict.fromkeys(cell.variant for cell in cells))
    pairs = [standing(cells, one, other) for one in labels for other in labels if one != other]
    return tuple(pair for pair in pairs if pair.dominates)
