"""What `trivet choose` prints and leaves behind, and what it says of a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from trivet.decide.decision import Decision
    from trivet.decide.tree import Tree


def show(decided: Decision, output: str) -> None:
    """Print a decision to standard output as a table, JSON or Markdown."""
    if output == "json":
        import json

        from trivet.decide.plain import plain

        click.echo(json.dumps(plain(decided), indent=1, ensure_ascii=False, allow_nan=False))
    elif output == "markdown":
        from trivet.record.madr import render

        click.echo(render(decided, "FILE"), nl=False)
    else:
        from trivet.console.choice import choice_view
        from trivet.console.paragraphs import print_view

        print_view(choice_view(decided))


def check_free(path: Path, *, replace: bool) -> None:
    """Raise if a record would replace a file that nobody said may be replaced."""
    from trivet.errors import UsageError

    if path.exists() and not replace:
        message = f"{path} is there already."
        raise UsageError(message, "Name another file, or add --replace.")


def write_record(decided: Decision, path: Path) -> None:
    """Write a decision record, its folder too."""
    from trivet.record.madr import render
    from trivet.store.atomic import write_atomically

    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, render(decided, path.as_posix()).encode())
    say_aside(f"Record: {path}")


def write_page(decided: Decision, tree: Tree, path: Path) -> None:
    """Write the page for the meeting."""
    from trivet.report.decision import files

    files.write_page(path, decided, tree)
    say_aside(f"Page: {path}")


def recheck_record(path: Path, *, run: str, offline: bool, output: str) -> int:
    """Decide again from a record's answers, say whether it holds, and return the exit code."""
    from trivet.decide import decision
    from trivet.errors import EXIT_NOT_HOLDING, EXIT_OK
    from trivet.record.again import decide_again
    from trivet.record.recheck import recheck

    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if (
            parameter.name not in ("recheck", "run", "offline", "output")
            and source is ParameterSource.COMMANDLINE
        ):
            message = f"--recheck decides from the record's own answers and tree; {parameter.opts[0]} cannot change it."
            raise click.UsageError(message)
    recorded, decided = decide_again(path, run=run, offline=offline, today=decision.today(), report=say_aside)
    found = recheck(recorded, decided)
    if output == "json":
        import dataclasses
        import json

        click.echo(json.dumps(dataclasses.asdict(found), indent=1, ensure_ascii=False, allow_nan=False))
    else:
        from trivet.console.choice import recheck_view
        from trivet.console.paragraphs import print_view

        print_view(recheck_view(found, decided))
    return EXIT_OK if found.standing == "holds" else EXIT_NOT_HOLDING


def say_aside(text: str) -> None:
    """Print a line to standard error, so that standard output holds the decision alone."""
    click.echo(text, err=True)
