"""Checks the tables of a tree's file, and notes what is wrong with its line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from trivet.catalog import check_table, nearest
from trivet.decide.lines import Place
from trivet.decide.problems import Problems
from trivet.errors import UsageError
from trivet.model.decision import DIMENSIONS, ROLES, Dimension, Role


def table(
    data: Any, kinds: Mapping[str, type], needed: set[str], place: Place, problems: Problems, *needles: str
) -> bool:
    """Say whether a table has the keys that it must have, and no others; note what is wrong with its line.

    Args:
        data: the table.
        kinds: each key that it may have, with the type of its value.
        needed: the keys that it must have.
        place: of the table.
        problems: noted there.
        needles: tell the line of a table that is written in one.
    """
    odd = ""
    if isinstance(data, dict) and not needles:
        odd = next((key for key in data if key not in kinds or not isinstance(data[key], kinds[key])), "")
    sought = needles or ((odd,) if odd else ())
    try:
        check_table(data, kinds, needed, problems.where(place, *sought))
    except UsageError as error:
        problems.note(error.message, place, *sought)
        return False
    return True


def number(value: Any) -> float | None:
    """Return a whole or broken number as such, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def read_points(value: Any, place: Place, needle: tuple[str, ...], problems: Problems) -> float:
    """Return points; note what is wrong."""
    found = number(value)
    if found is None:
        problems.add(f"points is {value!r}; expected a number.", place, *needle)
    return found or 0.0


def read_dimension(value: str, place: Place, needle: tuple[str, ...], problems: Problems) -> Dimension:
    """Return a dimension; note one that there is not."""
    if value not in DIMENSIONS:
        problems.add(
            f"unknown dimension {value!r}.{nearest(value, DIMENSIONS)} Known: {', '.join(DIMENSIONS)}.",
            place,
            *needle,
        )
    return cast("Dimension", value)


def read_roles(value: str, place: Place, needle: tuple[str, ...], problems: Problems) -> tuple[Role, ...]:
    """Return the parts of a portfolio that a role means; note one that there is not."""
    known = (*ROLES, "all")
    if value not in known:
        problems.add(
            f"unknown role {value!r}.{nearest(value, known)} Known: {', '.join(known)}.", place, *needle
        )
    return ROLES if value == "all" else (cast("Role", value),)


def needle_of(entry: Any, key: str) -> tuple[str, ...]:
    """Return what tells the line of an effect or a rule, which are mostly written one a line."""
    value = entry.get(key) if isinstance(entry, dict) else None
    return (value,) if isinstance(value, str) else ()
