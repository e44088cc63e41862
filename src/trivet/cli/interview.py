"""The interview of `trivet choose`: one question after the other, as the tree comes to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from trivet.decide import answers as reading
from trivet.decide import trees
from trivet.errors import UsageError
from trivet.model.decision import Answer, Question


def interview(
    answers: dict[str, Answer],
    questions: Mapping[str, Question],
    following: Callable[[Mapping[str, Answer]], list[str]],
) -> None:
    """Ask what the tree still wants to know, and put it into `answers` as soon as it is said.

    Args:
        answers: known so far; added to in place, so that an interrupt loses nothing.
        questions: by id.
        following: the questions on the path that answers lead along, in order.

    Raises:
        click.Abort: the user broke off.
    """
    click.echo('Enter or "?" means: don\'t know. Ctrl-C breaks off; answers can be kept.\n')
    passed: set[str] = set()
    while True:
        open_ones = [name for name in following(answers) if name not in answers and name not in passed]
        if not open_ones:
            return
        name = open_ones[0]
        answer = _ask(questions[name])
        if answer is None:
            passed.add(name)
        else:
            answers[name] = answer


def keep(
    answers: Mapping[str, Answer], questions: Mapping[str, Question], path: Path | None, *, tree: str
) -> None:
    """Offer to keep the answers of an interview that was broken off, and say how to go on with them.

    Args:
        answers: known so far.
        questions: by id.
        path: the file that the user has named already, or None.
        tree: as the user named it.
    """
    if not answers:
        return
    if path is None:
        said = click.prompt(
            f"\nKeep your {len(answers)} answers in a file? Its name, or Enter for no",
            default="",
            show_default=False,
        )
        if not said.strip():
            return
        path = Path(said.strip())
    path.write_text(reading.to_toml(answers, questions), encoding="utf-8")
    named = "" if tree == trees.DEFAULT else f"--tree {tree} "
    click.echo(f"Kept. `trivet choose {named}--answers {path} --ask` goes on.")


def _ask(question: Question) -> Answer | None:
    """Return the answer to one question, None for "don't know"; what is no answer is asked again."""
    click.echo(click.style(question.text, bold=True))
    click.echo(f"  Why: {question.why}")
    for number, text in enumerate(question.options.values(), start=1):
        click.echo(f"  {number} {text}")
    while True:
        said = click.prompt(f"  {_HINTS[question.kind]}{_unit(question)}", default="", show_default=False)
        try:
            answer = reading.of_text(question, _by_number(question, said), "your answer")
        except UsageError as error:
            click.echo(f"  {error.message}")
            continue
        click.echo()
        return answer


_HINTS = {
    "yes_no": "yes or no",
    "one": "number",
    "several": "numbers, comma-separated",
    "number": "number",
    "names": "names, comma-separated",
}


def _unit(question: Question) -> str:
    return f" ({question.unit})" if question.unit else ""


def _by_number(question: Question, said: str) -> str:
    """Return what was said with the numbers of options replaced by the options."""
    options = list(question.options)
    if not options:
        return said

    def option(part: str) -> str:
        known = part.isdecimal() and 1 <= int(part) <= len(options)
        return options[int(part) - 1] if known else part

    return ",".join(option(part.strip()) for part in said.split(","))
