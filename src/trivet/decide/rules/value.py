"""Each framework by the word that its evidence says: points, or out."""

from __future__ import annotations

from trivet.decide.known import Filled, Known, missing
from trivet.decide.tree import Rule
from trivet.model.decision import Effect, Reason
from trivet.model.evidence import Evidence


def fill(rule: Rule, answer: str, known: Known) -> Filled:
    """Return the effects of a claim's values. What is not known has none.

    Args:
        rule: of kind "value".
        answer: that stands for "{answer}" in the claim.
        known: the evidence.
    """
    claim = rule.claim.replace("{answer}", answer)
    found = [
        effect for framework in known.frameworks for effect in _of(rule, known, known.of(claim, framework))
    ]
    return Filled(effects=tuple(found), missing=missing(known, [claim]))


def word(value: float | str | bool | None) -> str:
    """Return a value as trees write it: "yes" and "no" for true and false."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, int | float) else str(value)


_SAID = {
    "by conversion": "by conversion only",
    "other": "another framework's library",
    "none": "not at all",
}
"""Value -> why it is out, where the evidence's own sentence may not say that it is too little."""


def _why(piece: Evidence) -> str:
    said = _SAID.get(word(piece.value))
    return f" ({said})" if said else ""


def _of(rule: Rule, known: Known, pieces: list[Evidence]) -> list[Effect]:
    """Return the effects on one framework, of its best piece where variants differ."""
    allowed = [piece for piece in pieces if word(piece.value) not in rule.out]
    counted = [piece for piece in allowed if word(piece.value) in rule.points]
    if pieces and not allowed:
        best, out, points = pieces[0], True, 0.0
    elif counted:
        best = max(counted, key=lambda piece: rule.points[word(piece.value)])
        out, points = False, rule.points[word(best.value)]
    else:
        return []
    text = f"{known.title(best.framework)} is out{_why(best)}: {best.text}" if out else best.text
    return [
        known.aged(
            Effect(
                framework=best.framework,
                points=points,
                out=out,
                dimension=rule.dimension,
                role=role,
                reason=Reason(text=text),
            ),
            [best],
        )
        for role in rule.roles
    ]
