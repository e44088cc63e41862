"""A decision tree and its questions, in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from trivet.console.paragraphs import entry
from trivet.decide.decision import merged
from trivet.model.decision import Branch, Effect, Node, Question, ReadyTree

_UNKNOWN = "don't know, or any other"


def tree_view(
    ready: ReadyTree, questions: Mapping[str, Question], titles: Mapping[str, str]
) -> RenderableType:
    """Return every node in the order in which a path can come to it, its branches and what they do, and the leaves.

    Args:
        ready: the tree, with whatever evidence there is.
        questions: by id.
        titles: framework -> its name for people.
    """
    parts: list[RenderableType] = [Text(f"{ready.title} ({ready.name})", style="bold")]
    parts += [Text(f"After {ready.source}")] if ready.source else []
    if any(leaf.choose == "leader" for leaf in ready.leaves.values()):
        parts.append(Text(f"Whoever leads every other framework by {ready.margin:g} points is chosen."))
    parts.append(Text())
    for name in in_order(ready):
        if name in ready.nodes:
            parts += [*_node(ready.nodes[name], questions, titles), Text()]
        else:
            leaf = ready.leaves[name]
            parts += [Text(f"{name}: the end, {leaf.choose}", style="bold"), entry("", leaf.text)]
    return Group(*parts)


def questions_view(questions: Iterable[Question]) -> RenderableType:
    """Return every question: its id, what it asks and why, and what can be answered."""
    parts: list[RenderableType] = []
    for question in questions:
        parts += [
            Text(question.id, style="bold"),
            entry("", question.text),
            entry("", f"Why: {question.why}"),
        ]
        parts.append(entry("", f"Answer: {_answers(question)}"))
        parts.append(Text())
    return Group(*parts[:-1])


def in_order(ready: ReadyTree) -> list[str]:
    """Return nodes and leaves that a path can come to, breadth first, leaves last."""
    found = [ready.start]
    for name in found:  # grows while it is gone through
        if name in ready.nodes:
            found += [b.next for b in ready.nodes[name].branches if b.next not in found]
    unique = list(dict.fromkeys(found))
    return [name for name in unique if name in ready.nodes] + [
        name for name in unique if name in ready.leaves
    ]


def _node(
    node: Node, questions: Mapping[str, Question], titles: Mapping[str, str]
) -> Iterator[RenderableType]:
    asked = f" (question {node.question})" if node.question else ""
    yield Text(f"{node.id}: {node.text}{asked}", style="bold")
    for branch in node.branches:
        yield entry("-", f"{_answer(branch, node, questions)} -> {branch.next}{_weights(branch)}")
        for effect in merged(branch.effects, {}):
            yield entry("", _effect(effect, titles), indent=4)


def _answer(branch: Branch, node: Node, questions: Mapping[str, Question]) -> str:
    if not node.question:
        return "always"
    question = questions.get(node.question)
    if branch.above is not None:
        unit = f" {question.unit}" if question and question.unit else ""
        return f"from {branch.above:.3g}{unit} on"
    if not branch.answer:
        return _UNKNOWN
    return question.options.get(branch.answer, branch.answer) if question else branch.answer


def _weights(branch: Branch) -> str:
    return "".join(f"; {dimension} counts {factor:g} times" for dimension, factor in branch.weights.items())


def _effect(effect: Effect, titles: Mapping[str, str]) -> str:
    over = f" over {titles.get(effect.over, effect.over)}" if effect.over else ""
    points = "out" if effect.out else f"{effect.points:+.3g} {effect.dimension}"
    return f"{titles.get(effect.framework, effect.framework)}{over} {points}: {effect.reason.text}"


def _answers(question: Question) -> str:
    unit = f" {question.unit}" if question.unit else ""
    several = ", ".join(f"{name} ({text})" for name, text in question.options.items())
    return {
        "yes_no": "yes or no",
        "one": f"one of {several}",
        "several": f"any of {several}",
        "number": f"a number{unit}",
        "names": "names, comma-separated",
    }[question.kind]
