"""What a command leaves behind when it has a result: the page, the JSON file, and what was asked for on the screen."""

from __future__ import annotations

from pathlib import Path

import click

from trivet.errors import EXIT_NOT_EQUAL, EXIT_OK, NothingMeasured
from trivet.model.against import Against
from trivet.model.result import Result


def present(result: Result, folder: Path, output: str, against: Against | None = None) -> int:
    """Print the result, write page and JSON into the run's folder, and return the exit code.

    Args:
        result: what to show.
        folder: the run's folder.
        output: "table", "json" or "markdown".
        against: the run beside a table of claims, to be shown too; as JSON, instead of the result.

    Raises:
        NothingMeasured: no contestant has a measurement.
        OSError: page or JSON cannot be written; the result is printed all the same.
        BrokenPipeError: the reader of the output has gone; page and JSON are written all the same.
    """
    try:
        show(result, output, against)
    finally:
        page = write(result, folder, against)
    click.echo(f"\nReport: {page}", err=output != "table")
    statuses = [contestant.status for workload in result.workloads for contestant in workload.contestants]
    if "not_equal" in statuses:
        return EXIT_NOT_EQUAL
    if not any(status in ("measured", "disturbed") for status in statuses):
        message = "Nothing could be measured; the table says why for each contestant."
        raise NothingMeasured(message, "`trivet doctor` says what is broken and which command repairs it.")
    return EXIT_OK


def write(result: Result, folder: Path, against: Against | None = None) -> Path:
    """Write result.json and report.html into the run's folder, and return the page's path."""
    from trivet.report.files import write_files
    from trivet.store.run import Run

    return write_files(Run.open(folder), result, against)


def show(result: Result, output: str, against: Against | None = None) -> None:
    """Print the result to standard output as a table, JSON or Markdown, and below it what it says of claims."""
    if output == "json":
        click.echo(_json(result, against))
    elif output == "markdown":
        from trivet.console.against import render_markdown as render_against
        from trivet.console.markdown import render_markdown

        click.echo(render_markdown(result), nl=False)
        if against is not None:
            click.echo(f"\n{render_against(against)}", nl=False)
    else:
        from trivet.console.against import print_against
        from trivet.console.table import print_result

        print_result(result)
        if against is not None:
            print_against(against)


def _json(result: Result, against: Against | None) -> str:
    if against is not None:
        import dataclasses
        import json

        return json.dumps(dataclasses.asdict(against), indent=1, ensure_ascii=False)
    from trivet.store import codec

    return codec.encode(result, indent=1)
