"""Turns what the index says into evidence."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from trivet.ecosystem.need import Need
from trivet.ecosystem.releases import Upkeep
from trivet.model.evidence import Evidence

KEPT_DAYS = 30
"""How long an answer of the index counts in full."""

NEEDED = "needed"
EXTRA = "by extra"
FREE = "free"
OTHER = "other"
"""Values of a need, for one framework: always brought along; by an extra, where none always comes; the library runs on
several; it brings another framework, and this one never or only beside that."""


def of_needs(needs: Iterable[Need], titles: Mapping[str, str]) -> list[Evidence]:
    """Return one piece of evidence for each need and framework, "ecosystem.needs.<name>".

    The value is None where the index has not spoken, offers nothing that could be installed, or where the library declares
    no framework: that does not tell on which it runs.

    Args:
        needs: what was asked.
        titles: framework -> its name for people, for each framework that is in question.
    """
    return [_of_need(need, framework, titles) for need in needs for framework in titles]


def of_upkeep(upkeep: Upkeep, title: str) -> list[Evidence]:
    """Return the evidence of a framework's releases: age, cadence, Pythons and systems with wheels."""
    source = f"the package index: {upkeep.framework}, asked {upkeep.asked or 'in vain'}"
    age = upkeep.age_days(upkeep.asked) if upkeep.asked else None
    gap = upkeep.days_between
    rows: list[tuple[str, float | str | None, str, int | None, str]] = [
        (
            "release",
            upkeep.version or None,
            "",
            None,
            f"The newest release of {title} is {upkeep.version or 'not known'}.",
        ),
        (
            "age",
            age,
            "days",
            None,
            f"It came out {age} days ago."
            if age is not None
            else f"How old {title}'s newest release is, the index does not tell.",
        ),
        (
            "cadence",
            gap,
            "days",
            len(upkeep.releases) or None,
            f"Between {title}'s last releases lie {gap:g} days (median)."
            if gap is not None
            else f"How often {title} is released, the index does not tell.",
        ),
        (
            "wheels.python",
            ", ".join(upkeep.pythons) or None,
            "",
            len(upkeep.pythons) or None,
            f"{title}'s newest release has wheels for Python {', '.join(upkeep.pythons) or '(not known)'}.",
        ),
        (
            "wheels.systems",
            ", ".join(upkeep.systems) or None,
            "",
            len(upkeep.systems) or None,
            f"{title}'s newest release has wheels for {', '.join(upkeep.systems) or '(not known)'}.",
        ),
    ]
    return [
        Evidence(
            claim=f"ecosystem.upkeep.{claim}",
            framework=upkeep.framework,
            value=value,
            unit=unit,
            n=n,
            source=source,
            dated=upkeep.asked,
            strength="asked",
            expires=_expiry(upkeep.asked),
            text=text,
        )
        for claim, value, unit, n, text in rows
    ]


def sentence(need: Need, titles: Mapping[str, str]) -> str:
    """Return in one sentence what the index says of a need."""
    version = f"{need.name} {need.version}".strip()
    if need.state != "answered":
        return f"{need.name}: {need.state}. {need.problem}".strip()
    parts = []
    if need.itself:
        parts.append(f"is a package of {titles.get(need.itself, need.itself)} itself")
    if along := [framework for framework in need.always if framework != need.itself]:
        parts.append(f"brings {_titles(along, titles)} along")
    if need.by_extra:
        parts.append(f"brings {_titles(need.by_extra, titles)} by an extra only")
    if need.beside and need.always:
        parts.append(f"brings {_titles(need.beside, titles)} by an extra, beside it")
    if need.name in need.companions:
        parts.append("runs on several frameworks and brings none along: which one is the user's choice")
    if others := [name for name in need.companions if name != need.name]:
        verb = "runs" if len(others) == 1 else "run"
        parts.append(f"needs {', '.join(others)}, which {verb} on several frameworks")
    if need.undeclared:
        for_itself = f", save {_titles(need.beside, titles)} for work on itself" if need.beside else ""
        parts.append(f"declares no framework{for_itself}; that does not tell on which it runs")
    if not parts:
        parts.append("brings no framework along by itself; what its extras bring is not known")
    renamed = f" Its authors have renamed it to {need.renamed_to}." if need.renamed_to else ""
    return f"{version} {'; '.join(parts)}.{renamed}"


def _of_need(need: Need, framework: str, titles: Mapping[str, str]) -> Evidence:
    return Evidence(
        claim=f"ecosystem.needs.{need.name}",
        framework=framework,
        value=_value(need, framework),
        source=f"the package index: {need.name} {need.version}".strip(),
        dated=need.asked,
        strength="asked",
        expires=_expiry(need.asked),
        text=sentence(need, titles),
    )


def _value(need: Need, framework: str) -> str | None:
    if need.state != "answered":
        return None
    if framework in need.always:
        return NEEDED
    if framework in need.by_extra:
        return EXTRA
    if need.always:
        direct = any(not way.extra and not way.through for way in need.ways)
        return FREE if need.companions and not direct else OTHER
    if need.untold or need.undeclared:
        return None  # an extra that nobody could look into may bring it, or nothing tells on which the library runs
    return OTHER if need.by_extra else FREE


def _expiry(asked: str) -> str | None:
    if not asked:
        return None
    return (dt.date.fromisoformat(asked) + dt.timedelta(days=KEPT_DAYS)).isoformat()


def _titles(frameworks: Iterable[str], titles: Mapping[str, str]) -> str:
    return " and ".join(titles.get(framework, framework) for framework in frameworks)
