"""`trivet choose`: which framework, why, and what would change it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from trivet.decide.tree import Tree
    from trivet.model.decision import Answer, Question


@click.command("choose")
@click.option(
    "--answers",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A TOML file of answers: question = answer, one a line.",
)
@click.option("--needs", metavar="LIST", help="Libraries that you cannot do without, comma-separated.")
@click.option(
    "--targets", metavar="LIST", help="Where the model must run: server, phone, browser, cpp, edge."
)
@click.option("--training-hours", metavar="H", help="How long one training run takes.")
@click.option(
    "--set", "settings", multiple=True, metavar="QUESTION=ANSWER", help="Any other answer; may be repeated."
)
@click.option("--ask", is_flag=True, help="Ask in the terminal for what is not answered yet.")
@click.option(
    "--save-answers", type=click.Path(path_type=Path), metavar="FILE", help="Keep the answers in a file."
)
@click.option("--list-questions", is_flag=True, help="Show the tree's questions instead of deciding.")
@click.option(
    "--tree",
    default="trivet",
    show_default=True,
    metavar="TREE",
    help="trivet, article, or a TOML file of yours.",
)
@click.option("--explain", is_flag=True, help="Show the tree instead of deciding; faults in it are named.")
@click.option(
    "--run", default="", metavar="RUN", help="The run whose performance counts; default the newest that fits."
)
@click.option(
    "--workload", default="", metavar="NAME", help="Whose runs count; default that of the newest run."
)
@click.option("--frameworks", metavar="LIST", help="Frameworks in question; default torch,tensorflow,jax.")
@click.option(
    "--offline",
    is_flag=True,
    help="Ask nobody; answers of the package index that were kept are used with their date.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a decision record: Markdown, in MADR form.",
)
@click.option("--replace", is_flag=True, help="With --record: replace the file that is there.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    metavar="PAGE",
    help="Write a page for the meeting: one file, in which answers can be changed and the verdict follows.",
)
@click.option(
    "--recheck",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Say whether a record holds on the evidence of today: exit code 0 if it does, 1 if not.",
)
@click.option(
    "--format", "output", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True
)
def command(
    file: Path | None,
    needs: str | None,
    targets: str | None,
    training_hours: str | None,
    settings: tuple[str, ...],
    ask: bool,
    save_answers: Path | None,
    list_questions: bool,
    tree: str,
    explain: bool,
    run: str,
    workload: str,
    frameworks: str | None,
    offline: bool,
    record: Path | None,
    replace: bool,
    page: Path | None,
    recheck: Path | None,
    output: str,
) -> int:
    """Say which framework suits you, why, and what would change it; or that it is undecided.

    Alone, it asks a few questions in the terminal. It rests on your newest fitting run, on what your package index says of
    the libraries you need, and on dated facts; it says what is missing, and the command that fills it in.

    \b
    Examples:
      trivet choose
      trivet choose --needs transformers --targets phone,server
      trivet choose --answers team.toml --record docs/decisions/0007-framework.md
      trivet choose --answers team.toml --html meeting.html
      trivet choose --recheck docs/decisions/0007-framework.md
      trivet choose --tree mine.toml --explain
    """  # noqa: D301 - click wants the character \b itself
    from trivet.cli import decided as outcome
    from trivet.decide import decision, trees
    from trivet.errors import EXIT_OK
    from trivet.evidence.gather import Asked

    if recheck is not None:
        return outcome.recheck_record(recheck, run=run, offline=offline, output=output)
    loaded = trees.load(tree)
    known = decision.all_questions(loaded)
    titles = decision.titles_of(_parts(frameworks or ""))
    today = decision.today()
    if explain or list_questions:
        return _show_tree(loaded, titles, today, explain=explain)
    if record is not None:
        outcome.check_free(record, replace=replace)
    flags = {"needs": needs, "targets": targets, "training_hours": training_hours}
    given = [(f"--{name.replace('_', '-')}", name, text) for name, text in flags.items() if text is not None]
    given += [(f"--set {name}", name, text) for name, text in map(_setting, settings)]
    answers = _answers(file, given, known)
    if ask or not (file or given):
        following = decision.path_questions(loaded, tuple(titles), today)
        _interview(answers, known, following, save_answers, tree=tree)
    if save_answers is not None:
        _save(answers, known, save_answers)
    asked = Asked(
        titles=titles, workload=workload, run=run, offline=offline, today=today, report=outcome.say_aside
    )
    decided = decision.decide(loaded, answers, given=tree, asked=asked)
    outcome.show(decided, output)
    if record is not None:
        outcome.write_record(decided, record)
    if page is not None:
        outcome.write_page(decided, loaded, page)
    return EXIT_OK


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _setting(text: str) -> tuple[str, str]:
    name, equals, answer = text.partition("=")
    if not equals:
        message = f"--set {text} is not of the form QUESTION=ANSWER."
        raise click.UsageError(message)
    return name.strip(), answer


def _answers(
    file: Path | None, given: Iterable[tuple[str, str, str]], known: Mapping[str, Question]
) -> dict[str, Answer]:
    """Return the answers of the file; where an option gives one too, the option's."""
    from trivet.decide import answers as reading

    found = reading.read(file, known) if file else {}
    for option, name, text in given:
        answer = reading.of_text(reading.named(name, known, option), text, option)
        found.pop(name, None)
        if answer is not None:
            found[name] = answer
    return {name: found[name] for name in known if name in found}


def _interview(
    answers: dict[str, Answer],
    known: Mapping[str, Question],
    following: Callable[[Mapping[str, Answer]], list[str]],
    save_answers: Path | None,
    *,
    tree: str,
) -> None:
    """Ask in the terminal; an interview that is broken off loses no answer."""
    import sys

    from trivet.cli.interview import interview, keep
    from trivet.errors import UsageError

    if not sys.stdin.isatty():
        message = "There are no answers, and nobody to ask: this is not a terminal."
        raise UsageError(
            message, "Give --answers FILE or answers as options; `trivet choose --list-questions` lists them."
        )
    try:
        interview(answers, known, following)
    except click.Abort:
        keep(answers, known, save_answers, tree=tree)
        raise


def _save(answers: Mapping[str, Answer], known: Mapping[str, Question], path: Path) -> None:
    from trivet.cli.decided import say_aside
    from trivet.decide.answers import to_toml
    from trivet.store.atomic import write_atomically

    write_atomically(path, to_toml(answers, known).encode())
    say_aside(f"Answers: {path}")


def _show_tree(tree: Tree, titles: Mapping[str, str], today: str, *, explain: bool) -> int:
    from trivet.console.paragraphs import print_view
    from trivet.console.tree import questions_view, tree_view
    from trivet.decide.ready import make_ready
    from trivet.errors import EXIT_OK
    from trivet.evidence.gather import Asked, gather

    if explain:
        found = gather(Asked(titles=titles, today=today, offline=True))
        ready = make_ready(tree, found.evidence, frameworks=tuple(titles), today=today)
        print_view(tree_view(ready, tree.questions, titles))
    else:
        print_view(questions_view(tree.questions.values()))
    return EXIT_OK
