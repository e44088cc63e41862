"""One framework over another by the ratio of two numbers, the smaller the better."""

from __future__ import annotations

from trivet.decide.known import Filled, Known, missing
from trivet.decide.rules.bands import band, reached
from trivet.decide.tree import Rule
from trivet.model.decision import Effect, Reason
from trivet.model.evidence import Evidence


def fill(rule: Rule, answer: str, known: Known) -> Filled:
    """Return an advantage for each framework whose best variant needs less than the other one's best.

    The ratio is computed from the ends of the intervals that make it smallest.

    Args:
        rule: of kind "less".
        answer: that stands for "{answer}" in the claim.
        known: the evidence.
    """
    claim = rule.claim.replace("{answer}", answer)
    effects: list[Effect] = []
    for a in known.frameworks:
        for b in known.frameworks:
            ours, theirs = _numbers(known, claim, a), _numbers(known, claim, b)
            if a != b and ours and theirs:
                effects += _advantage(rule, known, min(ours, key=_most), min(theirs, key=_least))
    return Filled(effects=tuple(effects), missing=missing(known, [claim]))


def _advantage(rule: Rule, known: Known, ours: Evidence, theirs: Evidence) -> list[Effect]:
    count = band(rule.bands, _least(theirs) / _most(ours))
    if count == 0:
        return []
    ratio, points = reached(rule, count)
    text = (
        f"{known.title(theirs.framework)} needs more than {ratio} times as {_what(ours)} as {known.title(ours.framework)}: "
        f"{ours.text} {theirs.text}"
    )
    return [
        known.aged(
            Effect(
                framework=ours.framework,
                over=theirs.framework,
                points=points,
                dimension=rule.dimension,
                role=role,
                reason=Reason(text=text),
            ),
            [ours, theirs],
        )
        for role in rule.roles
    ]


_WHAT = {
    "performance.memory": "much memory",
    "ease.code.lines": "many lines of code",
    "ease.first_step.cold": "many seconds to the first step, caches empty,",
    "ease.first_step.warm": "many seconds from an edit to the first step",
}
"""Claim -> what is needed less of."""


def _what(piece: Evidence) -> str:
    return (
        _WHAT.get(piece.claim)
        or f"much ({piece.claim.split('.', 1)[-1].replace('_', ' ').replace('.', ' ')})"
    )


def _numbers(known: Known, claim: str, framework: str) -> list[Evidence]:
    return [
        piece
        for piece in known.of(claim, framework)
        if isinstance(piece.value, int | float) and not isinstance(piece.value, bool) and _most(piece) > 0
    ]


def _least(piece: Evidence) -> float:
    return float(piece.low if piece.low is not None else piece.value or 0.0)


def _most(piece: Evidence) -> float:
    return float(piece.high if piece.high is not None else piece.value or 0.0)
