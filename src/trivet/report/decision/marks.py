"""Every effect of a tree, numbered, so that the page's script can show those that the answers bring about."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trivet.model.decision import Effect, Node, ReadyTree, Reason


@dataclasses.dataclass(frozen=True, kw_only=True)
class Mark:
    """One effect.

    Attributes:
        id: such as "x12". Effects that are told by one sentence, such as those on every part of the work, share it.
        node: where it comes about.
        branch: which of the node's branches brings it about.
        effect: itself.
    """

    id: str
    node: str
    branch: int
    effect: Effect

    @property
    def counts(self) -> bool:
        """Say whether it does anything: evidence may be looked at and give no points."""
        return self.effect.out or self.effect.points != 0


def marks_of(nodes: Iterable[Node], *, first: int) -> list[Mark]:
    """Return the effects of nodes in their order, numbered from `first` on."""
    ids: dict[tuple[object, ...], str] = {}
    found = []
    for node in nodes:
        for place, branch in enumerate(node.branches):
            for effect in branch.effects:
                told = (
                    node.id,
                    place,
                    effect.framework,
                    effect.over,
                    effect.out,
                    effect.dimension,
                    effect.reason,
                )
                number = ids.setdefault(told, f"x{first + len(ids)}")
                found.append(Mark(id=number, node=node.id, branch=place, effect=effect))
    return found


def changed_nodes(tree: ReadyTree, other: ReadyTree) -> list[Node]:
    """Return the nodes of another tree that are not the same in the first."""
    return [node for name, node in other.nodes.items() if node != tree.nodes.get(name)]


def plain_tree(tree: ReadyTree, marks: Sequence[Mark]) -> dict[str, Any]:
    """Return a tree as the page's script takes it."""
    return {
        "start": tree.start,
        "margin": tree.margin,
        "frameworks": list(tree.frameworks),
        "nodes": plain_nodes(tree.nodes, marks),
        "leaves": {name: {"choose": leaf.choose, "text": leaf.text} for name, leaf in tree.leaves.items()},
    }


def plain_nodes(nodes: Mapping[str, Node], marks: Sequence[Mark]) -> dict[str, Any]:
    """Return nodes as the page's script takes them."""
    reasons: dict[Reason, int] = {}
    by_branch: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for mark in marks:
        reason = reasons.setdefault(mark.effect.reason, len(reasons))
        by_branch.setdefault((mark.node, mark.branch), []).append(_plain_effect(mark, reason))
    return {
        name: {
            "question": node.question,
            "branches": [
                {
                    "answer": branch.answer,
                    "above": branch.above,
                    "effects": by_branch.get((name, place), []),
                    "weights": branch.weights,
                    "next": branch.next,
                }
                for place, branch in enumerate(node.branches)
            ],
        }
        for name, node in nodes.items()
    }


def _plain_effect(mark: Mark, reason: int) -> dict[str, Any]:
    effect = mark.effect
    return {
        "id": mark.id,
        "framework": effect.framework,
        "over": effect.over,
        "points": effect.points,
        "out": effect.out,
        "dimension": effect.dimension,
        "role": effect.role,
        "reason": reason,
    }
