"""`trivet runs`: list, export, zip, remove."""

from __future__ import annotations

from pathlib import Path

import click


@click.group("runs", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the stored runs, newest first; or export, zip, remove one.

    RUN is a run folder, a zip file of one, an id or a part of one, or 'last'.
    """
    if ctx.invoked_subcommand is None:
        _list()


def _list() -> None:
    from trivet.folders import runs_folder
    from trivet.plain import plain
    from trivet.store.listing import listing

    found = listing()
    if not found:
        click.echo(f"No runs in {runs_folder()}. `trivet compare` makes one.")
        return
    for listed in reversed(found):
        if listed.problem:
            click.echo(plain(f"{listed.run}  damaged: {listed.problem}"))
            continue
        state = f"{listed.state}, --resume goes on" if listed.state == "not complete" else listed.state
        click.echo(
            plain(f"{listed.run}  {', '.join(listed.workloads)}; {listed.generations} generations; {state}")
        )
        click.echo(plain(f"{'':<21}{', '.join(listed.contestants)}"))
    click.echo(f"\nIn {runs_folder()}. `trivet report ID` shows one.")


@command.command("export")
@click.argument("run", default="last")
@click.option(
    "--csv",
    "as_csv",
    is_flag=True,
    required=True,
    help="Write ID-slices.csv, ID-estimates.csv and ID-pairs.csv.",
)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Folder; default here.",
)
def export(run: str, as_csv: bool, folder: Path) -> None:
    """Write a run's raw slices, estimates and pairs as CSV files."""
    from trivet.conclude import conclude
    from trivet.store.export_csv import export_csv
    from trivet.store.run import Run

    assert as_csv
    opened = Run.open(run)
    for path in export_csv(opened, conclude(opened), folder):
        click.echo(path)


@command.command("zip")
@click.argument("run", default="last")
@click.option(
    "--to", "target", type=click.Path(path_type=Path, dir_okay=False), help="File; default ID.zip here."
)
def zip_(run: str, target: Path | None) -> None:
    """Pack a run into one file that can be mailed and reported elsewhere."""
    from trivet.store.archive import zip_run
    from trivet.store.run import Run

    opened = Run.open(run)
    click.echo(zip_run(opened, target or Path(f"{opened.id}.zip")))


@command.command("remove")
@click.argument("runs", nargs=-1, required=True)
def remove(runs: tuple[str, ...]) -> None:
    """Remove runs for good.

    RUNS are run folders, ids, six characters or more of an id's beginning or end, or 'last'.
    """
    from trivet.store.listing import remove

    for run in runs:
        click.echo(f"removed {remove(run)}")
