"""What a tree becomes where a number is at the other end of its interval, for flips that rest on evidence."""

from __future__ import annotations

from collections.abc import Sequence

from trivet.decide.flips import at_end
from trivet.decide.ready import make_ready
from trivet.decide.tree import Tree
from trivet.model.decision import Flip, ReadyTree, Recommendation
from trivet.model.evidence import Evidence


def alternatives(
    tree: Tree,
    recommendation: Recommendation,
    evidence: Sequence[Evidence],
    *,
    frameworks: Sequence[str],
    today: str,
) -> dict[Flip, ReadyTree]:
    """Return flip -> the tree made ready with its evidence, for each flip of evidence.

    Args:
        tree: of the recommendation.
        recommendation: whose flips are wanted.
        evidence: all there is.
        frameworks: in question.
        today: ISO date, by which evidence is stale or not.
    """
    found = {}
    for flip in recommendation.flips:
        piece = next((one for one in evidence if one.key == flip.subject), None)
        if flip.kind == "evidence" and piece is not None and isinstance(flip.value, float):
            moved = at_end(evidence, piece, flip.value)
            found[flip] = make_ready(tree, moved, frameworks=frameworks, today=today)
    return found
