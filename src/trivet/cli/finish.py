"""What a command leaves behind when it has a result: the page, the JSON file, and what was asked for on the screen."""

from __future__ import annotations

from pathlib import Path

import click

from trivet.errors import EXIT_NOT_EQUAL, EXIT_OK, NothingMeasured
from trivet.model.result import Result


def present(result: Result, folder: Path, output: str) -> int:
    """Print the result, write page and JSON into the run's folder, and return the exit code.

    Args:
        result: what to show.
        folder: the run's folder.
        output: "table", "json" or "markdown".

    Raises:
        NothingMeasured: no contestant has a measurement.
        OSError: page or JSON cannot be written; the result is printed all the same.
    """
    show(result, output)
    page = write(result, folder)
    click.echo(f"\nReport: {page}", err=output != "table")
    statuses = [contestant.status for workload in result.workloads for contestant in workload.contestants]
    if "not_equal" in statuses:
        return EXIT_NOT_EQUAL
    if not any(status in ("measured", "disturbed") for status in statuses):
        message = "Nothing could be measured; the table says why for each contestant."
        raise NothingMeasured(message, "`trivet doctor` says what is broken and which command repairs it.")
    return EXIT_OK


def write(result: Result, folder: Path) -> Path:
    """Write result.json and report.html into a folder, and return the page's path."""
    from trivet.report.build import render
    from trivet.store import codec
    from trivet.store.archive import PAGE, RESULT
    from trivet.store.atomic import write_atomically

    write_atomically(folder / RESULT, codec.encode(result, indent=1).encode())
    write_atomically(folder / PAGE, render(result).encode())
    return folder / PAGE


def show(result: Result, output: str) -> None:
    """Print the result to standard output as a table, JSON or Markdown."""
    if output == "json":
        from trivet.store import codec

        click.echo(codec.encode(result, indent=1))
    elif output == "markdown":
        from trivet.console.markdown import render_markdown

        click.echo(render_markdown(result), nl=False)
    else:
        from trivet.console.table import print_result

        print_result(result)
