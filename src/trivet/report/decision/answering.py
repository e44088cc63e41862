"""Answers in words, and the controls with which they are changed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

from trivet.decide.words import quantity
from trivet.model.decision import Answer, Branch, Flip, Node, Question, ReadyTree

UNKNOWN = "don't know"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Control:
    """What changes one answer.

    Attributes:
        question: that it answers.
        options: answer -> its words; {} for a number.
        edges: of a number: where a branch begins, ascending.
        low, high: ends of a number's slider, both above 0, since it is logarithmic.
    """

    question: Question
    options: dict[str, str]
    edges: tuple[float, ...]
    low: float
    high: float


def in_words(question: Question, answer: Answer | None) -> str:
    """Return an answer for people."""
    if answer is None or answer == ():
        return UNKNOWN
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, int | float):
        return quantity(answer, question.unit)
    parts = (answer,) if isinstance(answer, str) else answer
    return ", ".join(question.options.get(part, part) for part in parts)


def branch_words(question: Question | None, node: Node, taken: Sequence[Branch]) -> str:
    """Return what branches of a node stand for, for people.

    Args:
        question: of the node, None where the evidence alone speaks.
        node: whose branches they are.
        taken: one; or, of a number, several that follow each other.
    """
    if question is None:
        return "by the evidence"
    first, last = taken[0], taken[-1]
    if first.above is None:
        return question.options.get(first.answer, first.answer) or _otherwise(question, node)
    edges = [one.above for one in node.branches if one.above is not None]
    below = min((edge for edge in edges if edge > (last.above or 0.0)), default=None)
    if below is None:
        return f"from {quantity(first.above, question.unit)}" if first.above > question.low else "any number"
    end = quantity(below, question.unit)
    return (
        f"{quantity(first.above, question.unit)} to {end}" if first.above > question.low else f"below {end}"
    )


def _otherwise(question: Question, node: Node) -> str:
    """Return what the branch of "don't know" stands for: all answers without a branch of their own take it too."""
    own = [branch for branch in node.branches if branch.answer or branch.above is not None]
    if not own:
        return "any answer"
    answers = {branch.answer for branch in own}
    if question.kind == "yes_no":
        return ", ".join([*(word for word in ("yes", "no") if word not in answers), UNKNOWN])
    if question.kind == "number":
        least = min(branch.above or 0.0 for branch in own)
        return f"below {quantity(least, question.unit)}, {UNKNOWN}" if least > question.low else UNKNOWN
    return UNKNOWN if question.options and answers >= question.options.keys() else f"any other, {UNKNOWN}"


def asked(tree: ReadyTree) -> list[str]:
    """Return the questions that a tree uses, in the order in which a path comes to them."""
    order, coming = [], [tree.start]
    while coming:
        name = coming.pop(0)
        if name in tree.nodes and name not in order:
            order.append(name)
            coming += [branch.next for branch in tree.nodes[name].branches]
    return list(dict.fromkeys(tree.nodes[name].question for name in order if tree.nodes[name].question))


def control(question: Question, trees: Sequence[ReadyTree], answer: Answer | None) -> Control:
    """Return the control of a question.

    Args:
        question: that is asked.
        trees: in which its answer may count.
        answer: as given, which the control must be able to show.
    """
    branches = [
        branch
        for tree in trees
        for node in tree.nodes.values()
        if node.question == question.id
        for branch in node.branches
    ]
    edges = tuple(
        sorted({one.above for one in branches if one.above is not None and question.low < one.above})
    )
    low, high = _ends(question, edges, answer)
    return Control(
        question=question, options=_options(question, branches, answer), edges=edges, low=low, high=high
    )


def tries(flip: Flip, question: Question, edges: Sequence[float]) -> Answer | None:
    """Return the answer that shows a flip: of a number, one with few digits on the right side of its edge."""
    if question.kind != "number" or flip.value is None:
        return flip.value
    assert isinstance(flip.value, int | float)
    edge = float(flip.value)
    step = 10.0 ** (math.floor(math.log10(edge)) - 2) if edge > 0 else 0.01
    if flip.beyond is not False:
        most = min((one for one in edges if one > edge), default=question.high)
        neat = math.ceil(edge / step) * step
        return neat if edge <= neat < most else edge
    least = max((one for one in edges if one < edge), default=question.low)
    neat = (math.ceil(edge / step) - 1) * step
    return neat if least <= neat < edge else (least + edge) / 2


def _options(question: Question, branches: Sequence[Branch], answer: Answer | None) -> dict[str, str]:
    if question.kind == "number":
        return {}
    if question.kind == "yes_no":
        return {"yes": "yes", "no": "no"}
    if question.kind in ("one", "several"):
        return question.options
    given = answer if isinstance(answer, tuple) else ()
    names = dict.fromkeys((*given, *(branch.answer for branch in branches if branch.answer)))
    return {name: name for name in names}


def _ends(question: Question, edges: Sequence[float], answer: Answer | None) -> tuple[float, float]:
    number = isinstance(answer, int | float) and not isinstance(answer, bool) and answer > 0
    marks = [*edges, *([float(answer)] if number and isinstance(answer, int | float) else [])]
    low = 10.0 ** math.floor(math.log10(min(marks, default=10.0) / 5))
    high = 10.0 ** math.ceil(math.log10(max(marks, default=10.0) * 5))
    return max(low, question.low), min(high, question.high)


def plain(answers: Mapping[str, Answer]) -> dict[str, bool | float | str | list[str]]:
    """Return answers as JSON holds them."""
    return {name: list(answer) if isinstance(answer, tuple) else answer for name, answer in answers.items()}
