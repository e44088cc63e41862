"""A decision from end to end: tree, answers and evidence in; recommendation, costs and what they rest on out."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from trivet import catalog
from trivet.decide import answers, gaps, questions
from trivet.decide.ready import make_ready
from trivet.decide.recommend import recommend
from trivet.decide.tree import Tree
from trivet.decide.walk import walk, weights_of
from trivet.errors import UsageError
from trivet.evidence.cost import Cost, costs
from trivet.evidence.gather import Asked, Found, gather
from trivet.model.decision import (
    Answer,
    Effect,
    Question,
    ReadyTree,
    Reason,
    Recommendation,
    Step,
)
from trivet.model.evidence import Evidence

HOURS = "training_hours"
PRICE = "price_per_hour"
NEEDS = "needs"
HARDWARE = "hardware"
"""Questions whose answers are used beside the tree: for costs, what the package index is asked, and whose runs count."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Decision:
    """All that `trivet choose` has asked, found and concluded.

    Attributes:
        tree: the tree as the user named it: a name, or a path.
        tree_sha256: hash of the tree.
        ready: the tree with the evidence in it.
        questions: those of the tree, and of other trees those that were answered, by id.
        answers: question -> answer; those that are not known are left out.
        evidence: all there is.
        notes: where the evidence comes from, sentences.
        recommendation: what follows.
        costs: of one training run by contestant; () where its length or the speeds are not known.
        weights: dimension -> what its points are multiplied by on the path.
        titles: framework -> its name for people.
        workload: whose runs count, "" for any.
        today: ISO date of the decision.
    """

    tree: str
    tree_sha256: str
    ready: ReadyTree
    questions: Mapping[str, Question]
    answers: Mapping[str, Answer]
    evidence: tuple[Evidence, ...]
    notes: tuple[str, ...]
    recommendation: Recommendation
    costs: tuple[Cost, ...]
    weights: Mapping[str, float]
    titles: Mapping[str, str]
    workload: str
    today: str

    @functools.cached_property
    def used(self) -> tuple[Evidence, ...]:
        """Return the evidence that a sentence of the recommendation or a cost rests on, in the order of first use."""
        known = {piece.key: piece for piece in self.evidence}
        keys = [key for reason in reasons(self.recommendation) for key in reason.evidence]
        keys += [key for cost in self.costs for key in cost.evidence]
        return tuple(known[key] for key in dict.fromkeys(keys) if key in known)

    @functools.cached_property
    def numbers(self) -> dict[str, int]:
        """Return key of evidence -> its number in the list of what was used."""
        return {piece.key: number for number, piece in enumerate(self.used, start=1)}

    def cited(self, reason: Reason) -> str:
        """Return a sentence with the numbers of its evidence, such as "... [1][4–6]"."""
        cited = sorted({self.numbers[key] for key in reason.evidence if key in self.numbers})
        return f"{reason.text} {_marks(cited)}".rstrip()

    def telling(self, step: Step) -> list[Effect]:
        """Return what a step did, as it counts: points with their weight, see `merged`."""
        return merged(step.effects, self.weights)

    def said(self, step: Step) -> str:
        """Return the answer at a step for people; "" at one without a question."""
        asked = self.ready.nodes[step.node].question
        return answers.in_words(self.questions[asked], self.answers.get(asked)) if asked else ""

    @property
    def options(self) -> tuple[str, ...]:
        """Return the frameworks, the chosen one or those still open first, those that are out last."""
        outcome = self.recommendation.outcome
        first = [outcome.choice] if outcome.choice else list(outcome.open)
        rest = [name for name in self.titles if name not in outcome.out]
        return tuple(dict.fromkeys([*first, *rest, *self.titles]))


def merged(effects: Iterable[Effect], weights: Mapping[str, float]) -> list[Effect]:
    """Return the effects that change anything, those alike for several parts of a portfolio as one.

    Args:
        effects: of a branch or a step.
        weights: dimension -> what its points are multiplied by; 1 where it is missing.
    """
    found: dict[tuple[object, ...], Effect] = {}
    for effect in effects:
        key = (effect.framework, effect.over, effect.out, effect.dimension, effect.reason)
        points = effect.points * weights.get(effect.dimension, 1.0)
        before = found[key].points if key in found else 0.0
        found[key] = dataclasses.replace(effect, points=before + points)
    return [effect for effect in found.values() if effect.out or effect.points]


def _marks(numbers: Sequence[int]) -> str:
    """Return numbers in brackets, three or more that follow each other as a range.

    Example:
        >>> _marks([1, 2, 4, 5, 6])
        '[1][2][4–6]'
    """
    rows: list[list[int]] = []
    for number in numbers:
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    found = [[f"{row[0]}–{row[-1]}"] if len(row) > 2 else [str(number) for number in row] for row in rows]
    return "".join(f"[{text}]" for texts in found for text in texts)


def reasons(recommendation: Recommendation) -> Iterator[Reason]:
    """Give every sentence of a recommendation that can be traced, in the order in which it is read."""
    outcome = recommendation.outcome
    for effects in outcome.out.values():
        yield from (effect.reason for effect in effects)
    yield from recommendation.verdict
    for step in outcome.path:
        yield from (effect.reason for effect in step.effects if effect.out or effect.points)
    yield from recommendation.conflicts
    yield from (flip.reason for flip in recommendation.flips)
    yield from recommendation.portfolio


def sha256(value: Any) -> str:
    """Return the hash of a value's canonical JSON: keys sorted, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def evidence_sha256(piece: Evidence) -> str:
    """Return the hash of a piece of evidence, all fields included."""
    return sha256(dataclasses.asdict(piece))


def today() -> str:
    """Return the day in UTC, as ISO date."""
    return dt.datetime.now(dt.UTC).date().isoformat()


def titles_of(names: Sequence[str] = ()) -> dict[str, str]:
    """Return framework -> its name for people, in the order asked; trivet's own frameworks by default.

    Args:
        names: of frameworks.

    Raises:
        UsageError: one is unknown, or there are fewer than two.
    """
    own = [
        info.name
        for info in catalog.frameworks().values()
        if info.folder.is_relative_to(catalog.worker_folder())
    ]
    wanted = dict.fromkeys(names or sorted(own, key=_place))
    if len(wanted) < 2:
        message = f"{', '.join(wanted)} leaves nothing to choose."
        raise UsageError(message, "Name two frameworks or more, such as --frameworks torch,jax.")
    return {name: catalog.framework(name).title for name in wanted}


def all_questions(tree: Tree) -> dict[str, Question]:
    """Return the questions of a tree, then those of other trees: an answer to one of these does no harm."""
    return {
        **tree.questions,
        **{name: one for name, one in questions.load().items() if name not in tree.questions},
    }


def path_questions(
    tree: Tree, frameworks: Sequence[str], today: str
) -> Callable[[Mapping[str, Answer]], list[str]]:
    """Return a function that names the questions on the path that answers lead along, in order."""
    ready = make_ready(tree, (), frameworks=frameworks, today=today)

    def following(answers: Mapping[str, Answer]) -> list[str]:
        met = [ready.nodes[step.node].question for step in walk(ready, answers).path]
        return [name for name in dict.fromkeys(met) if name]

    return following


def decide(tree: Tree, answers: Mapping[str, Answer], *, given: str, asked: Asked) -> Decision:
    """Return what follows from a tree and answers on all the evidence there is.

    Args:
        tree: checked.
        answers: question -> answer.
        given: the tree as the user named it.
        asked: the evidence that is wanted; needs and hardware are taken from the answers.

    Raises:
        TrivetError: evidence cannot be read, such as a run that the user named.
    """
    needs, hardware = answers.get(NEEDS, ()), answers.get(HARDWARE, "")
    assert isinstance(needs, tuple)
    assert isinstance(hardware, str)
    wanted = dataclasses.replace(asked, needs=needs, hardware=hardware)
    return decide_on(tree, answers, gather(wanted), given=given, asked=asked)


def decide_on(
    tree: Tree, answers: Mapping[str, Answer], found: Found, *, given: str, asked: Asked
) -> Decision:
    """Return what follows from a tree, answers and given evidence; see `decide`."""
    frameworks = tuple(asked.titles)
    names = with_plain_names(answers)
    ready = make_ready(tree, found.evidence, frameworks=frameworks, today=asked.today)
    idle = [name for name in answers if name not in tree.questions]
    notes = (f"Answered, but not looked at by this tree: {', '.join(idle)}.",) if idle else ()
    recommendation = recommend(tree, names, found.evidence, frameworks=frameworks, today=asked.today)
    return Decision(
        tree=given,
        tree_sha256=tree.sha256,
        ready=ready,
        questions={**tree.questions, **{name: all_questions(tree)[name] for name in idle}},
        answers=answers,
        evidence=found.evidence,
        notes=(*found.notes, *notes),
        recommendation=dataclasses.replace(
            recommendation, gaps=gaps.on_workload(recommendation.gaps, asked.workload)
        ),
        costs=tuple(cost for cost in _costs(answers, found.evidence) if cost.framework in frameworks),
        weights=weights_of(ready, names),
        titles=asked.titles,
        workload=asked.workload,
        today=asked.today,
    )


_USUAL = ("torch", "tensorflow", "jax")
"""The order in which frameworks are named where nobody asks for another."""


def _place(name: str) -> int:
    return _USUAL.index(name) if name in _USUAL else len(_USUAL)


def with_plain_names(answers: Mapping[str, Answer]) -> dict[str, Answer]:
    """Return the answers with the names of needed libraries as evidence has them: "Keras_Hub>=0.20" is "keras-hub"."""
    needs = answers.get(NEEDS)
    if not isinstance(needs, tuple) or not needs:
        return dict(answers)
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    return {
        **answers,
        NEEDS: tuple(dict.fromkeys(canonicalize_name(Requirement(text).name) for text in needs)),
    }


def _costs(answers: Mapping[str, Answer], evidence: Sequence[Evidence]) -> tuple[Cost, ...]:
    hours, price = answers.get(HOURS), answers.get(PRICE)
    if not isinstance(hours, float) or hours <= 0:
        return ()
    return costs(evidence, training_hours=hours, price_per_hour=price if isinstance(price, float) else None)
