"""One framework over another where it is nowhere worse, row by row. A sum over rows would depend on how rows are scored."""

from __future__ import annotations

from collections.abc import Mapping

from trivet.decide.known import Filled, Known, Missing
from trivet.decide.tree import Rule
from trivet.model.decision import Effect, Reason
from trivet.model.evidence import Evidence

Profile = Mapping[str, Evidence]
"""Claim -> what one variant does there."""


def fill(rule: Rule, known: Known) -> Filled:
    """Return an advantage for each framework with a variant that dominates every variant of the other one.

    Args:
        rule: of kind "dominance"; its claim ends in "*".
        known: the evidence.
    """
    claims = known.claims(rule.claim.removesuffix("*"))
    profiles = {framework: _profiles(rule, known, claims, framework) for framework in known.frameworks}
    effects: list[Effect] = []
    for a, ours in profiles.items():
        for b, theirs in profiles.items():
            winner = next(
                (one for one in ours if all(_dominates(rule, one, other) for other in theirs)), None
            )
            if a != b and theirs and winner is not None:
                effects += _advantage(rule, known, winner, theirs)
    lacking = tuple(framework for framework, found in profiles.items() if not found)
    return Filled(
        effects=tuple(effects), missing=(Missing(claim=rule.claim, frameworks=lacking),) if lacking else ()
    )


def _profiles(rule: Rule, known: Known, claims: list[str], framework: str) -> list[Profile]:
    classes = {name for chain in rule.order for name in chain}
    variants: dict[str, dict[str, Evidence]] = {}
    for claim in claims:
        for piece in known.of(claim, framework):
            if piece.value in classes:
                variants.setdefault(piece.contestant, {})[claim] = piece
    return list(variants.values())


def _dominates(rule: Rule, ours: Profile, theirs: Profile) -> bool:
    rows = [_compare(rule, ours[claim], theirs[claim]) for claim in ours if claim in theirs]
    return len(rows) >= rule.rows and None not in rows and -1 not in rows and 1 in rows


def _compare(rule: Rule, ours: Evidence, theirs: Evidence) -> int | None:
    """Return 1 if we are better, -1 if they are, 0 if both are the same, None if there is no order between the two."""
    if ours.value == theirs.value:
        return 0
    for chain in rule.order:
        if ours.value in chain and theirs.value in chain:
            return 1 if chain.index(str(ours.value)) > chain.index(str(theirs.value)) else -1
    return None


def _advantage(rule: Rule, known: Known, ours: Profile, theirs: list[Profile]) -> list[Effect]:
    rows = [claim for claim in ours if all(claim in other for other in theirs)]
    better = [
        claim.rsplit(".", 1)[-1]
        for claim in rows
        if all(_compare(rule, ours[claim], other[claim]) == 1 for other in theirs)
    ]
    first, other = next(iter(ours.values())), next(iter(theirs[0].values()))
    text = (
        f"{known.who(first)} is nowhere worse than {known.title(other.framework)} over the mistakes that were planted in both"
        + (
            f", and better at {', '.join(better)}."
            if better
            else ", and better at one or more than each variant."
        )
    )
    pieces = [profile[claim] for profile in (ours, *theirs) for claim in profile if claim in ours]
    return [
        known.aged(
            Effect(
                framework=first.framework,
                over=other.framework,
                points=rule.gain,
                dimension=rule.dimension,
                role=role,
                reason=Reason(text=text),
            ),
            pieces,
        )
        for role in rule.roles
    ]
