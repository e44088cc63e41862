"""Decisions: a tree made ready for one body of evidence, and the recommendation that answers lead to in it.

A tree is *made ready* before any answer is known: every branch of every node then holds what it does to every framework.
Answers only pick branches. So one small function walks a ready tree, in Python and, live, in the page.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

Answer = bool | float | str | tuple[str, ...]
"""Of a question: yes or no, a number in the question's unit, one option, or several options or names."""

Dimension = Literal["ease", "performance", "ecosystem", "team"]
Role = Literal["build", "research", "ship"]

DIMENSIONS: tuple[Dimension, ...] = ("ease", "performance", "ecosystem", "team")
ROLES: tuple[Role, ...] = ("build", "research", "ship")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of the user.

    Attributes:
        id: such as "targets".
        text: the question.
        why: why it is asked, in a sentence.
        kind: "yes_no", "one" (of the options), "several" (of the options), "number" or "names" (free, such as libraries).
        options: value -> text for people; {} for the other kinds.
        unit: of a number, such as "h".
        low, high: the least and the most that a number can be.
        when: the answer as the end of "... if", such as "the model must run {}"; of a yes or no, yes. "" for none.
        unless: the opposite, such as "the model need not run {}"; of a yes or no, no.
    """

    id: str
    text: str
    why: str
    kind: Literal["yes_no", "one", "several", "number", "names"]
    options: dict[str, str] = dataclasses.field(default_factory=dict)
    unit: str = ""
    low: float = 0.0
    high: float = float("inf")
    when: str = ""
    unless: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Reason:
    """A sentence that can be traced.

    Attributes:
        text: the sentence.
        evidence: keys of the evidence that it rests on.
        answers: questions whose answers it rests on.
        citation: of a tree that is somebody's advice, where it says so; "" otherwise.
    """

    text: str
    evidence: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    citation: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Effect:
    """What a branch does to one framework.

    Attributes:
        framework: whom it is about.
        over: "" for what holds whoever else is in question; the other framework, for an advantage over that one alone.
        points: that it gains; below 0, loses. 0 with `out`.
        out: it breaks a hard constraint, and leaves the choice.
        dimension: where the points count.
        role: for which part of a portfolio it counts; all of them count for the one choice.
        reason: why, with its evidence.
    """

    framework: str
    over: str = ""
    points: float = 0.0
    out: bool = False
    dimension: Dimension
    role: Role
    reason: Reason


@dataclasses.dataclass(frozen=True, kw_only=True)
class Branch:
    """What follows from one answer at a node.

    Attributes:
        answer: that it stands for: "yes", "no", an option or a name; "" for "don't know"; for a number the branch holds
            from `above` on, up to the next branch's.
        above: of a number; None for other kinds and for "don't know".
        effects: on frameworks.
        weights: dimension -> factor on all points of it.
        next: the node or the leaf that comes next. Where several answers are given, the first one's counts.
    """

    answer: str
    above: float | None = None
    effects: tuple[Effect, ...] = ()
    weights: dict[str, float] = dataclasses.field(default_factory=dict)
    next: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Node:
    """A place in a tree where an answer is looked at.

    Attributes:
        id: its name.
        question: whose answer decides; "" where the evidence alone speaks, and there is one branch with the answer "".
        text: what is looked at, for the picture.
        branches: by answer. An answer without a branch of its own takes the one of "don't know".
    """

    id: str
    question: str
    text: str
    branches: tuple[Branch, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Leaf:
    """Where a path ends.

    Attributes:
        id: its name.
        choose: a framework, for a tree that names one; "leader" where points decide; "voices" where whoever is spoken for
            is chosen if it is the only one; "undecided".
        text: what it says.
    """

    id: str
    choose: str
    text: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReadyTree:
    """A tree with its evidence filled in.

    Attributes:
        name: such as "trivet".
        title: for people.
        source: citation of somebody's advice, "" for one's own.
        start: id of the first node.
        margin: how many points ahead of every other framework the chosen one must be.
        frameworks: in question.
        nodes, leaves: by id.
    """

    name: str
    title: str
    source: str
    start: str
    margin: float
    frameworks: tuple[str, ...]
    nodes: dict[str, Node]
    leaves: dict[str, Leaf]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Step:
    """One node of the path that was walked.

    Attributes:
        node: its id.
        text: what was looked at.
        answer: the answer, for people; "don't know" without one; "" at a node without a question.
        effects: of the branches that were taken.
    """

    node: str
    text: str
    answer: str
    effects: tuple[Effect, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Outcome:
    """Where a set of answers leads.

    Attributes:
        choice: the framework, "" for *undecided*.
        open: who is still in question: nobody beats them by the margin. The choice alone, where there is one; empty if
            hard constraints left nobody.
        out: framework -> the effects that eliminated it.
        leads: (a, b) -> points of a over b, for every two that are left.
        path: the steps.
        leaf: id of the leaf.
        portfolio: role -> framework, "" where nothing decides; {} where there is no reason for more than one.
    """

    choice: str
    open: tuple[str, ...]
    out: dict[str, tuple[Effect, ...]]
    leads: dict[tuple[str, str], float]
    path: tuple[Step, ...]
    leaf: str
    portfolio: dict[str, str]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Flip:
    """One change that alters the choice.

    Attributes:
        kind: "answer" or "evidence" (a number at the other end of its interval).
        subject: the question, or the key of the evidence.
        value: the other answer; of a number, the edge; of evidence, the end.
        beyond: of a number: True from the edge upwards, False below it, None for other kinds.
        choice: what is chosen then, "" for *undecided*.
        reason: "JAX instead if ...", as a sentence.
    """

    kind: Literal["answer", "evidence"]
    subject: str
    value: Answer | None
    beyond: bool | None = None
    choice: str
    reason: Reason


@dataclasses.dataclass(frozen=True, kw_only=True)
class Gap:
    """Evidence that was looked for and is not there.

    Attributes:
        claim: what.
        frameworks: of which it lacks.
        text: what it is, in a sentence.
        command: that fills it in; "" if none can.
    """

    claim: str
    frameworks: tuple[str, ...]
    text: str
    command: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recommendation:
    """All that `trivet choose` says.

    Attributes:
        tree: name.
        outcome: where the answers lead.
        runner_up: the framework that comes closest to the choice, or "".
        margin: points between them, None without a choice or a runner-up.
        verdict: the recommendation in a few sentences, most important first.
        conflicts: answers or constraints that pull apart or cannot both hold.
        flips: what would change the choice.
        portfolio: why a portfolio, each sentence with its evidence; empty without one.
        gaps: what is missing.
    """

    tree: str
    outcome: Outcome
    runner_up: str
    margin: float | None
    verdict: tuple[Reason, ...]
    conflicts: tuple[Reason, ...]
    flips: tuple[Flip, ...]
    portfolio: tuple[Reason, ...]
    gaps: tuple[Gap, ...]
