"""`trivet compare`: the main job."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.core import ParameterSource

from trivet.model.question import DEVICES, PRECISIONS
from trivet.model.result import Result


@click.command("compare")
@click.argument("workloads", nargs=-1)
@click.option(
    "--contestants",
    "-c",
    metavar="LIST",
    help="framework:variant[@version], comma-separated; default all five.",
)
@click.option(
    "--precision",
    type=click.Choice(PRECISIONS),
    default="float32",
    show_default=True,
    help="float32 has TF32 off; bfloat16 is mixed: parameters, statistics, logits and loss in float32.",
)
@click.option("--batch", type=int, help="Examples per step; default each workload's own.")
@click.option("--threads", type=int, help="CPUs to run on (an affinity mask); default one per physical core.")
@click.option("--device", type=click.Choice(DEVICES), default="auto", show_default=True)
@click.option(
    "--budget",
    type=float,
    default=5.0,
    show_default=True,
    help="Measuring minutes over all workloads; never under three generations.",
)
@click.option("--quick", is_flag=True, help="One generation, provisional: no verdict beyond a clear lead.")
@click.option(
    "--margin", type=float, default=5.0, show_default=True, help="Percent that make no practical difference."
)
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="FRAMEWORK=PATH",
    help="Run a framework in your own interpreter; contestants with @version keep trivet's.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="For initial values and batches.")
@click.option(
    "--largest-batch",
    is_flag=True,
    help="Then also search the largest batch that fits into memory: minutes for each contestant.",
)
@click.option("--resume", metavar="RUN", help="Go on with a run that was stopped: its folder, id, or 'last'.")
@click.option(
    "--against",
    metavar="TABLE",
    help="Set claims beside the measurements: 'article', a file.toml of your own, or a stored run.",
)
@click.option(
    "--format", "output", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True
)
def command(
    workloads: tuple[str, ...],
    contestants: str | None,
    precision: str,
    batch: int | None,
    threads: int | None,
    device: str,
    budget: float,
    quick: bool,
    margin: float,
    pythons: tuple[str, ...],
    seed: int,
    largest_batch: bool,
    resume: str | None,
    against: str | None,
    output: str,
) -> int:
    """Run the same training natively in each framework, prove it equal, time it, report.

    WORKLOADS default to mlp and resnet18, because the winner differs between them; `trivet list workloads` names all.

    \b
    Examples:
      trivet compare
      trivet compare resnet50 --batch 8 --precision bfloat16
      trivet compare mlp -c jax:jit,jax:jit@0.9.2 --budget 10
      trivet compare --python torch=/opt/conda/bin/python --quick
      trivet compare --resume last
      trivet compare resnet50 --against article
    """  # noqa: D301 - click wants the character \b itself
    from trivet.cli import finish
    from trivet.conclude.against import set_against
    from trivet.conclude.claims_of_run import open_tables
    from trivet.console.live import watcher
    from trivet.workflow import compare
    from trivet.workflow.question import ask

    tables = open_tables(against) if against else ()  # before minutes are spent on measuring
    if resume is not None:
        result, folder = _resume(resume)
        return finish.present(result, folder, output, set_against(result, tables) if tables else None)
    question = ask(
        workloads,
        contestants=() if contestants is None else contestants.split(","),
        precision=precision,
        batch=batch,
        threads=threads,
        device=device,
        budget=budget,
        quick=quick,
        margin=margin,
        pythons=pythons,
        seed=seed,
        largest_batch=largest_batch,
    )
    with watcher(sys.stderr) as watch:
        result, folder = compare(question, watch, command=" ".join(["trivet", *sys.argv[1:]]))
    return finish.present(result, folder, output, set_against(result, tables) if tables else None)


def _resume(reference: str) -> tuple[Result, Path]:
    """Go on with a stored run, whose question stands: nothing else may be asked along with it."""
    from trivet.console.live import watcher
    from trivet.store.run import Run
    from trivet.workflow import continue_run

    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name not in ("resume", "against", "output") and source is ParameterSource.COMMANDLINE:
            message = f"--resume goes on with a stored question; {parameter.opts[0]} cannot change it."
            raise click.UsageError(message)
    with watcher(sys.stderr) as watch, Run.open(reference, writable=True) as run:
        return continue_run(run, watch), run.folder
