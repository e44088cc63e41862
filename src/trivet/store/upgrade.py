"""Lifts runs of older formats to the current one while they are read; the files stay as they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from trivet.errors import StoreError
from trivet.store.header import FORMAT


@dataclasses.dataclass(frozen=True, kw_only=True)
class Raw:
    """A run as parsed JSON, before its types are checked.

    Attributes:
        header: the object in ``run.json``.
        events: one object per line of ``events.jsonl``.
        upgraded: True if the files have an older format.
    """

    header: dict[str, Any]
    events: list[dict[str, Any]]
    upgraded: bool = False


def _nothing_lost(raw: Raw) -> Raw:
    """Format 2 has further kinds of events, and further fields that have defaults."""
    return raw


UPGRADERS: dict[int, Callable[[Raw], Raw]] = {1: _nothing_lost}
"""Format -> what makes it the next one. ``UPGRADERS[2]`` will lift format 2 to format 3."""


def upgrade(raw: Raw, where: str) -> Raw:
    """Return a run in the current format.

    Args:
        raw: as it was written.
        where: the run, for the message.

    Raises:
        StoreError: the format is newer than this trivet knows, or none at all.
    """
    version = raw.header.get("format")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        message = f"{where} has the format {version!r}, expected a number from 1 to {FORMAT}."
        raise StoreError(message, "This is no run of trivet, or its run.json was edited.")
    if version > FORMAT:
        message = f"{where} has format {version}; this trivet reads formats up to {FORMAT}."
        raise StoreError(message, "It was written by a newer trivet: update this one.")
    for number in range(version, FORMAT):
        raw = UPGRADERS[number](raw)
    return dataclasses.replace(raw, header={**raw.header, "format": FORMAT}, upgraded=version < FORMAT)
