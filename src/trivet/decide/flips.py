"""What would change the choice: every other single answer, every edge of a number, both ends of every interval."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from trivet import figures
from trivet.decide import words
from trivet.decide.known import Known
from trivet.decide.ready import fill, looks_at
from trivet.decide.rules.bands import MARGIN
from trivet.decide.rules.race import FASTER
from trivet.decide.tree import Tree
from trivet.decide.walk import walk
from trivet.model.decision import Answer, Flip, Outcome, Question, ReadyTree, Reason
from trivet.model.evidence import Evidence

_RATIO, _VERDICT = "performance.ratio", "performance.verdict"
_SLOWER, _SAME = "slower", "no practical difference"


def find(tree: Tree, ready: ReadyTree, answers: Mapping[str, Answer], known: Known) -> tuple[Flip, ...]:
    """Return every single change that alters the choice, the most useful ones first.

    What the answer itself says ("JAX if JAX is prescribed") comes last. Before it, changes that lead to another framework come
    before those that leave it undecided, answers before answers taken back, what evidence says before what the answer alone
    says, answers before evidence.

    Args:
        tree: as its author wrote it.
        ready: the same with the evidence in it.
        answers: question -> answer.
        known: the evidence.
    """
    outcome = walk(ready, answers)
    search = _Search(tree=tree, ready=ready, answers=answers, known=known, outcome=outcome)
    found = [*search.by_answers(), *search.by_evidence()]
    ruling = _ruling(tree)
    return tuple(sorted(found, key=lambda flip: (flip.subject in ruling and bool(flip.value), *_use(flip))))


def _ruling(tree: Tree) -> set[str]:
    """Return the questions whose answers name who is out, or who is not, by themselves."""
    return {
        node.question
        for node in tree.nodes.values()
        for branch in node.branches
        for advice in branch.advice
        if advice.verb == "out" and any("{answer}" in name for name in advice.frameworks)
    }


def _use(flip: Flip) -> tuple[bool, bool, bool, bool]:
    return (flip.choice == "", flip.value is None, not flip.reason.evidence, flip.kind == "evidence")


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Search:
    tree: Tree
    ready: ReadyTree
    answers: Mapping[str, Answer]
    known: Known
    outcome: Outcome

    def by_answers(self) -> Iterator[Flip]:
        for question in self.tree.questions.values():
            if question.kind == "number":
                yield from self._by_number(question)
                continue
            before = self.answers.get(question.id)
            for after in alternatives(question, before, self._names(question)):
                outcome = walk(self.ready, _answered(self.answers, question.id, after))
                if outcome.choice != self.outcome.choice:
                    yield self._flip(outcome, question, after, None, words.clause(question, before, after))

    def _by_number(self, question: Question) -> Iterator[Flip]:
        edges = number_edges(self.ready, question)
        if not edges:
            return
        choices = [walk(self.ready, _answered(self.answers, question.id, edge)) for edge in edges]
        before = self.answers.get(question.id)
        number = isinstance(before, int | float)
        place = sum(edge <= before for edge in edges) - 1 if isinstance(before, int | float) else -1
        for first, last in _runs([outcome.choice for outcome in choices]):
            outcome = choices[first]
            if outcome.choice == self.outcome.choice:
                continue
            low = edges[first] if first else None
            high = edges[last + 1] if last + 1 < len(edges) else None
            below = high is not None and (last < place if number else first == 0)
            value = high if below and high is not None else edges[first]
            yield self._flip(outcome, question, value, not below, words.between(question, low, high))
        if number:
            outcome = walk(self.ready, _answered(self.answers, question.id, None))
            if outcome.choice != self.outcome.choice:
                yield self._flip(outcome, question, None, None, words.clause(question, before, None))

    def by_evidence(self) -> Iterator[Flip]:
        on_path = [self.tree.nodes[step.node] for step in self.outcome.path]
        rules = [rule for node in on_path for branch in node.branches for rule in branch.rules]
        seen: set[tuple[str, str, str]] = set()
        for piece in self.known.evidence:
            twin = (piece.claim, piece.against, piece.contestant)
            if (
                piece.low is None
                or piece.high is None
                or piece.framework not in self.known.frameworks
                or twin in seen
            ):
                continue
            if not any(looks_at(rule, piece.claim) for rule in rules):
                continue
            seen.add((piece.claim, piece.contestant, piece.against))
            for end, name in ((piece.low, "lower"), (piece.high, "upper")):
                moved = dataclasses.replace(self.known, evidence=at_end(self.known.evidence, piece, end))
                claims = (piece.claim, _VERDICT) if piece.claim == _RATIO else (piece.claim,)
                outcome = walk(fill(self.tree, moved, self.ready, claims), self.answers)
                if outcome.choice != self.outcome.choice:
                    said = f"{_said(piece)} is {_amount(piece, end)}"
                    text = f"{self._whom(outcome)} if {said}, the {name} end of its interval."
                    yield Flip(
                        kind="evidence",
                        subject=piece.key,
                        value=end,
                        choice=outcome.choice,
                        reason=Reason(text=text, evidence=(piece.key,)),
                    )

    def _flip(
        self, outcome: Outcome, question: Question, value: Answer | None, beyond: bool | None, clause: str
    ) -> Flip:
        text = f"{self._whom(outcome)} if {clause}."
        return Flip(
            kind="answer",
            subject=question.id,
            value=value,
            beyond=beyond,
            choice=outcome.choice,
            reason=Reason(text=text, evidence=self._differing(outcome), answers=(question.id,)),
        )

    def _whom(self, outcome: Outcome) -> str:
        if outcome.choice:
            return f"{self.known.title(outcome.choice)}{' instead' if self.outcome.choice else ''}"
        return "Undecided" if outcome.open else "Nobody is left"

    def _differing(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the evidence of effects that count on one of the two paths only."""
        one, other = (
            [effect for step in path for effect in step.effects] for path in (self.outcome.path, outcome.path)
        )
        apart = [effect for effect in one if effect not in other] + [
            effect for effect in other if effect not in one
        ]
        return tuple(dict.fromkeys(key for effect in apart for key in effect.reason.evidence))

    def _names(self, question: Question) -> list[str]:
        """Return the names that a question's branches know."""
        branches = [
            branch
            for node in self.ready.nodes.values()
            if node.question == question.id
            for branch in node.branches
        ]
        return list(dict.fromkeys(branch.answer for branch in branches if branch.answer))


def alternatives(question: Question, answer: Answer | None, names: Sequence[str]) -> list[Answer | None]:
    """Return every other answer to a question that is not for a number; of several, those that differ by one.

    Args:
        question: that is asked.
        answer: as given; None for "don't know".
        names: that a question for names can be answered with, besides those given.
    """
    if question.kind == "yes_no":
        every: list[Answer | None] = [True, False, None]
        return [one for one in every if one is not answer]
    if question.kind == "one":
        return [one for one in (*question.options, None) if one != answer]
    given = answer if isinstance(answer, tuple) else ()
    known = (
        list(question.options)
        if question.kind == "several"
        else [*given, *(n for n in names if n not in given)]
    )
    found: list[Answer | None] = []
    for name in known:
        rest = tuple(one for one in known if (one in given) != (one == name))
        found.append(rest)
    return [*found, None] if len(given) > 1 else found  # To take the only one away is to know none.


def number_edges(ready: ReadyTree, question: Question) -> list[float]:
    """Return where the branches of a number begin, at all nodes that ask for it, rising."""
    return sorted(
        {
            branch.above
            for node in ready.nodes.values()
            if node.question == question.id
            for branch in node.branches
            if branch.above is not None
        }
    )


def at_end(evidence: Sequence[Evidence], piece: Evidence, end: float) -> tuple[Evidence, ...]:
    """Return evidence in which one number has moved to an end of its interval, and is known there without doubt.

    A ratio is known from both sides: the other side, and the verdicts of both, move with it.

    Args:
        evidence: all there is.
        piece: one of it.
        end: where it moves.
    """
    sides = {(piece.contestant, piece.against): end}
    if piece.claim == _RATIO:
        sides[piece.against, piece.contestant] = 1 / end
    moved = []
    for one in evidence:
        value = sides.get((one.contestant, one.against))
        if (
            value is not None
            and one.claim == piece.claim
            and (one.framework == piece.framework or one.against)
        ):
            moved.append(dataclasses.replace(one, value=value, low=value, high=value))
        elif value is not None and piece.claim == _RATIO and one.claim == _VERDICT:
            moved.append(dataclasses.replace(one, value=_verdict(value)))
        else:
            moved.append(one)
    return tuple(moved)


def _verdict(ratio: float) -> str:
    if ratio > MARGIN:
        return FASTER
    return _SLOWER if ratio < 1 / MARGIN else _SAME


def _said(piece: Evidence) -> str:
    """Return what a piece of evidence is a number of, such as "the speed of jax:jit over torch:eager"."""
    whose = piece.contestant or piece.framework
    if piece.claim == _RATIO:
        return f"the speed of {whose} over {piece.against}"
    return f"the {piece.claim.split('.', 1)[1].replace('_', ' ').replace('.', ' ')} of {whose}"


def _amount(piece: Evidence, value: float) -> str:
    """Return a number with the unit of a piece of evidence; bytes as "1.42 GiB"."""
    return figures.size(value) if piece.unit == "bytes" else f"{figures.number(value)} {piece.unit}".rstrip()


def _answered(answers: Mapping[str, Answer], question: str, answer: Answer | None) -> dict[str, Answer]:
    changed = {name: given for name, given in answers.items() if name != question}
    if answer is not None:
        changed[question] = answer
    return changed


def _runs(choices: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Give first and last place of each run of equal choices."""
    first = 0
    for place in range(1, len(choices) + 1):
        if place == len(choices) or choices[place] != choices[first]:
            yield first, place - 1
            first = place
