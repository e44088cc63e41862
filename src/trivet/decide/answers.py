"""Answers: from a TOML file, from options and from the keyboard; checked against the questions, and written again."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from trivet import toml_text
from trivet.catalog import nearest
from trivet.errors import UsageError
from trivet.model.decision import Answer, Question

UNKNOWN = "?"
"""Stands for "don't know" wherever an answer can be given."""

_YES = ("yes", "y", "true")
_NO = ("no", "n", "false")
_LIST = "`trivet choose --list-questions` lists the questions."


def read(path: Path, questions: Mapping[str, Question]) -> dict[str, Answer]:
    """Return the answers in a file: `question = answer`, one a line. A question left out, or "?", is not known.

    Args:
        path: of a TOML file.
        questions: by id.

    Raises:
        UsageError: the file cannot be read or is not TOML, a question is unknown, an answer of the wrong kind or out of
            range; names file and line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise UsageError(message, 'Give a file with lines such as: targets = ["phone"]') from error
    except UnicodeDecodeError as error:
        message = f"{path} is not a text file in UTF-8."
        raise UsageError(message, "Save it as UTF-8.") from error
    return parse(text, questions, str(path))


def parse(text: str, questions: Mapping[str, Question], where: str) -> dict[str, Answer]:
    """Return the answers in a TOML text; see `read`.

    Args:
        text: the content.
        questions: by id.
        where: the file, for messages.
    """
    try:
        entries = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"{where} is not valid TOML: {error}."
        raise UsageError(message, "Correct the line; texts want quotation marks.") from error
    return check_all(entries, questions, lambda name: f"{where} line {_line(text, name)}")


def check_all(
    entries: Mapping[str, Any], questions: Mapping[str, Question], where: Callable[[str], str]
) -> dict[str, Answer]:
    """Return the answers in a table, in the questions' order; those that are not known left out.

    Args:
        entries: question -> value as TOML has it.
        questions: by id.
        where: tells the place of an entry by its name, for messages.

    Raises:
        UsageError: as `read`.
    """
    found = {}
    for name, value in entries.items():
        answer = check(named(name, questions, where(name)), value, where(name))
        if answer is not None:
            found[name] = answer
    return {name: found[name] for name in questions if name in found}


def named(name: str, questions: Mapping[str, Question], where: str) -> Question:
    """Return one question.

    Raises:
        UsageError: there is none of this name; names the nearest.
    """
    if name not in questions:
        message = f"{where}: there is no question {name!r}.{nearest(name, questions)}"
        raise UsageError(message, _LIST)
    return questions[name]


def check(question: Question, value: Any, where: str) -> Answer | None:
    """Return a value as the question's answer, None for "?".

    Options and names are taken once each; several options stand in the question's order, so that no other order makes
    another decision.

    Args:
        question: that it answers.
        value: as TOML has it.
        where: its place, for messages.

    Raises:
        UsageError: it is no answer to this question.
    """
    if value == UNKNOWN:
        return None
    match question.kind:
        case "yes_no":
            if isinstance(value, bool):
                return value
            raise _wrong(question, value, where, "true or false")
        case "number":
            return _number(question, value, where)
        case "one":
            if isinstance(value, str):
                return _option(question, value, where)
            raise _wrong(question, value, where, "one of its options, as a text")
        case "several":
            chosen = [_option(question, name, where) for name in _texts(question, value, where)]
            return tuple(option for option in question.options if option in chosen)
        case "names":
            return tuple(dict.fromkeys(_texts(question, value, where)))


def of_text(question: Question, text: str, where: str) -> Answer | None:
    """Return what somebody typed as the question's answer, None for "" and "?".

    Args:
        question: that it answers.
        text: such as "yes", "3", "phone,browser".
        where: its place, such as "--targets".

    Raises:
        UsageError: it is no answer to this question.
    """
    text = text.strip()
    if text in ("", UNKNOWN):
        return None
    match question.kind:
        case "yes_no":
            known = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}
            if text.lower() not in known:
                raise _wrong(question, text, where, "yes or no")
            return known[text.lower()]
        case "number":
            try:
                return check(question, float(text), where)
            except ValueError as error:
                raise _wrong(question, text, where, _range(question)) from error
        case "one":
            return check(question, text, where)
        case "several" | "names":
            return check(question, [part.strip() for part in text.split(",") if part.strip()], where)


def to_toml(answers: Mapping[str, Answer], questions: Mapping[str, Question]) -> str:
    """Return answers as a file that `read` takes: each with its question above it, the open ones as comments."""
    lines = []
    for name, question in questions.items():
        lines.append(f"# {question.text}\n")
        if question.options:
            lines.append(f"# {', '.join(question.options)}\n")
        entry = toml_text.table({name: answers[name]}) if name in answers else f"# {name} =\n"
        lines.append(f"{entry}\n")
    return "".join(lines).rstrip("\n") + "\n"


def in_words(question: Question, answer: Answer | None) -> str:
    """Return an answer for people, such as "3 h", "phones, browsers", "don't know"."""
    if answer is None:
        return "don't know"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, tuple):
        return ", ".join(question.options.get(part, part) for part in answer) or "none"
    if isinstance(answer, str):
        return question.options.get(answer, answer)
    return f"{answer:g} {question.unit}".strip()


def _number(question: Question, value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _wrong(question, value, where, _range(question))
    if not question.low <= value <= question.high:
        message = f"{where}: {question.id} is {value:g}; expected {_range(question)}."
        raise UsageError(message, question.text)
    return float(value)


def _range(question: Question) -> str:
    unit = f" {question.unit}" if question.unit else ""
    if math.isinf(question.high):
        return f"a number from {question.low:g}{unit} up"
    return f"a number from {question.low:g} to {question.high:g}{unit}"


def _texts(question: Question, value: Any, where: str) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _wrong(question, value, where, "a list of texts")
    texts = list(value)
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise _wrong(question, value, where, "a list of texts")
    return texts


def _option(question: Question, name: str, where: str) -> str:
    if name not in question.options:
        message = f"{where}: {question.id} has no option {name!r}.{nearest(name, question.options)}"
        raise UsageError(message, f'Its options: {", ".join(question.options)}; or "?" for don\'t know.')
    return name


def _wrong(question: Question, value: Any, where: str, expected: str) -> UsageError:
    return UsageError(
        f"{where}: {question.id} is {value!r}; expected {expected}.",
        f"{question.text} Options: {', '.join(question.options)}." if question.options else question.text,
    )


def _line(text: str, name: str) -> int:
    """Return the number of the line on which a key of the top table stands, 1 if it is written in some unusual way."""
    key = re.compile(rf"""\s*(?:\[\s*)?["']?{re.escape(name)}["']?\s*[=.\]]""")
    return next((number for number, line in enumerate(text.splitlines(), start=1) if key.match(line)), 1)
