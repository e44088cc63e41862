"""Words for answers, numbers and frameworks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trivet import figures
from trivet.decide.known import Known
from trivet.model.decision import Answer, Outcome, Question, Role

ROLES: dict[Role, str] = {"build": "to build in", "research": "for research", "ship": "to ship with"}


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def titles(known: Known, frameworks: Sequence[str], last: str = "and") -> str:
    """Return frameworks' names for people, such as "PyTorch and JAX"."""
    return listed([known.title(framework) for framework in frameworks], last)


def quantity(value: float, unit: str) -> str:
    """Return a number with its unit; short times in minutes and seconds.

    Example:
        >>> quantity(3.0, "h"), quantity(0.025, "h"), quantity(20.0, "runs")
        ('3 h', '1.5 min', '20 runs')
    """
    if unit == "h" and 0 < value < 0.1:
        seconds = value * 3600
        return f"{_short(seconds / 60)} min" if seconds >= 60 else f"{_short(seconds)} s"
    return f"{_short(value)} {unit}".strip()


def points(value: float) -> str:
    """Return points such as "1 point" or "2.5 points"."""
    return f"{round(value, 2):g} point{'' if round(value, 2) == 1 else 's'}"


def parts(outcome: Outcome, titles: Mapping[str, str], alone: str) -> str:
    """Return the headline of an outcome, which names who builds and who ships where these may be different frameworks.

    Args:
        outcome: where answers lead.
        titles: framework -> its name for people.
        alone: the headline for one framework, such as "JAX" or "Undecided: PyTorch or JAX".

    Example:
        "JAX to build in, TensorFlow to ship with; if it must be one: TensorFlow"
    """
    named = [f"{titles[name]} {ROLES[role]}" for role, name in _roles(outcome) if name]
    if not named:
        return alone
    one = alone if outcome.choice else alone[0].lower() + alone[1:]
    return f"{', '.join(named)}; if it must be one: {one}"


def _roles(outcome: Outcome) -> list[tuple[Role, str]]:
    return [(role, outcome.portfolio[role]) for role in ROLES if role in outcome.portfolio]


def between(question: Question, low: float | None, high: float | None) -> str:
    """Return as the end of "... if" that a number lies between two edges; None for no edge on that side."""
    if low is None and high is None:
        span = "any number at all"
    elif low is None:
        assert high is not None
        span = f"less than {quantity(high, question.unit)}"
    elif high is None:
        span = f"more than {quantity(low, question.unit)}"
    else:
        span = f"between {quantity(low, '')} and {quantity(high, question.unit)}"
        if question.unit == "h" and low < 0.1:
            span = f"between {quantity(low, 'h')} and {quantity(high, 'h')}"
    return _filled(question, span)


def clause(question: Question, before: Answer | None, after: Answer | None) -> str:
    """Return a changed answer as the end of "... if". Of several options or names, one was added or taken away.

    Args:
        question: that is answered.
        before: the answer as given, None for "don't know".
        after: the other answer.
    """
    if after is None:
        return f"the answer to “{question.text}” is not known"
    if isinstance(after, bool):
        said = question.when if after else question.unless
        return said or f"the answer to “{question.text}” is {'yes' if after else 'no'}"
    if isinstance(after, tuple):
        given = before if isinstance(before, tuple) else ()
        more = [one for one in after if one not in given]
        if more:
            return _filled(question, question.options.get(more[0], more[0]), also=bool(given))
        lost = next(one for one in given if one not in after)
        name = question.options.get(lost, lost)
        return (
            question.unless.format(name) if question.unless else f"{name} is no answer to “{question.text}”"
        )
    return _filled(question, question.options.get(str(after), str(after)))


def _filled(question: Question, text: str, *, also: bool = False) -> str:
    said = question.when.format(text) if question.when else f"the answer to “{question.text}” is {text}"
    return f"{said} too" if also else said


def _short(value: float) -> str:
    """Return a number to three significant digits, without needless zeros."""
    text = figures.number(value)
    return text.rstrip("0").rstrip(".") if "." in text else text
