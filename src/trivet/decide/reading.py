"""Reads the tables of a tree's file: nodes with their branches, leaves, questions of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from trivet import catalog
from trivet.catalog import nearest
from trivet.decide import questions
from trivet.decide.lines import Place
from trivet.decide.problems import Problems
from trivet.decide.reading_effects import read_advice
from trivet.decide.reading_rules import read_rules
from trivet.decide.tables import number, table
from trivet.decide.tree import EACH, TreeBranch, TreeNode
from trivet.errors import UsageError
from trivet.model.decision import DIMENSIONS, Leaf, Question

UNKNOWN = "?"
"""How a tree's file writes "don't know"."""

_TOP_KINDS: Mapping[str, type] = {
    "title": str,
    "source": str,
    "start": str,
    "margin": object,
    "question": dict,
    "node": dict,
    "leaf": dict,
}
_NODE_KINDS: Mapping[str, type] = {"question": str, "text": str, "next": str, "branch": list}
_BRANCH_KINDS: Mapping[str, type] = {
    "answer": str,
    "above": object,
    "effects": list,
    "rules": list,
    "weights": dict,
    "next": str,
}
_LEAF_KINDS: Mapping[str, type] = {"choose": str, "text": str}


def read_top(data: Any, problems: Problems) -> bool:
    """Say whether the top table is as it should be; note what is wrong."""
    if not table(data, _TOP_KINDS, {"title", "start", "margin", "node", "leaf"}, (), problems):
        return False
    margin = number(data["margin"])
    if margin is None or margin <= 0:
        problems.add(f"margin is {data['margin']!r}; expected a number above 0.", (), "margin")
        return False
    return True


def read_questions(data: Mapping[str, Any], problems: Problems) -> dict[str, Question]:
    """Return trivet's questions, with those of the tree's own; note what is wrong."""
    known = dict(questions.load())
    for name, entry in data.get("question", {}).items():
        place = ("question", name)
        if name in known:
            problems.add(f"trivet has a question {name!r} already; give yours another name.", place)
            continue
        try:
            known[name] = questions.of_table(name, entry, f"{problems.where(place)}: question.{name}")
        except UsageError as error:
            problems.note(error.message, place)
    return known


def read_leaves(data: Mapping[str, Any], problems: Problems) -> dict[str, Leaf]:
    """Return the leaves; note what is wrong."""
    found = {}
    choices = ("leader", "voices", "undecided", *catalog.frameworks())
    for name, entry in data["leaf"].items():
        place = ("leaf", name)
        if not table(entry, _LEAF_KINDS, set(_LEAF_KINDS), place, problems):
            continue
        if entry["choose"] not in choices:
            message = f"unknown choice {entry['choose']!r}.{nearest(entry['choose'], choices)}"
            problems.add(f"{message} Known: {', '.join(choices)}.", place, "choose")
        if name in data["node"]:
            problems.add(f"the id {name!r} is that of a node and of a leaf.", place)
        found[name] = Leaf(id=name, choose=entry["choose"], text=entry["text"])
    return found


def read_node(name: str, entry: Any, known: Mapping[str, Question], problems: Problems) -> TreeNode | None:
    """Return a node, None if it cannot be made sense of; note what is wrong."""
    place: Place = ("node", name)
    if not table(entry, _NODE_KINDS, {"text"}, place, problems):
        return None
    asked = entry.get("question", "")
    if asked and asked not in known:
        problems.add(f"unknown question {asked!r}.{nearest(asked, known)}", place, "question", asked)
        return None
    question = known.get(asked)
    branches = [
        branch
        for number_, one in enumerate(entry.get("branch", []))
        if (branch := _branch(one, question, entry.get("next", ""), (*place, "branch", number_), problems))
    ]
    seen = [(branch.answer, branch.above) for branch in branches]
    for number_, key in enumerate(seen):
        if key in seen[:number_]:
            problems.add(
                "another branch of this node stands for the same answer.",
                (*place, "branch", number_),
                f'"{key[0]}"',
            )
    branches += _left_out(question, branches, entry.get("next", ""), place, problems)
    return TreeNode(id=name, question=asked, text=entry["text"], branches=tuple(branches))


def _left_out(
    question: Question | None, branches: list[TreeBranch], following: str, place: Place, problems: Problems
) -> list[TreeBranch]:
    """Return the branches that every node has though their author need not write them: they lead on, and do nothing."""
    answers = {branch.answer for branch in branches if branch.above is None}
    wanted = []
    if "" not in answers:
        wanted.append(TreeBranch(answer="", next=following))
    if question is not None and question.kind == "number" and EACH not in answers:
        lowest = min((branch.above for branch in branches if branch.above is not None), default=math.inf)
        if lowest > question.low:
            wanted.append(TreeBranch(answer="", above=question.low, next=following))
    if wanted and not following:
        said = "other numbers" if "" in answers else '"don\'t know"'
        problems.add(f"the node lacks a next, and so {said} leads nowhere.", place)
    return wanted


def _branch(
    entry: Any, question: Question | None, following: str, place: Place, problems: Problems
) -> TreeBranch | None:
    if not table(entry, _BRANCH_KINDS, set(), place, problems):
        return None
    answer, above = _answer(entry, question, place, problems)
    leads = entry.get("next", following)
    if not leads:
        problems.add("the branch lacks a next, and so does its node.", place)
    weights = {}
    for dimension, factor in entry.get("weights", {}).items():
        value = number(factor)
        if dimension not in DIMENSIONS:
            problems.add(
                f"unknown dimension {dimension!r}.{nearest(dimension, DIMENSIONS)} Known: {', '.join(DIMENSIONS)}.",
                place,
                dimension,
            )
        elif value is None or value < 0:
            problems.add(
                f"the weight of {dimension} is {factor!r}; expected a number from 0 up.", place, dimension
            )
        else:
            weights[dimension] = value
    return TreeBranch(
        answer=answer,
        above=above,
        advice=read_advice(entry.get("effects", []), question, place, problems),
        rules=read_rules(entry.get("rules", []), question, answer, place, problems),
        weights=weights,
        next=leads,
    )


def _answer(
    entry: Mapping[str, Any], question: Question | None, place: Place, problems: Problems
) -> tuple[str, float | None]:
    """Return what a branch stands for."""
    answer, above = entry.get("answer"), entry.get("above")
    if question is None:
        if answer is not None or above is not None:
            problems.add("the node asks no question, so its branch has no answer.", place)
        return "", None
    if answer == UNKNOWN:
        return "", None
    if above is not None:
        value = number(above)
        if question.kind != "number":
            problems.add(f"{question.id} is not answered by a number.", place, "above")
        elif value is None or not question.low <= value <= question.high:
            problems.add(
                f"above is {above!r}; expected a number from {question.low:g} to {question.high:g}.",
                place,
                "above",
            )
            value = question.low
        return "", value
    known = {
        "yes_no": ("yes", "no"),
        "number": (EACH,),
        "names": (EACH, answer or ""),
        "one": (*question.options, EACH),
        "several": (*question.options, EACH),
    }[question.kind]
    if not answer or answer not in known:
        said = (
            "the branch lacks an answer."
            if not answer
            else f"unknown answer {answer!r}.{nearest(answer, known)}"
        )
        hint = "above, a number" if question.kind == "number" else ", ".join(filter(None, known))
        problems.add(f"{said} Known: {hint}, {UNKNOWN}.", place, *([f'"{answer}"'] if answer else []))
    return answer or UNKNOWN, None
