"""Builds the page of a decision."""

from __future__ import annotations

import dataclasses
import importlib.metadata
from collections.abc import Mapping, Sequence
from typing import Any

from trivet.decide.decision import HOURS, PRICE
from trivet.decide.words import listed, parts, quantity
from trivet.evidence.cost import Cost
from trivet.model.decision import (
    DIMENSIONS,
    ROLES,
    Answer,
    Flip,
    Gap,
    Outcome,
    Question,
    ReadyTree,
    Reason,
    Recommendation,
)
from trivet.model.evidence import Evidence
from trivet.report import words
from trivet.report.colors import colors
from trivet.report.decision import answering
from trivet.report.decision.layout import initials, lay_out
from trivet.report.decision.marks import Mark, changed_nodes, marks_of, plain_nodes, plain_tree
from trivet.report.decision.picture import Picture
from trivet.report.decision.rows import rows_of
from trivet.report.decision.tracing import Tracing, address, tracing
from trivet.report.template import template

_WIDE, _NARROW = 1064, 340
"""Widths of the pictures in pixels: for a screen or paper, and for a phone."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TreeView:
    """One tree, drawn.

    Attributes:
        tree: itself.
        wide, narrow: its picture for a screen or paper, and for a phone.
        marks: its effects, those of other ends of evidence included.
        order: its nodes from the top of the picture to the bottom.
    """

    tree: ReadyTree
    wide: Picture
    narrow: Picture
    marks: tuple[Mark, ...]
    order: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class FlipView:
    """One flip, with what tries it.

    Attributes:
        flip: itself.
        trial: the answer that shows it, None for "don't know".
        patch: key of the nodes that other evidence changes, "" for an answer.
        live: True if the page can try it.
    """

    flip: Flip
    trial: Any
    patch: str
    live: bool


def render_decision(
    recommendation: Recommendation,
    ready_tree: ReadyTree,
    questions: Mapping[str, Question],
    answers: Mapping[str, Answer],
    evidence: Sequence[Evidence],
    *,
    titles: Mapping[str, str],
    today: str,
    others: Sequence[ReadyTree] = (),
    run_pages: Mapping[str, str] | None = None,
    alternatives: Mapping[Flip, ReadyTree] | None = None,
    costs: Sequence[Cost] = (),
    notes: Sequence[str] = (),
) -> str:
    """Return a whole HTML page that needs no network.

    Args:
        recommendation: what the answers lead to.
        ready_tree: in which they were walked.
        questions: by id; at least all that the trees ask and all that reasons name.
        answers: as given.
        evidence: all that reasons name, and what else is to be shown.
        titles: framework -> its name for people.
        today: ISO date of the page.
        others: further trees, whose path and result are shown too, such as the article's.
        run_pages: run -> address of its page, for the links out of the evidence.
        alternatives: flip of kind "evidence" -> the tree made ready with the evidence at that end; without it, such a flip
            is told but cannot be tried.
        costs: of one training run, as the answers have it.
        notes: where the evidence comes from, sentences.

    Raises:
        ValueError: a sentence rests on evidence, or on a question, that is not given.
    """
    trees = (ready_tree, *others)
    named = {name: titles.get(name, name) for tree in trees for name in tree.frameworks}
    patches = {
        flip: changed_nodes(ready_tree, tree)
        for flip, tree in (alternatives or {}).items()
        if flip in recommendation.flips
    }
    marks, patched = _numbered(trees, patches)
    asked = list(dict.fromkeys(name for tree in trees for name in answering.asked(tree)))
    reasons = [
        *_told(recommendation),
        *(mark.effect.reason for its in (*marks, *patched.values()) for mark in its),
    ]
    rowed = list(dict.fromkeys([*asked, *answers, *(name for reason in reasons for name in reason.answers)]))
    traces = tracing(
        evidence,
        [questions[name] for name in rowed if name in questions],
        [*(reason.citation for reason in reasons), *(tree.source for tree in trees)],
    )
    views = [
        _view(
            tree,
            questions,
            named,
            (*its, *(mark for extra in patched.values() for mark in extra if tree is ready_tree)),
        )
        for tree, its in zip(trees, marks, strict=True)
    ]
    controls = {name: answering.control(questions[name], trees, answers.get(name)) for name in asked}
    first = set(answering.asked(ready_tree))
    numbers = {flip: f"f{number}" for number, flip in enumerate(patched, start=1)}
    return template("decision.html.j2", _functions(traces, questions, answers)).render(
        version=importlib.metadata.version("trivet"),
        today=today,
        recommendation=recommendation,
        headline=headline(recommendation.outcome, named),
        titles=named,
        colors=colors(named),
        frameworks=ready_tree.frameworks,
        dimensions=[
            name for name in DIMENSIONS if any(mark.effect.dimension == name for mark in views[0].marks)
        ],
        views=views,
        controls=[controls[name] for name in asked if name in first],
        other_controls=[controls[name] for name in asked if name not in first],
        flips=[_flip(flip, controls, numbers) for flip in recommendation.flips],
        gaps=[(gap, _gap_rows(gap, evidence)) for gap in recommendation.gaps],
        rows=rows_of(evidence, today=today, run_pages=run_pages or {}),
        costs=[(cost, traces.links(_basis(cost, answers))) for cost in costs],
        notes=notes,
        answered=[questions[name] for name in traces.answers],
        citations=traces.citations,
        roles=ROLES,
        data={
            "trees": [plain_tree(view.tree, its) for view, its in zip(views, marks, strict=True)],
            "patches": {
                numbers[flip]: plain_nodes({node.id: node for node in patches[flip]}, its)
                for flip, its in patched.items()
            },
            "given": answering.plain(answers),
            "questions": {
                name: {"kind": questions[name].kind, "unit": questions[name].unit} for name in asked
            },
            "titles": named,
            "colors": colors(named),
        },
    )


def headline(outcome: Outcome, titles: Mapping[str, str]) -> str:
    """Return the verdict in a few words."""
    if outcome.choice:
        alone = titles[outcome.choice]
    elif outcome.open:
        alone = f"Undecided: {listed([titles[name] for name in outcome.open], 'or')}"
    else:
        alone = "None is left"
    return parts(outcome, titles, alone)


def _numbered(
    trees: Sequence[ReadyTree], patches: Mapping[Flip, Sequence[Any]]
) -> tuple[list[list[Mark]], dict[Flip, list[Mark]]]:
    """Return the effects of each tree, and of the nodes that other evidence changes, no number twice."""
    found: list[list[Mark]] = []
    number = 1
    for tree in trees:
        found.append(marks_of(tree.nodes.values(), first=number))
        number += len({mark.id for mark in found[-1]})
    patched: dict[Flip, list[Mark]] = {}
    for flip, nodes in patches.items():
        patched[flip] = marks_of(nodes, first=number)
        number += len({mark.id for mark in patched[flip]})
    return found, patched


def _told(recommendation: Recommendation) -> list[Reason]:
    return [
        *recommendation.verdict,
        *recommendation.conflicts,
        *(flip.reason for flip in recommendation.flips),
        *recommendation.portfolio,
    ]


def _view(
    tree: ReadyTree, questions: Mapping[str, Question], titles: Mapping[str, str], marks: tuple[Mark, ...]
) -> TreeView:
    letters = initials({name: titles[name] for name in tree.frameworks})
    wide = lay_out(tree, questions, letters, width=_WIDE)
    return TreeView(
        tree=tree,
        wide=wide,
        narrow=lay_out(tree, questions, letters, width=_NARROW),
        marks=marks,
        order=tuple(box.id for box in wide.boxes if not box.leaf),
    )


def _flip(flip: Flip, controls: Mapping[str, answering.Control], patches: Mapping[Flip, str]) -> FlipView:
    if flip.kind == "evidence":
        return FlipView(flip=flip, trial=None, patch=patches.get(flip, ""), live=flip in patches)
    control = controls.get(flip.subject)
    trial = answering.tries(flip, control.question, control.edges) if control else None
    return FlipView(
        flip=flip,
        trial=list(trial) if isinstance(trial, tuple) else trial,
        patch="",
        live=control is not None,
    )


def _basis(cost: Cost, answers: Mapping[str, Answer]) -> Reason:
    """Return what a cost rests on: measurements, and the answers that it was computed for."""
    named = (HOURS, PRICE) if cost.price else (HOURS,)
    return Reason(
        text=cost.contestant,
        evidence=cost.evidence,
        answers=tuple(name for name in named if name in answers),
    )


def _gap_rows(gap: Gap, evidence: Sequence[Evidence]) -> list[str]:
    return [
        f"e{number}"
        for number, piece in enumerate(evidence, start=1)
        if piece.claim == gap.claim and piece.framework in gap.frameworks
    ]


def _functions(
    traces: Tracing, questions: Mapping[str, Question], answers: Mapping[str, Answer]
) -> dict[str, Any]:
    return {
        "trace": traces.links,
        "address": address,
        "number": words.number,
        "interval": words.interval,
        "quantity": quantity,
        "answer_words": lambda name: answering.in_words(questions[name], answers.get(name)),
        "answer_link": lambda name: traces.answers[name],
        "citation_link": lambda citation: traces.citations[citation],
    }
