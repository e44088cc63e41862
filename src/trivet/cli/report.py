"""`trivet report [RUN]`: a stored run again."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("run", default="last")
@click.option(
    "--format", "output", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True
)
@click.option(
    "--page", type=click.Path(path_type=Path), help="Write the page here instead of into the run's folder."
)
@click.option(
    "--against",
    metavar="TABLE",
    help="Set claims beside the measurements: 'article', a file.toml of your own, or another run.",
)
def command(run: str, output: str, page: Path | None, against: str | None) -> None:
    """Show a stored run again: the table, and the page.

    RUN is a run folder, a zip file of one, an id or a part of one, or 'last' (the default).
    """
    from trivet.cli import finish
    from trivet.conclude import conclude
    from trivet.conclude.against import set_against
    from trivet.conclude.claims_of_run import open_tables
    from trivet.report.files import page_of, write_files
    from trivet.store.atomic import write_atomically
    from trivet.store.run import Run

    tables = open_tables(against) if against else ()
    opened = Run.open(run)
    result = conclude(opened)
    beside = set_against(result, tables) if tables else None
    finish.show(result, output, beside)
    if page is None and opened.folder.is_dir():
        page = write_files(opened, result, beside)
    elif page is None:
        page = Path(f"{opened.id}.html")
        write_atomically(page, page_of(opened, result, beside).encode())
    else:
        write_atomically(page, page_of(opened, result, beside).encode())
    click.echo(f"\nReport: {page}", err=output != "table")
