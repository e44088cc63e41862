"""Walks a ready tree by a set of answers. The page does the same in JavaScript, so it is kept plain."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from trivet.model.decision import DIMENSIONS, ROLES, Answer, Branch, Effect, Node, Outcome, ReadyTree, Step

PORTFOLIO = "several_frameworks"
"""The question whose yes allows a framework for each part of the work."""

_SLACK = 1e-9
"""Sums of points are compared give or take this, so that 0.1 + 0.2 is no less than 0.3."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Settled:
    choice: str
    open: tuple[str, ...]
    out: dict[str, tuple[Effect, ...]]
    leads: dict[tuple[str, str], float]


def walk(ready: ReadyTree, answers: Mapping[str, Answer]) -> Outcome:
    """Return where answers lead.

    Args:
        ready: a tree with its evidence.
        answers: question -> answer; one left out is not known.
    """
    steps: list[Step] = []
    taken: list[Branch] = []
    place = ready.start
    while place in ready.nodes:
        node = ready.nodes[place]
        answer = answers.get(node.question)
        branches = branches_taken(node, answer)
        effects = tuple(effect for branch in branches for effect in branch.effects)
        steps.append(Step(node=node.id, text=node.text, answer=_said(node, answer), effects=effects))
        taken += branches
        place = branches[0].next
    leaf = ready.leaves[place]
    weights = _weights(taken)
    every = [effect for step in steps for effect in step.effects]
    settled = _settle(ready, leaf.choose, every, weights)
    asked = answers.get(PORTFOLIO) is True
    return Outcome(
        choice=settled.choice,
        open=settled.open,
        out=settled.out,
        leads=settled.leads,
        path=tuple(steps),
        leaf=leaf.id,
        portfolio=_portfolio(ready, leaf.choose, every, weights) if asked else {},
    )


def weights_of(ready: ReadyTree, answers: Mapping[str, Answer]) -> dict[str, float]:
    """Return dimension -> what its points are multiplied by on the path that answers take."""
    taken: list[Branch] = []
    place = ready.start
    while place in ready.nodes:
        node = ready.nodes[place]
        branches = branches_taken(node, answers.get(node.question))
        taken += branches
        place = branches[0].next
    return _weights(taken)


def _weights(taken: Sequence[Branch]) -> dict[str, float]:
    weights: dict[str, float] = dict.fromkeys(DIMENSIONS, 1.0)
    for branch in taken:
        for dimension, factor in branch.weights.items():
            weights[dimension] *= factor
    return weights


def branches_taken(node: Node, answer: Answer | None) -> list[Branch]:
    """Return the branches of a node that an answer takes, each once: one, or several where several are given.

    An answer without a branch of its own takes the one of "don't know"; so does an empty answer.
    """
    unknown = next(branch for branch in node.branches if branch.answer == "" and branch.above is None)
    if node.question == "" or answer is None or answer == ():
        return [unknown]
    if isinstance(answer, bool):
        wanted: tuple[str, ...] = ("yes",) if answer else ("no",)
    elif isinstance(answer, str):
        wanted = (answer,)
    elif isinstance(answer, tuple):
        wanted = answer
    else:
        below = [branch for branch in node.branches if branch.above is not None and branch.above <= answer]
        return [max(below, key=lambda branch: branch.above or 0.0)] if below else [unknown]
    taken: list[Branch] = []
    for name in wanted:
        own = next(
            (branch for branch in node.branches if branch.answer == name and branch.above is None), unknown
        )
        if own not in taken:
            taken.append(own)
    return taken


def _said(node: Node, answer: Answer | None) -> str:
    if node.question == "":
        return ""
    if answer is None or answer == ():
        return "don't know"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, str):
        return answer
    if isinstance(answer, tuple):
        return ", ".join(answer)
    return f"{answer:g}"


def _settle(
    ready: ReadyTree, choose: str, effects: Sequence[Effect], weights: Mapping[str, float]
) -> _Settled:
    """Return who is chosen by a leaf, on some of the effects."""
    out = {}
    for framework in ready.frameworks:
        reasons = [effect for effect in effects if effect.out and effect.framework == framework]
        if reasons:
            # A constraint on all parts of the work is one constraint, though each part has its effect.
            out[framework] = tuple(
                effect
                for place, effect in enumerate(reasons)
                if effect.reason not in [other.reason for other in reasons[:place]]
            )
    left = tuple(framework for framework in ready.frameworks if framework not in out)
    leads = {(a, b): _lead(a, b, effects, weights) for a in left for b in left if a != b}
    if choose == "leader":
        open_ = tuple(
            a for a in left if not any(leads[b, a] + _SLACK >= ready.margin for b in left if b != a)
        )
        leader = next(
            (a for a in left if all(leads[a, b] + _SLACK >= ready.margin for b in left if b != a)), ""
        )
        if leader == "" and len(open_) < 2:
            open_ = left  # They beat each other in a ring.
    elif choose == "voices":
        spoken = tuple(a for a in left if _points(a, effects, weights) > _SLACK)
        leader = spoken[0] if len(spoken) == 1 else ""
        open_ = spoken or left
    elif choose in left:
        leader, open_ = choose, (choose,)
    else:
        leader, open_ = "", left
    return _Settled(choice=leader, open=open_, out=out, leads=leads)


def _portfolio(
    ready: ReadyTree, choose: str, effects: Sequence[Effect], weights: Mapping[str, float]
) -> dict[str, str]:
    """Return role -> framework, each settled by its own effects alone; {} if that names no two frameworks."""
    rule = "voices" if choose == "voices" else "leader"
    found: dict[str, str] = {}
    for role in ROLES:
        own = [effect for effect in effects if effect.role == role]
        found[role] = _settle(ready, rule, own, weights).choice if own else ""
    names = {framework for framework in found.values() if framework}
    return found if len(names) > 1 else {}


def _points(framework: str, effects: Sequence[Effect], weights: Mapping[str, float]) -> float:
    """Return the points that a framework has, whoever else is in question."""
    total = 0.0
    for effect in effects:
        if effect.framework == framework and effect.over == "":
            total += weights[effect.dimension] * effect.points
    return total


def _lead(a: str, b: str, effects: Sequence[Effect], weights: Mapping[str, float]) -> float:
    """Return the points of a over b."""
    total = _points(a, effects, weights) - _points(b, effects, weights)
    for effect in effects:
        if effect.framework == a and effect.over == b:
            total += weights[effect.dimension] * effect.points
        if effect.framework == b and effect.over == a:
            total -= weights[effect.dimension] * effect.points
    return total
