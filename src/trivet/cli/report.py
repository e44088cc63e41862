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
def command(run: str, output: str, page: Path | None) -> None:
    """Show a stored run again: the table, and the page.

    RUN is a run folder, a zip file of one, an id or a part of one, or 'last' (the default).
    """
    from trivet.cli import finish
    from trivet.conclude import conclude
    from trivet.report.files import page_of, write_files
    from trivet.store.atomic import write_atomically
    from trivet.store.run import Run

    opened = Run.open(run)
    result = conclude(opened)
    finish.show(result, output)
    if page is None and opened.folder.is_dir():
        page = write_files(opened, result)
    elif page is None:
        page = Path(f"{opened.id}.html")
        write_atomically(page, page_of(opened, result).encode())
    else:
        write_atomically(page, page_of(opened, result).encode())
    click.echo(f"\nReport: {page}", err=output != "table")
