"""`trivet report [RUN]`: a stored run again."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("run", default="last")
@click.option(
    "--format", "output", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True
)
@click.option("--page", type=str, help="Write the page here instead of into the run's folder.")
@click.option(
    "--against",
    metavar="TABLE",
    help="Set claims beside the measurements: 'article', a file.toml of your own, or another run.",
)
def command(run: str, output: str, page: str | None, against: str | None) -> None:
    """Show a stored run again: the table, and the page.

    RUN is a run folder, a zip file of one, an id or a part of one, or 'last' (the default).
    """
    from trivet.cli import finish
    from trivet.conclude import conclude
    from trivet.conclude.against import set_against
    from trivet.conclude.claims_of_run import open_tables
    from trivet.errors import UsageError
    from trivet.report.files import page_of, write_files
    from trivet.store.atomic import write_named
    from trivet.store.run import Run

    if page == "":
        message = "--page is empty."
        raise UsageError(message, "Name a file, or leave it out: then the page goes into the run's folder.")
    tables = open_tables(against) if against else ()
    opened = Run.open(run)
    result = conclude(opened)
    beside = set_against(result, tables) if tables else None
    finish.show(result, output, beside)
    if page is None and opened.folder.is_dir():
        written = write_files(opened, result, beside)
    else:
        written = Path(page or f"{opened.id}.html")
        write_named(written, page_of(opened, result, beside).encode(), "--page")
    click.echo(f"\nReport: {written}", err=output != "table")
