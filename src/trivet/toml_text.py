"""Writes TOML, which the standard library only reads: what answers and decision records hold."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

Value = bool | int | float | str | Sequence[str]


def table(entries: Mapping[str, Value]) -> str:
    """Return a table's lines, each with its end.

    Example:
        >>> print(table({"targets": ("phone", "browser"), "training_hours": 3.0}), end="")
        targets = ["phone", "browser"]
        training_hours = 3.0
    """
    return "".join(f"{_key(name)} = {value(entry)}\n" for name, entry in entries.items())


def value(entry: Value) -> str:
    """Return a value as TOML; numbers must be finite.

    Example:
        >>> value(("phone", "browser"))
        '["phone", "browser"]'
    """
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, int | float):
        assert math.isfinite(entry)
        return repr(entry)
    if isinstance(entry, str):
        # A JSON string is a TOML string, but for the one character that JSON may leave as it is.
        return json.dumps(entry, ensure_ascii=False).replace("\x7f", "\\u007F")
    return f"[{', '.join(value(part) for part in entry)}]"


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else value(name)
