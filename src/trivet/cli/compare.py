"""`trivet compare`: the main job."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from trivet.model.contestant import Contestant

_MOST = 2**31 - 1
"""The largest seed, batch and count of CPUs that every framework can be told."""

DEFAULT_CONTESTANTS = ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit")


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
    type=click.Choice(["float32", "tf32", "bfloat16"]),
    default="float32",
    show_default=True,
    help="float32 has TF32 off; bfloat16 is mixed: parameters, statistics, logits and loss in float32.",
)
@click.option("--batch", type=int, help="Examples per step; default each workload's own.")
@click.option("--threads", type=int, help="CPUs to run on (an affinity mask); default one per physical core.")
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
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
@click.option("--resume", metavar="RUN", help="Go on with a run that was stopped: its folder, id, or 'last'.")
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
    resume: str | None,
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
    """  # noqa: D301 - click wants the character \b itself
    from trivet import catalog
    from trivet.cli import finish
    from trivet.console.live import watcher
    from trivet.environments.accelerator import resolve_device
    from trivet.environments.own import named
    from trivet.measure.cpus import choose
    from trivet.model.question import Question
    from trivet.workflow import compare

    if resume is not None:
        return _resume(resume, output)
    _whole("--batch", batch, least=1)
    _whole("--threads", threads, least=1)
    _whole("--seed", seed, least=0)
    _between("--budget", budget, "minutes", above=0, below=60 * 24)
    _between("--margin", margin, "%", above=0, below=100)
    names = tuple(dict.fromkeys(workloads or catalog.DEFAULT_WORKLOADS))
    for name in names:
        catalog.workload(name)
    question = Question(
        workloads=names,
        contestants=_contestants(
            list(DEFAULT_CONTESTANTS) if contestants is None else contestants.split(",")
        ),
        precision=precision,
        batch=batch,
        device=resolve_device(device),
        cpus=choose(threads),
        budget_minutes=budget,
        margin=margin / 100,
        quick=quick,
        pythons=named(pythons),
        seed=seed,
    )
    with watcher(sys.stderr) as watch:
        result, folder = compare(question, watch, command=" ".join(["trivet", *sys.argv[1:]]))
    return finish.present(result, folder, output)


def _resume(reference: str, output: str) -> int:
    """Go on with a stored run, whose question stands: nothing else may be asked along with it."""
    from trivet.cli import finish
    from trivet.console.live import watcher
    from trivet.store.run import Run
    from trivet.workflow import continue_run

    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name not in ("resume", "output") and source is ParameterSource.COMMANDLINE:
            message = f"--resume goes on with a stored question; {parameter.opts[0]} cannot change it."
            raise click.UsageError(message)
    with watcher(sys.stderr) as watch, Run.open(reference, writable=True) as run:
        result = continue_run(run, watch)
        folder = run.folder
    return finish.present(result, folder, output)


def _whole(option: str, value: int | None, *, least: int) -> None:
    if value is not None and value < least:
        message = f"{option} is {value}; it must be {least} or more."
        raise click.UsageError(message)
    if value is not None and value > _MOST:
        message = f"{option} is {value}; it must be {_MOST} or less."
        raise click.UsageError(message)


def _between(option: str, value: float, unit: str, *, above: float, below: float) -> None:
    if not above < value < below:
        message = f"{option} is {value:g} {unit}; it must lie between {above:g} and {below:g}."
        raise click.UsageError(message)


def _contestants(texts: list[str]) -> tuple[Contestant, ...]:
    """Return the contestants; one named twice gets a copy number."""
    import dataclasses

    from trivet import catalog
    from trivet.errors import UsageError
    from trivet.model.contestant import parse_contestant

    known = [f"{info.name}:{variant}" for info in catalog.frameworks().values() for variant in info.variants]
    found: list[Contestant] = []
    for text in texts:
        try:
            contestant = parse_contestant(text)
        except ValueError as error:
            message = f"{error}.{catalog.nearest(text.strip(), known)}"
            raise UsageError(message, f"Known: {', '.join(known)}; each may carry @version.") from error
        name = f"{contestant.framework}:{contestant.variant}"
        if name not in known:
            message = f"There is no contestant {name!r}.{catalog.nearest(name, known)}"
            raise UsageError(message, f"Known: {', '.join(known)}.")
        while contestant in found:
            contestant = dataclasses.replace(contestant, copy=contestant.copy + 1)
        found.append(contestant)
    return tuple(found)
