"""The recommendation: where answers lead on the evidence, why, what would change it, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trivet.decide import flips, gaps
from trivet.decide.ready import fill, known_of
from trivet.decide.tree import Tree
from trivet.decide.verdict import Case, conflicts, portfolio, runner_up, verdict
from trivet.decide.walk import walk, weights_of
from trivet.model.decision import Answer, Recommendation
from trivet.model.evidence import Evidence


def recommend(
    tree: Tree,
    answers: Mapping[str, Answer],
    evidence: Sequence[Evidence],
    *,
    frameworks: Sequence[str],
    today: str,
) -> Recommendation:
    """Return what follows from answers on the evidence there is. The same answers and evidence give the same.

    Args:
        tree: from `trivet.decide.trees.load`.
        answers: question -> answer; one left out is not known. Those to questions that the tree does not ask change nothing.
        evidence: all there is.
        frameworks: in question.
        today: ISO date, by which evidence is stale or not.
    """
    known = known_of(evidence, frameworks=frameworks, today=today)
    ready = fill(tree, known)
    outcome = walk(ready, answers)
    case = Case(tree=tree, outcome=outcome, weights=weights_of(ready, answers), known=known)
    closest, margin = runner_up(case)
    return Recommendation(
        tree=tree.name,
        outcome=outcome,
        runner_up=closest,
        margin=margin,
        verdict=verdict(case),
        conflicts=conflicts(case),
        flips=flips.find(tree, ready, answers, known),
        portfolio=portfolio(case),
        gaps=gaps.find(tree, answers, outcome, known),
    )
