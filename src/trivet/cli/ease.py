"""`trivet ease`: planted mistakes, run; native code, counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from trivet.model.ease import EaseResult, Mistake


@click.command("ease")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="NAME",
    help="Such as torch, jax:jit or jax:jit@0.9.2; all by default.",
)
@click.option(
    "--mistake",
    "mistakes",
    multiple=True,
    metavar="NAME",
    help="Such as M3a or label_too_large; all by default.",
)
@click.option(
    "--switch/--no-switch",
    "switches",
    default=True,
    show_default=True,
    help="Try the frameworks' debugging switches too, and measure what they cost.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Programs at a time; where time counts, always one.",
)
@click.option("--offline", is_flag=True, help="Build environments from what is on this machine only.")
@click.option("--again", is_flag=True, help="Run what has been run before too.")
@click.option("--shipped", is_flag=True, help="Run nothing; show the dated table that comes with trivet.")
@click.option(
    "--against", metavar="FILE", help="Say what changed against a stored table; 'shipped' is trivet's own."
)
@click.option(
    "--code",
    metavar="[WORKLOAD]",
    is_flag=False,
    flag_value="resnet18",
    help="Run nothing; count lines, symbols and concepts of a workload's native files.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(["table", "json", "markdown"]),
    default="table",
    show_default=True,
)
def command(
    variants: tuple[str, ...],
    mistakes: tuple[str, ...],
    switches: bool,
    jobs: int,
    offline: bool,
    again: bool,
    shipped: bool,
    against: str | None,
    code: str | None,
    output: str,
) -> int:
    """Plant mistakes in each framework's native programs, run them, and say what becomes of each.

    Is it an error, and does that point at the line? A warning? Corrected? Or plausible wrong numbers? A profile, row by
    row, and no total. What was run is kept: an interrupted table goes on.

    \b
    Examples:
      trivet ease
      trivet ease --variant torch --variant jax:jit --mistake M3a --no-switch
      trivet ease --variant jax@0.9.2 --against shipped
      trivet ease --shipped
      trivet ease --code resnet18
    """  # noqa: D301 - click wants the character \b itself
    from trivet.errors import EXIT_OK

    if code is not None:
        _count(code, output)
        return EXIT_OK
    from trivet.ease import planted, results

    known = planted.mistakes()
    before = None
    if against is not None:
        before = results.shipped() if against == "shipped" else results.read(Path(against))
    result = results.shipped() if shipped else _run(known, variants, mistakes, switches, jobs, offline, again)
    _show(result, known, before, output)
    return EXIT_OK


def _run(
    known: dict[str, Mistake],
    variants: tuple[str, ...],
    mistakes: tuple[str, ...],
    switches: bool,
    jobs: int,
    offline: bool,
    again: bool,
) -> EaseResult:
    import sys

    from trivet.console.live import watcher
    from trivet.ease import planted
    from trivet.ease.selection import choose_mistakes, choose_variants
    from trivet.ease.table import run_table

    with watcher(sys.stderr) as watch:
        try:
            return run_table(
                choose_variants(variants, planted.families()),
                choose_mistakes(mistakes, known),
                switches=switches,
                jobs=jobs,
                offline=offline,
                again=again,
                say=watch.doing,
            )
        except KeyboardInterrupt:
            watch.say("Stopped. The same command goes on from here.")
            raise


def _show(result: EaseResult, known: dict[str, Mistake], before: EaseResult | None, output: str) -> None:
    from trivet.console.ease import ease_markdown, ease_view, print_view
    from trivet.ease import results

    changed = results.changes(before, result) if before else None
    if output == "json":
        click.echo(results.to_json(result), nl=False)
        if changed is not None:
            from trivet.ease.words import change_lines

            for line in change_lines(changed, known):
                click.echo(line, err=True)
    elif output == "markdown":
        click.echo(ease_markdown(result, known, changed))
    else:
        print_view(ease_view(result, known, changed))


def _count(workload: str, output: str) -> None:
    from trivet import catalog
    from trivet.ease.code import of_workload

    counts = of_workload(workload)
    if output == "json":
        import dataclasses
        import json

        plain = {framework: dataclasses.asdict(counted) for framework, counted in counts.items()}
        click.echo(json.dumps(plain, indent=1))
        return
    titles = {info.name: info.title for info in catalog.frameworks().values()}
    if output == "markdown":
        click.echo("| | lines | symbols | concepts |\n| --- | ---: | ---: | ---: |")
        for framework, counted in counts.items():
            row = (counted.lines, len(counted.symbols), len(counted.concepts))
            click.echo(f"| {titles.get(framework, framework)} | {' | '.join(map(str, row))} |")
        return
    from trivet.console.ease import code_view, print_view

    print_view(code_view(counts, titles))
