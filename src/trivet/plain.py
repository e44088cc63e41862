"""Text that came from elsewhere, made harmless for a terminal: a stored message may hold sequences that move its cursor."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""All control characters but line break and tab, and those that turn the direction of writing."""

T = TypeVar("T")


def plain(text: str) -> str:
    r"""Return a text with its control characters spelt out.

    Example:
        >>> plain("\x1b[2J")
        '\\x1b[2J'
    """
    return _CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def all_plain(value: T) -> T:
    """Return a value with all texts in it plain, those in its dataclasses, tables and lists too."""
    return cast("T", _plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return plain(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {one.name: _plain(getattr(value, one.name)) for one in dataclasses.fields(value) if one.init}
        return dataclasses.replace(value, **fields)
    if isinstance(value, Mapping):
        return {_plain(key): _plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value
