"""What the answers on a decision's way did besides giving points: weights, turns, or nothing at all."""

from __future__ import annotations

from trivet.decide.decision import Decision, with_plain_names
from trivet.decide.walk import branches_taken, walk, weights_of
from trivet.model.decision import Branch, Effect, Outcome, Step


def weighing(decision: Decision) -> dict[str, list[tuple[Step, float]]]:
    """Return dimension -> the steps whose answers multiply its points, with their factors."""
    found: dict[str, list[tuple[Step, float]]] = {}
    for step in decision.recommendation.outcome.path:
        for branch in _taken(decision, step):
            for dimension, factor in branch.weights.items():
                found.setdefault(dimension, []).append((step, factor))
    return found


def turn(decision: Decision, step: Step) -> str:
    """Return what an answer leads to where not knowing it would lead elsewhere; "" otherwise."""
    place = _taken(decision, step)[0].next
    if place == branches_taken(decision.ready.nodes[step.node], None)[0].next:
        return ""
    return (decision.ready.nodes.get(place) or decision.ready.leaves[place]).text


def idle(decision: Decision, step: Step) -> bool:
    """Say whether all would be the same were the answer at a step not known."""
    question = decision.ready.nodes[step.node].question
    fewer = {name: one for name, one in with_plain_names(decision.answers).items() if name != question}
    other, outcome = walk(decision.ready, fewer), decision.recommendation.outcome
    return (
        other.portfolio == outcome.portfolio
        and weights_of(decision.ready, fewer) == decision.weights
        and _counting(other) == _counting(outcome)
    )


def _taken(decision: Decision, step: Step) -> list[Branch]:
    node = decision.ready.nodes[step.node]
    return branches_taken(node, with_plain_names(decision.answers).get(node.question))


def _counting(outcome: Outcome) -> list[Effect]:
    return [effect for step in outcome.path for effect in step.effects if effect.out or effect.points]
