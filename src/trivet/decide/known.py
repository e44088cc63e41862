"""The evidence at hand, looked up by claim and framework, with its age taken into account."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from trivet.model.decision import Effect, Reason
from trivet.model.evidence import Evidence

STALE_SHARE = 0.5
"""What the points of stale evidence still count."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Known:
    """Evidence of the frameworks in question.

    Attributes:
        evidence: all there is, in its order.
        frameworks: in question.
        titles: framework -> its name for people.
        today: ISO date.
    """

    evidence: tuple[Evidence, ...]
    frameworks: tuple[str, ...]
    titles: Mapping[str, str]
    today: str
    _by_claim: dict[str, list[Evidence]] = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_claim: dict[str, list[Evidence]] = {}
        for piece in self.evidence:
            by_claim.setdefault(piece.claim, []).append(piece)
        object.__setattr__(self, "_by_claim", by_claim)

    def claims(self, prefix: str) -> list[str]:
        """Return every claim that begins so, each once, in the order of the evidence."""
        return [claim for claim in self._by_claim if claim.startswith(prefix)]

    def all(self, claim: str) -> list[Evidence]:
        """Return all evidence of a claim whose value is known, frameworks that are not in question included."""
        return [piece for piece in self._by_claim.get(claim, ()) if piece.value is not None]

    def unknown(self, claim: str) -> list[Evidence]:
        """Return the evidence of a claim that was asked for in vain."""
        return [piece for piece in self._by_claim.get(claim, ()) if piece.value is None]

    def of(self, claim: str, framework: str) -> list[Evidence]:
        """Return the evidence of a claim about a framework whose value is known."""
        return [piece for piece in self.all(claim) if piece.framework == framework]

    def title(self, framework: str) -> str:
        """Return a framework's name for people."""
        return self.titles.get(framework, framework)

    def who(self, piece: Evidence) -> str:
        """Return whose evidence it is, such as "JAX (jax:jit)"."""
        title = self.title(piece.framework)
        return f"{title} ({piece.contestant})" if piece.contestant else title

    def lacking(self, claim: str) -> tuple[str, ...]:
        """Return the frameworks of which a claim is not known."""
        return tuple(framework for framework in self.frameworks if not self.of(claim, framework))

    def aged(self, effect: Effect, pieces: Iterable[Evidence]) -> Effect:
        """Return an effect with the evidence that it rests on; stale evidence halves its points, and is said to be stale."""
        rests_on = tuple(pieces)
        since = min((piece.expires or "" for piece in rests_on if piece.is_stale(self.today)), default="")
        text = effect.reason.text
        points = effect.points
        if since:
            counts = "check it before you rely on it" if effect.out else "it counts half"
            text = f"{text} (Stale since {since}: {counts}.)"
            points *= STALE_SHARE
        keys = tuple(dict.fromkeys(piece.key for piece in rests_on))
        return dataclasses.replace(effect, points=points, reason=Reason(text=text, evidence=keys))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Missing:
    """Evidence that a rule looked for in vain.

    Attributes:
        claim: what.
        frameworks: of which.
    """

    claim: str
    frameworks: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Filled:
    """What evidence makes of a rule.

    Attributes:
        effects: on frameworks.
        missing: what it lacks.
    """

    effects: tuple[Effect, ...] = ()
    missing: tuple[Missing, ...] = ()


def missing(known: Known, claims: Sequence[str]) -> tuple[Missing, ...]:
    """Return what is lacking of some claims."""
    found = [Missing(claim=claim, frameworks=known.lacking(claim)) for claim in claims]
    return tuple(one for one in found if one.frameworks)
