"""What a decision would rest on if it were known, and the command that fills it in."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping

from trivet.decide import words
from trivet.decide.known import Known, Missing
from trivet.decide.ready import lacking
from trivet.decide.tree import Tree
from trivet.model.decision import Answer, Gap, Outcome, Question

COMPARE = "trivet compare"
"""The command that measures."""


def find(tree: Tree, answers: Mapping[str, Answer], outcome: Outcome, known: Known) -> tuple[Gap, ...]:
    """Return the evidence that the branches taken looked for in vain, each once.

    Args:
        tree: as its author wrote it.
        answers: question -> answer.
        outcome: where they lead.
        known: the evidence.
    """
    found: dict[str, Gap] = {}
    for step in outcome.path:
        node = tree.nodes[step.node]
        question = tree.questions.get(node.question)
        for missing in lacking(node, question, answers.get(node.question), known):
            left = tuple(framework for framework in missing.frameworks if framework not in outcome.out)
            if left:
                gap = _gap(Missing(claim=missing.claim, frameworks=left), question, known)
                found.setdefault(gap.claim, gap)
    return tuple(found.values())


def _gap(missing: Missing, question: Question | None, known: Known) -> Gap:
    whom = words.titles(known, missing.frameworks)
    family = next((stem for stem in _FAMILIES if missing.claim.startswith(stem)), "")
    text, command = "", ""
    told, in_vain = _told(missing, known)
    if family:
        write, command = _FAMILIES[family]
        last = missing.claim.removeprefix(family)
        text = write(whom, question.options.get(last, last) if question is not None else last)
        command = command.format(last)
    return Gap(
        claim=missing.claim,
        frameworks=missing.frameworks,
        text=told or text or f"{missing.claim} of {whom} is not known.",
        command="" if in_vain else command,
    )


def on_workload(gaps: Iterable[Gap], workload: str) -> tuple[Gap, ...]:
    """Return gaps whose comparisons are those of a workload.

    Args:
        gaps: that were found.
        workload: "" for any.
    """
    return tuple(
        dataclasses.replace(gap, command=f"{COMPARE} {workload}")
        if workload and gap.command == COMPARE
        else gap
        for gap in gaps
    )


def _told(missing: Missing, known: Known) -> tuple[str, bool]:
    """Return why a claim is not known, where the evidence says it in one sentence, and whether no command would tell."""
    pieces = [one for one in known.unknown(missing.claim) if one.framework in missing.frameworks]
    if {one.framework for one in pieces} != set(missing.frameworks) or len({one.text for one in pieces}) != 1:
        return "", False
    return pieces[0].text, all(
        bool(one.dated) if one.strength == "asked" else COMPARE not in one.text for one in pieces
    )


_FAMILIES: Mapping[str, tuple[Callable[[str, str], str], str]] = {
    "performance.throughput": (
        lambda whom, _: f"How fast such a model trains with {whom} on this machine has not been measured.",
        COMPARE,
    ),
    "performance.startup_cold": (
        lambda whom, _: f"How long a start with {whom} takes has not been measured.",
        COMPARE,
    ),
    "performance.memory": (
        lambda whom, _: f"How much memory training with {whom} takes has not been measured.",
        COMPARE,
    ),
    "performance.": (
        lambda whom, last: f"The {last} of {whom} has not been measured.",
        COMPARE,
    ),
    "ease.mistakes.": (
        lambda whom, _: f"What becomes of planted mistakes in {whom} is not known.",
        "trivet ease",
    ),
    "ease.first_step.": (
        lambda whom, _: (
            f"How long it takes with {whom} from an edit to the first step has not been measured."
        ),
        COMPARE,
    ),
    "ease.code.": (
        lambda whom, last: f"The {last} that the same work takes in {whom} have not been counted.",
        "trivet ease",
    ),
    "ecosystem.needs.": (
        lambda whom, last: f"Whether {last} brings {whom} along, the package index has not told.",
        "trivet needs {}",
    ),
    "ecosystem.targets.": (
        lambda whom, last: f"No cited fact says whether models of {whom} run {last}.",
        "",
    ),
    "ecosystem.abilities.": (
        lambda whom, last: f"No cited fact tells {last.replace('_', ' ')} of {whom}.",
        "",
    ),
}
"""Beginning of a claim -> a sentence about frameworks and the claim's last part, and the command that fills it in."""
