"""From a sentence to what it rests on: a link for each piece of evidence, each answer and each citation."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

from trivet.model.decision import Question, Reason
from trivet.model.evidence import Evidence

_ADDRESS = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:)]")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Link:
    """One link.

    Attributes:
        href: of a place in the page.
        label: short, such as "e12".
        title: what is there.
    """

    href: str
    label: str
    title: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tracing:
    """The places in the page that sentences point at.

    Attributes:
        evidence: key -> the links of its rows; one row as a rule.
        answers: question -> the link of its answer.
        citations: citation -> the link of its entry.
    """

    evidence: dict[str, tuple[Link, ...]]
    answers: dict[str, Link]
    citations: dict[str, Link]

    def links(self, reason: Reason) -> tuple[Link, ...]:
        """Return what a sentence rests on, each once.

        Raises:
            ValueError: it names evidence, or a question, that the page does not show.
        """
        missing = [
            *(key for key in reason.evidence if key not in self.evidence),
            *(question for question in reason.answers if question not in self.answers),
        ]
        if missing:
            message = f'"{reason.text}" rests on {", ".join(missing)}, which the page was not given.'
            raise ValueError(message)
        found = [link for key in reason.evidence for link in self.evidence[key]]
        found += [self.answers[question] for question in reason.answers]
        if reason.citation:
            found.append(self.citations[reason.citation])
        return tuple(dict.fromkeys(found))


def tracing(evidence: Sequence[Evidence], questions: Sequence[Question], citations: Iterable[str]) -> Tracing:
    """Return the places of a page.

    Args:
        evidence: in the order of the table's rows.
        questions: in the order of the answers' rows.
        citations: that sentences name.
    """
    rows: dict[str, tuple[Link, ...]] = {}
    for number, piece in enumerate(evidence, start=1):
        link = Link(href=f"#e{number}", label=f"e{number}", title=piece.text)
        rows[piece.key] = (*rows.get(piece.key, ()), link)
    return Tracing(
        evidence=rows,
        answers={
            question.id: Link(href=f"#a{number}", label=f"a{number}", title=f"your answer: {question.text}")
            for number, question in enumerate(questions, start=1)
        },
        citations={
            citation: Link(href=f"#c{number}", label=f"c{number}", title=citation)
            for number, citation in enumerate(dict.fromkeys(filter(None, citations)), start=1)
        },
    )


def address(text: str) -> str:
    """Return the first web address in a text, "" without one."""
    found = _ADDRESS.search(text)
    return found[0] if found else ""
