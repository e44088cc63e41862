"""A decision as a record in the MADR form (Markdown Any Decision Records)."""

from __future__ import annotations

from collections.abc import Iterator

from trivet.decide import answers, words
from trivet.decide.decision import Decision, evidence_sha256
from trivet.model.decision import ROLES, Effect
from trivet.model.evidence import Evidence
from trivet.record import block
from trivet.record.revisit import revisit

_SHOWN_HASH = 12
_BEGINNINGS = ("The", "A", "An", "Its", "No", "Nobody", "There")
"""Words that have a capital letter only at the beginning of a sentence."""


def render(decision: Decision, file: str) -> str:
    """Return the whole record.

    Args:
        decision: what was decided.
        file: the record's own name, for the command that checks it again.
    """
    parts = [
        _front(decision),
        _context(decision),
        _drivers(decision),
        _considered(decision),
        _outcome(decision, file),
        _options(decision),
        _list(
            "What would change it", (decision.cited(flip.reason) for flip in decision.recommendation.flips)
        ),
        _list("What is missing", _gaps(decision)),
        _evidence(decision),
        f"## For trivet\n\n{block.write(decision)}",
    ]
    return "\n".join(part for part in parts if part)


def title_of(decision: Decision) -> str:
    """Return the record's title."""
    outcome = decision.recommendation.outcome
    if outcome.choice:
        return f"Use {decision.titles[outcome.choice]}"
    if outcome.open:
        return f"Framework undecided: {_names(decision, outcome.open)}"
    return "No framework fulfils the hard constraints"


def _front(decision: Decision) -> str:
    status = "accepted" if decision.recommendation.outcome.choice else "proposed"
    day = revisit(decision.used, decision.today).day
    return f"---\nstatus: {status}\ndate: {decision.today}\nrevisit: {day}\n---\n\n# {title_of(decision)}\n"


def _context(decision: Decision) -> str:
    asked = (
        f"Which framework, of {_names(decision, tuple(decision.titles))}? Decided by trivet's tree "
        f"`{decision.tree}` from these answers and the evidence below."
    )
    lines = ["## Context and problem statement", "", asked, ""]
    for name, answer in decision.answers.items():
        question = decision.questions[name]
        lines.append(f"- {question.text} **{answers.in_words(question, answer)}**")
    unknown = len(decision.questions) - len(decision.answers)
    if unknown:
        lines.append(f"- Not answered, or not known: {unknown} of {len(decision.questions)} questions.")
    return "\n".join(lines) + "\n"


def _drivers(decision: Decision) -> str:
    said = {
        step.text: decision.said(step)
        for step in decision.recommendation.outcome.path
        if decision.telling(step)
    }
    return _list(
        "Decision drivers",
        (f"{text}{f' ({answer})' if answer else ''}" for text, answer in said.items()),
    )


def _considered(decision: Decision) -> str:
    out = decision.recommendation.outcome.out
    return _list(
        "Considered options",
        (f"{decision.titles[name]}{' (out)' if name in out else ''}" for name in decision.titles),
    )


def _outcome(decision: Decision, file: str) -> str:
    recommendation = decision.recommendation
    because = [decision.cited(reason) for reason in recommendation.verdict]
    lines = ["## Decision outcome", ""]
    choice = recommendation.outcome.choice
    lines += [
        f'Chosen option: "{decision.titles[choice]}", because:' if choice else "No option is chosen:",
        "",
    ]
    lines += [f"- {sentence}" for sentence in because]
    lines += [f"- Pulls apart: {decision.cited(reason)}" for reason in recommendation.conflicts]
    roles = recommendation.outcome.portfolio
    if roles:
        named = [f"{_title(decision, roles[role])} {words.ROLES[role]}" for role in ROLES if roles.get(role)]
        lines += ["", f"As a portfolio: {', '.join(named)}.", ""]
        lines += [f"- {decision.cited(reason)}" for reason in recommendation.portfolio]
    lines += ["", "### Consequences", "", *_consequences(decision)]
    again = revisit(decision.used, decision.today)
    confirmed = (
        f"To be looked at again on {again.day}: {again.why} `trivet choose --recheck {file}` says whether it still holds "
        "on the evidence of that day."
    )
    lines += ["", "### Confirmation", "", confirmed]
    return "\n".join(lines) + "\n"


def _consequences(decision: Decision) -> list[str]:
    """Return what the choice brings, and what it gives up; nothing that the path does not say."""
    choice = decision.recommendation.outcome.choice
    if not choice:
        return ["- Bad, because work begins without a decision, or waits for what is missing."]
    effects = list(_effects(decision))
    good = [one for one in effects if one.framework == choice and one.points > 0]
    bad = [one for one in effects if one.framework == choice and one.points < 0]
    given_up = [
        one for one in effects if one.framework != choice and one.points > 0 and one.over in ("", choice)
    ]
    return [
        *(f"- Good, because {_clause(decision, one)}" for one in good),
        *(f"- Bad, because {_clause(decision, one)}" for one in bad),
        *(f"- Given up: {_title(decision, one.framework)}: {decision.cited(one.reason)}" for one in given_up),
    ] or ["- Neutral: nothing on the path speaks for or against it."]


def _options(decision: Decision) -> str:
    lines = ["## Pros and cons of the options"]
    out = decision.recommendation.outcome.out
    for name in decision.options:
        lines += ["", f"### {_title(decision, name)}", ""]
        effects = [one for one in _effects(decision) if one.framework == name]
        lines += [f"- Out, because {_clause(decision, one)}" for one in out.get(name, ())]
        lines += [f"- Good, because {_clause(decision, one)}" for one in effects if one.points > 0]
        lines += [f"- Bad, because {_clause(decision, one)}" for one in effects if one.points < 0]
        if lines[-1] == "":
            lines.append("- Neutral: nothing on the path speaks for or against it.")
    return "\n".join(lines) + "\n"


def _gaps(decision: Decision) -> Iterator[str]:
    for gap in decision.recommendation.gaps:
        yield f"{gap.text}{f' `{gap.command}`' if gap.command else ''}"


def _evidence(decision: Decision) -> str:
    lines = ["## Evidence", ""]
    lines += [*decision.notes, ""] if decision.notes else []
    if not decision.used:
        return "\n".join([*lines, "None."]) + "\n"
    lines += ["| | what is known | strength | source | date | expires | sha256 |"]
    lines += ["| ---: | --- | --- | --- | --- | --- | --- |"]
    lines += [_row(number, piece, decision.today) for number, piece in enumerate(decision.used, start=1)]
    lines += [
        "",
        f"Tree `{decision.tree}`: sha256 `{decision.tree_sha256[:_SHOWN_HASH]}`. Whole hashes are below.",
    ]
    return "\n".join(lines) + "\n"


def _row(number: int, piece: Evidence, today: str) -> str:
    expires = f"{piece.expires or 'never'}{' (stale)' if piece.is_stale(today) else ''}"
    cells = [
        str(number),
        piece.text,
        piece.strength,
        piece.source,
        piece.dated,
        expires,
        f"`{evidence_sha256(piece)[:_SHOWN_HASH]}`",
    ]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _effects(decision: Decision) -> Iterator[Effect]:
    for step in decision.recommendation.outcome.path:
        yield from decision.telling(step)


def _clause(decision: Decision, effect: Effect) -> str:
    """Return an effect's sentence as it follows "because"."""
    text = decision.cited(effect.reason)
    return text[0].lower() + text[1:] if text.split(" ")[0] in _BEGINNINGS else text


def _list(heading: str, entries: Iterator[str]) -> str:
    lines = [f"- {entry}" for entry in entries]
    return "\n".join([f"## {heading}", "", *lines]) + "\n" if lines else ""


def _title(decision: Decision, framework: str) -> str:
    return decision.titles.get(framework, framework)


def _names(decision: Decision, frameworks: tuple[str, ...]) -> str:
    return ", ".join(_title(decision, name) for name in frameworks)
