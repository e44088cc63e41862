"""Which evidence can exist, so that a tree that asks for other evidence is told so."""

from __future__ import annotations

from functools import cache

from trivet.catalog import nearest
from trivet.ecosystem.cited import facts

_NUMBERS = (
    "performance.throughput",
    "performance.startup_cold",
    "performance.startup_warm",
    "performance.memory",
    "performance.power",
    "ease.code.lines",
    "ease.code.symbols",
    "ease.code.concepts",
    "ease.first_step.cold",
    "ease.first_step.warm",
    "ease.switch_price",
    "ecosystem.upkeep.age",
    "ecosystem.upkeep.cadence",
)
_WORDS = ("ecosystem.upkeep.release", "ecosystem.upkeep.wheels.python", "ecosystem.upkeep.wheels.systems")
_FAMILIES = ("ecosystem.needs.", "ease.mistakes.", "ease.switch.")
"""Beginnings of claims that may end in any name."""

VALUES = {
    "ecosystem.targets.": ("native", "by conversion", "none"),
    "ecosystem.abilities.": ("native", "experimental", "by library", "none"),
    "ecosystem.needs.": ("needed", "by extra", "free", "other"),
}
"""Beginning of a claim -> the values that its evidence can have, where they are few."""


def problem(claim: str) -> str:
    """Return why there can be no evidence of a claim, as the rest of a sentence with a hint; "" if there can be.

    Args:
        claim: in full, or with "*" at its end for every claim that begins so.
    """
    known = _known()
    if claim.endswith("*"):
        stem = claim[:-1]
        if stem in _FAMILIES or any(one.startswith(stem) for one in known if stem):
            return ""
    elif claim in known or any(claim.startswith(stem) and claim != stem for stem in _FAMILIES):
        return ""
    return f"unknown evidence {claim!r}.{nearest(claim, [*known, *(f'{stem}*' for stem in _FAMILIES)])}"


def values(claim: str) -> tuple[str, ...]:
    """Return the values that evidence of a claim can have; () if they are not counted."""
    return next((found for stem, found in VALUES.items() if claim.startswith(stem)), ())


@cache
def _known() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*_NUMBERS, *_WORDS, *(fact.claim for fact in facts()))))
