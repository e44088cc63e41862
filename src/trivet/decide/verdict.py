"""The recommendation in a few sentences: the choice, what eliminated others, what speaks for it, and what against."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

from trivet.decide import words
from trivet.decide.known import Known
from trivet.decide.tree import Tree
from trivet.decide.walk import PORTFOLIO
from trivet.model.decision import ROLES, Effect, Outcome, Reason

_FOR, _AGAINST = 3, 2
"""How many reasons are named."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Case:
    """All that sentences are made from.

    Attributes:
        tree: as its author wrote it.
        outcome: where the answers lead.
        weights: dimension -> factor on the path.
        known: the evidence.
    """

    tree: Tree
    outcome: Outcome
    weights: Mapping[str, float]
    known: Known

    @property
    def effects(self) -> list[Effect]:
        """Return the effects of all branches that were taken."""
        return [effect for step in self.outcome.path for effect in step.effects]

    @property
    def ruling_out(self) -> list[Effect]:
        """Return the effects that rule frameworks out."""
        return [effect for effects in self.outcome.out.values() for effect in effects]

    @property
    def leaf(self) -> str:
        """Return how the leaf chooses."""
        return self.tree.leaves[self.outcome.leaf].choose

    def gains(self, a: str, b: str) -> list[tuple[float, Effect]]:
        """Return what puts a ahead of b, in points that count, the most first."""
        found = []
        for effect in self.effects:
            points = effect.points * self.weights[effect.dimension]
            if effect.framework == a and effect.over in ("", b) and points > 0:
                found.append((points, effect))
            if effect.framework == b and effect.over in ("", a) and points < 0:
                found.append((-points, effect))
        return sorted(found, key=lambda one: -one[0])


def runner_up(case: Case) -> tuple[str, float | None]:
    """Return the framework that comes closest to the choice, and the points between them; "" and None without one."""
    choice = case.outcome.choice
    leads = {b: lead for (a, b), lead in case.outcome.leads.items() if a == choice}
    if not choice or not leads:
        return "", None
    closest = min(leads, key=lambda b: leads[b])
    return closest, leads[closest]


def verdict(case: Case) -> tuple[Reason, ...]:
    """Return the sentences, the most important first."""
    return (_first(case), *_constraints(case), *_reasons(case))


def conflicts(case: Case) -> tuple[Reason, ...]:
    """Return the answers or constraints that pull apart or cannot all hold."""
    outcome = case.outcome
    if len(outcome.out) == len(case.known.frameworks):
        parts = [
            f"{case.known.title(framework)} is ruled out by {words.listed(_questions(case, effects))}"
            for framework, effects in outcome.out.items()
        ]
        return (_reason(f"The constraints cannot all hold: {'; '.join(parts)}.", case.ruling_out),)
    if outcome.choice:
        return ()
    found = []
    for framework in outcome.open:
        voices = [
            effect
            for effect in case.effects
            if effect.framework == framework and effect.points > 0 and effect.over in ("", *outcome.open)
        ]
        if voices:
            said = " ".join(dict.fromkeys(effect.reason.text for effect in voices))
            found.append(_reason(f"For {case.known.title(framework)} speaks: {said}", voices))
    return tuple(found) if len(found) > 1 else ()


def portfolio(case: Case) -> tuple[Reason, ...]:
    """Return why each part of the work has its framework, and what is known of the switch; () without a portfolio."""
    found = []
    chosen = case.outcome.portfolio
    for role in ROLES:
        framework = chosen.get(role, "")
        if not framework:
            continue
        own = [
            effect
            for effect in case.effects
            if effect.role == role and effect.framework == framework and effect.points > 0
        ]
        own = own or [effect for effect in case.effects if effect.role == role and effect.out]
        own.sort(key=lambda effect: -effect.points * case.weights[effect.dimension])
        said = " ".join(dict.fromkeys(effect.reason.text for effect in own[:_FOR]))
        found.append(_reason(f"{case.known.title(framework)} {words.ROLES[role]}: {said}", own[:_FOR]))
    switches = list(dict.fromkeys(framework for framework in chosen.values() if framework))
    if len(switches) > 1:
        found.append(
            Reason(
                text=f"What moving a model between {words.titles(case.known, switches)} costs has not been measured: "
                "convert one and compare its outputs before you rely on it.",
                answers=(PORTFOLIO,),
            )
        )
    return tuple(found)


def _first(case: Case) -> Reason:
    outcome, known = case.outcome, case.known
    asked = [case.tree.nodes[step.node].question for step in outcome.path]
    if not outcome.choice:
        if not outcome.open:
            text = "No framework is left: every one breaks a constraint."
        elif case.leaf == "voices":
            spoken = [f for f in outcome.open if any(e.framework == f and e.points > 0 for e in case.effects)]
            text = (
                f"Undecided: the conditions speak for {words.titles(known, spoken)}."
                if spoken
                else "Undecided: none of the conditions holds, as far as is known."
            )
        else:
            none = "neither" if len(outcome.open) == 2 else "none"
            text = (
                f"Undecided between {words.titles(known, outcome.open)}: {none} of them leads by "
                f"{words.points(case.tree.margin)}."
            )
        telling = case.effects if outcome.open else case.ruling_out
        return _reason(text, telling, asked if outcome.open else ())
    title = known.title(outcome.choice)
    second, margin = runner_up(case)
    if case.leaf == "voices":
        text = f"{title}: of the conditions that hold, all speak for it."
    elif case.leaf != "leader":
        text = f"{title}: {case.tree.leaves[outcome.leaf].text}"
    elif not second or margin is None:
        # What it rests on is why the others are out, not what speaks for it.
        return _reason(f"{title}: it is the only one that breaks no constraint.", case.ruling_out)
    else:
        text = (
            f"{title}: it leads {known.title(second)}, the runner-up, by {words.points(margin)}; "
            f"{words.points(case.tree.margin)} would do."
        )
    return _reason(
        text, [effect for effect in case.effects if outcome.choice in (effect.framework, effect.over)], asked
    )


def _constraints(case: Case) -> Iterator[Reason]:
    for effects in case.outcome.out.values():
        yield from (effect.reason for effect in effects)


def _reasons(case: Case) -> Iterator[Reason]:
    """Give what speaks most for the choice, and for the runner-up against it."""
    choice = case.outcome.choice
    second, _ = runner_up(case)
    if not choice:
        yield from _behind(case)
        return
    if case.leaf == "voices" or not second:
        own = [
            effect
            for effect in case.effects
            if effect.framework == choice and effect.points > 0 and effect.over not in case.outcome.out
        ]
        yield from dict.fromkeys(effect.reason for effect in own)
        return
    for gain, effect in case.gains(choice, second)[:_FOR]:
        yield _counted(case, gain, effect)
    for gain, effect in case.gains(second, choice)[:_AGAINST]:
        yield _counted(case, gain, effect)


def _behind(case: Case) -> Iterator[Reason]:
    """Give, where several are open, what puts the others behind one of them."""
    outcome = case.outcome
    for framework in dict.fromkeys(b for _, b in outcome.leads if b not in outcome.open):
        ahead = max(outcome.open, key=lambda a: outcome.leads[a, framework])
        lead = words.points(outcome.leads[ahead, framework])
        gains = [effect for _, effect in case.gains(ahead, framework)[:_AGAINST]]
        said = " ".join(effect.reason.text for effect in gains)
        yield _reason(
            f"{case.known.title(framework)} is {lead} behind {case.known.title(ahead)}: {said}", gains
        )


def _counted(case: Case, gain: float, effect: Effect) -> Reason:
    """Return what speaks for or against the framework that its sentence is about."""
    whose = f"{'For' if effect.points > 0 else 'Against'} {case.known.title(effect.framework)}"
    text = f"{whose}, {words.points(gain)} of {effect.dimension}: {effect.reason.text}"
    return dataclasses.replace(effect.reason, text=text)


def _questions(case: Case, effects: Sequence[Effect]) -> list[str]:
    """Return the questions whose answers led to effects, in quotation marks."""
    names = dict.fromkeys(name for effect in effects for name in effect.reason.answers)
    return [f"“{case.tree.questions[name].text}”" for name in names] or ["the evidence"]


def _reason(text: str, effects: Iterable[Effect], answers: Sequence[str] = ()) -> Reason:
    """Return a sentence that rests on all that effects rest on."""
    reasons = [effect.reason for effect in effects]
    return Reason(
        text=text,
        evidence=tuple(dict.fromkeys(key for reason in reasons for key in reason.evidence)),
        answers=tuple(
            dict.fromkeys(
                name for name in (*(a for reason in reasons for a in reason.answers), *answers) if name
            )
        ),
        citation=next((reason.citation for reason in reasons if reason.citation), ""),
    )
