"""A decision tree as its author wrote it, before any evidence is filled in."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal

from trivet.model.decision import Dimension, Leaf, Question, Role

EACH = "*"
"""Answer of a branch that stands for every option or name without a branch of its own, or for every number."""

RuleKind = Literal["value", "less", "speed", "training", "dominance"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Advice:
    """An effect that the author states outright.

    Attributes:
        verb: "for", "against" or "out".
        frameworks: names; "{answer}" is the framework that the answer names, "not {answer}" every other one.
        points: gained ("for") or lost ("against").
        dimension: where they count.
        roles: for which parts of a portfolio.
        reason: a sentence.
    """

    verb: Literal["for", "against", "out"]
    frameworks: tuple[str, ...]
    points: float
    dimension: Dimension
    roles: tuple[Role, ...]
    reason: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rule:
    """How evidence becomes effects.

    Attributes:
        kind: "value": each framework by the value that its evidence has; "less": one over another by the ratio of two
            numbers, the smaller the better; "speed": by the ratio of two throughputs; "training": by who is done first
            with a training of the answer's length; "dominance": one over another where it is nowhere worse, row by row.
        claim: of the evidence; "{answer}" stands for the branch's answer, "*" at the end for every claim that begins so.
        points: value -> points.
        out: values that break a hard constraint.
        bands: (ratio, points), rising: points where the ratio is beyond it; the last one counts.
        order: of dominance: chains of classes, each from worst to best; classes that share no chain cannot be compared, and
            rows with a class of no chain are left out.
        rows: of dominance: how many rows both must have.
        gain: of dominance: points.
        dimension: where the points count.
        roles: for which parts of a portfolio.
    """

    kind: RuleKind
    claim: str
    points: Mapping[str, float] = dataclasses.field(default_factory=dict)
    out: tuple[str, ...] = ()
    bands: tuple[tuple[float, float], ...] = ()
    order: tuple[tuple[str, ...], ...] = ()
    rows: int = 1
    gain: float = 0.0
    dimension: Dimension
    roles: tuple[Role, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class TreeBranch:
    """What follows from an answer.

    Attributes:
        answer: "yes", "no", an option or a name; "*" for each other one; "" for "don't know".
        above: of a number: from where on the branch holds; None for others.
        advice: effects stated outright.
        rules: effects by evidence.
        weights: dimension -> factor.
        next: what comes next.
    """

    answer: str
    above: float | None = None
    advice: tuple[Advice, ...] = ()
    rules: tuple[Rule, ...] = ()
    weights: dict[str, float] = dataclasses.field(default_factory=dict)
    next: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class TreeNode:
    """A place where an answer, or the evidence alone, is looked at.

    Attributes:
        id: its name.
        question: whose answer decides; "" where the evidence alone speaks.
        text: what is looked at.
        branches: the one of "don't know" is always among them; at a node without a question it is the only one.
    """

    id: str
    question: str
    text: str
    branches: tuple[TreeBranch, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tree:
    """A checked tree: no cycle, nothing unreachable, nothing unknown.

    Attributes:
        name: such as "trivet".
        file: that it was read from, for messages.
        sha256: of the file's content.
        title: for people.
        source: citation of somebody's advice, "" for one's own.
        start: id of the first node.
        margin: points by which the choice must lead.
        questions: those it uses, by id, in the order in which they are met.
        nodes, leaves: by id, in the author's order.
    """

    name: str
    file: str
    sha256: str
    title: str
    source: str
    start: str
    margin: float
    questions: dict[str, Question]
    nodes: dict[str, TreeNode]
    leaves: dict[str, Leaf]
