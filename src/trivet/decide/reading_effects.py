"""Reads the effects that a tree's file states outright."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from trivet import catalog
from trivet.catalog import nearest
from trivet.decide.lines import Place
from trivet.decide.problems import Problems
from trivet.decide.tables import needle_of, number, read_dimension, read_roles, table
from trivet.decide.tree import Advice
from trivet.model.decision import Question

_VERBS: tuple[Literal["for", "against", "out"], ...] = ("for", "against", "out")
_ADVICE_KINDS: Mapping[str, type] = {
    "for": object,
    "against": object,
    "out": object,
    "points": object,
    "dimension": str,
    "role": str,
    "reason": str,
}
_ANSWER = "{answer}"


def read_advice(
    entries: list[Any], question: Question | None, place: Place, problems: Problems
) -> tuple[Advice, ...]:
    """Return the effects that a branch states outright; note what is wrong.

    Args:
        entries: as TOML has them.
        question: of the node.
        place: of the branch.
        problems: noted there.
    """
    found = []
    for entry in entries:
        needle = needle_of(entry, "reason") or _verb(entry)
        if not table(entry, _ADVICE_KINDS, {"dimension", "reason"}, place, problems, *needle):
            continue
        verbs = [verb for verb in _VERBS if verb in entry]
        if len(verbs) != 1:
            problems.add(
                f"an effect has exactly one of for, against and out; this has {' and '.join(verbs) or 'none'}.",
                place,
                *needle,
            )
            continue
        points = number(entry.get("points"))
        if (verbs[0] == "out") != ("points" not in entry) or (
            verbs[0] != "out" and not (points and points > 0)
        ):
            problems.add(
                f"points is {entry.get('points')!r}; expected a number above 0, and none beside out.",
                place,
                *needle,
            )
            continue
        found.append(
            Advice(
                verb=verbs[0],
                frameworks=_frameworks(entry[verbs[0]], question, place, needle, problems),
                points=points or 0.0,
                dimension=read_dimension(entry["dimension"], place, needle, problems),
                roles=read_roles(entry.get("role", "build"), place, needle, problems),
                reason=entry["reason"],
            )
        )
    return tuple(found)


def _frameworks(
    value: Any, question: Question | None, place: Place, needle: tuple[str, ...], problems: Problems
) -> tuple[str, ...]:
    names = tuple(value) if isinstance(value, list) else (value,)
    known = [*catalog.frameworks()]
    if question is not None and question.options:
        known += [_ANSWER, f"not {_ANSWER}"]
    for name in names:
        if name not in known:
            problems.add(
                f"unknown framework {name!r}.{nearest(str(name), known)} Known: {', '.join(known)}.",
                place,
                *needle,
            )
    return names


def _verb(entry: Any) -> tuple[str, ...]:
    verbs = [verb for verb in _VERBS if isinstance(entry, dict) and verb in entry]
    return (f"{verbs[0]} =",) if verbs else ()
