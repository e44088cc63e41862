"""Reads the rules of a tree's file, by which evidence becomes effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_args

from trivet.catalog import nearest
from trivet.decide import claims
from trivet.decide.lines import Place
from trivet.decide.problems import Problems
from trivet.decide.rules.bands import MARGIN
from trivet.decide.tables import needle_of, number, read_dimension, read_points, read_roles, table
from trivet.decide.tree import EACH, Rule, RuleKind
from trivet.model.decision import Question

_RULE_KINDS: Mapping[str, type] = {
    "rule": str,
    "claim": str,
    "points": object,
    "out": list,
    "bands": list,
    "order": list,
    "rows": int,
    "dimension": str,
    "role": str,
}
_NEEDED: Mapping[RuleKind, set[str]] = {
    "value": {"claim"},
    "less": {"claim", "bands"},
    "speed": {"bands"},
    "training": {"bands"},
    "dominance": {"claim", "order", "points"},
}
"""What each kind of rule must have, besides the kind."""

_ANSWER = "{answer}"


def read_rules(
    entries: list[Any], question: Question | None, answer: str, place: Place, problems: Problems
) -> tuple[Rule, ...]:
    """Return the rules of a branch; note what is wrong.

    Args:
        entries: as TOML has them.
        question: of the node.
        answer: of the branch.
        place: of the branch.
        problems: noted there.
    """
    found = [_rule(entry, question, answer, place, problems) for entry in entries]
    return tuple(rule for rule in found if rule is not None)


def _rule(
    entry: Any, question: Question | None, answer: str, place: Place, problems: Problems
) -> Rule | None:
    needle = needle_of(entry, "claim") or needle_of(entry, "rule")
    if not table(entry, _RULE_KINDS, {"rule"}, place, problems, *needle):
        return None
    kind = cast("RuleKind", entry["rule"])
    kinds = get_args(RuleKind)
    if kind not in kinds:
        problems.add(
            f"unknown rule {kind!r}.{nearest(kind, kinds)} Known: {', '.join(kinds)}.", place, *needle
        )
        return None
    lacking = sorted(_NEEDED[kind] - set(entry))
    if lacking:
        problems.add(f"a rule of kind {kind} needs the key {lacking[0]!r}.", place, *needle)
        return None
    is_length = question is not None and question.kind == "number" and answer == EACH
    if (kind == "training") != is_length:
        problems.add(
            'rules of kind training, and they alone, belong to the branch "*" of a question for a number.',
            place,
            *needle,
        )
    claim = entry.get("claim", "performance.throughput")
    _check_claim(claim, question, answer, place, needle, problems)
    points = entry.get("points", 0)
    values = points if isinstance(points, dict) else {}
    for value in (*values, *entry.get("out", [])):
        allowed = claims.values(claim)
        if allowed and value not in allowed:
            problems.add(
                f"evidence of {claim} never has the value {value!r}.{nearest(value, allowed)} "
                f"It can have: {', '.join(allowed)}.",
                place,
                *needle,
            )
    return Rule(
        kind=kind,
        claim=claim,
        points={value: read_points(one, place, needle, problems) for value, one in values.items()},
        out=tuple(entry.get("out", [])),
        bands=_bands(entry.get("bands", []), place, needle, problems),
        order=_chains(entry.get("order", []), place, needle, problems),
        rows=entry.get("rows", 1),
        gain=0.0 if isinstance(points, dict) else read_points(points, place, needle, problems),
        dimension=read_dimension(entry.get("dimension", claim.split(".")[0]), place, needle, problems),
        roles=read_roles(entry.get("role", "build"), place, needle, problems),
    )


def _check_claim(
    claim: str,
    question: Question | None,
    answer: str,
    place: Place,
    needle: tuple[str, ...],
    problems: Problems,
) -> None:
    if _ANSWER not in claim:
        meant = [claim]
    elif question is not None and question.options:
        meant = [
            claim.replace(_ANSWER, option) for option in (question.options if answer == EACH else (answer,))
        ]
    elif question is not None and question.kind == "names":
        meant = [claim.replace(_ANSWER, "*" if answer == EACH else answer)]
    else:
        problems.add(f"{claim}: the node's question has no options or names for {_ANSWER}.", place, *needle)
        return
    for one in meant:
        if problem := claims.problem(one):
            problems.add(problem, place, *needle)


def _bands(
    entries: list[Any], place: Place, needle: tuple[str, ...], problems: Problems
) -> tuple[tuple[float, float], ...]:
    """Return bands, checked: rising, none within the margin."""
    found: list[tuple[float, float]] = []
    for entry in entries:
        if not table(
            entry, {"beyond": object, "points": object}, {"beyond", "points"}, place, problems, *needle
        ):
            continue
        beyond = number(entry["beyond"])
        points = read_points(entry["points"], place, needle, problems)
        if beyond is None or beyond < MARGIN:
            problems.add(
                f"beyond is {entry['beyond']!r}; expected a ratio from {MARGIN:g} up, as less is no practical difference.",
                place,
                *needle,
            )
        elif found and (beyond <= found[-1][0] or points < found[-1][1]):
            problems.add("bands must rise: larger ratios, and no fewer points.", place, *needle)
        else:
            found.append((beyond, points))
    return tuple(found)


def _chains(
    entries: list[Any], place: Place, needle: tuple[str, ...], problems: Problems
) -> tuple[tuple[str, ...], ...]:
    for entry in entries:
        if not isinstance(entry, list) or not all(isinstance(name, str) for name in entry) or len(entry) < 2:
            problems.add(
                f"order holds {entry!r}; expected lists of two classes or more, worst to best.",
                place,
                *needle,
            )
            return ()
    return tuple(tuple(entry) for entry in entries)
