"""Tables as files: those that come with trivet, and those of the user."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from trivet.errors import StoreError
from trivet.model.ease import Cell, EaseResult
from trivet.store import codec

SHIPPED = Path(__file__).parent / "results"
"""Dated tables for the pinned versions."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Changed:
    """A cell that is not what it was.

    Attributes:
        before: None if it is new.
        after: as it is now.
    """

    before: Cell | None
    after: Cell


def read(path: Path) -> EaseResult:
    """Return a stored table.

    Raises:
        StoreError: it cannot be read, or is damaged.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise StoreError(message, "Name a file that `trivet ease --format json` wrote.") from error
    return codec.decode_ease(codec.parse(text, str(path)), str(path))


def shipped(folder: Path = SHIPPED) -> EaseResult:
    """Return the newest table that comes with trivet.

    Raises:
        StoreError: there is none.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        message = f"No table of planted mistakes lies in {folder}."
        raise StoreError(message, "Install trivet again, or run `trivet ease`.")
    return read(files[-1])


def to_json(result: EaseResult) -> str:
    """Return a table as JSON."""
    return codec.encode(result, indent=1) + "\n"


def changes(before: EaseResult, after: EaseResult) -> tuple[Changed, ...]:
    """Return the cells whose outcome is not what it was; variants are compared without their versions.

    Args:
        before: such as the table that comes with trivet.
        after: such as one of newer versions.
    """
    known = {_unversioned(cell): cell for cell in before.cells}
    found = []
    for cell in after.cells:
        old = known.get(_unversioned(cell))
        if old is None or old.outcome != cell.outcome:
            found.append(Changed(before=old, after=cell))
    return tuple(found)


def _unversioned(cell: Cell) -> tuple[str, str, str]:
    mistake, variant, switch = cell.key
    return mistake, variant.partition("@")[0], switch
