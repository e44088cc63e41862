"""`trivet diff [BEFORE [AFTER]]`: what changed between two runs."""

from __future__ import annotations

import click


@click.command("diff")
@click.argument("before", default="last~1")
@click.argument("after", default="last")
@click.option(
    "--format", "output", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True
)
def command(before: str, after: str, output: str) -> int:
    """Set two runs against each other: speed with an interval, start-up, memory, parity, and every fact that differs.

    BEFORE and AFTER are run folders, zip files of them, ids or parts of one, 'last', or 'last~1' for the one before that.
    Contestants are matched by their labels: `jax:jit` of before and after an upgrade is one contestant.

    \b
    Examples:
      trivet diff
      trivet diff 20261130-193024 last
      trivet diff before.zip after.zip --format markdown
    """  # noqa: D301 - click wants the character \b itself
    from trivet.conclude.changes import compare_runs
    from trivet.errors import EXIT_NOT_EQUAL, EXIT_OK, NothingMeasured
    from trivet.store.run import Run

    diff = compare_runs(Run.open(before), Run.open(after))
    if output == "json":
        from trivet.store import codec

        click.echo(codec.encode(diff, indent=1))
    elif output == "markdown":
        from trivet.console.diff import render_markdown

        click.echo(render_markdown(diff), nl=False)
    else:
        from trivet.console.diff import print_diff

        print_diff(diff)
    changes = [one for workload in diff.workloads for one in workload.contestants]
    if any("not_equal" in one.statuses for one in changes):
        return EXIT_NOT_EQUAL
    if not changes:
        message = f"{diff.before} and {diff.after} have no workload with a contestant in common."
        raise NothingMeasured(message, "`trivet runs` lists what each run asked.")
    if all(one.throughput.ratio is None for one in changes):
        reasons = dict.fromkeys(f"{one.contestant}: {one.withheld}" for one in changes if one.withheld)
        message = f"No speed of {diff.before} can be set against one of {diff.after} ({'; '.join(reasons)})."
        raise NothingMeasured(
            message, "Ask the question again, on a quiet machine if that was the reason: `trivet compare`."
        )
    return EXIT_OK
