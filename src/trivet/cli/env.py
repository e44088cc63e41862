"""`trivet env`: the frameworks' environments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from trivet.environments.cache import Entry
    from trivet.errors import TrivetError
    from trivet.model.environment import Plan


@click.group("env")
def command() -> None:
    """Create, list and remove the frameworks' environments."""


@command.command("create")
@click.argument("frameworks", nargs=-1)
@click.option(
    "--contestants",
    "-c",
    metavar="LIST",
    help="framework:variant[@version], comma-separated, as compare takes them.",
)
@click.option(
    "--accelerator",
    type=click.Choice(["auto", "cpu", "cuda"]),
    default="auto",
    show_default=True,
    help="auto: cuda where an NVIDIA GPU is to be seen here.",
)
@click.option("--offline", is_flag=True, help="Use only what this machine has already.")
def create(frameworks: tuple[str, ...], contestants: str | None, accelerator: str, offline: bool) -> int:
    """Build environments beforehand, such as for nodes without a network.

    FRAMEWORKS default to all; FRAMEWORK@VERSION asks for another version than trivet's pin.

    \b
    Examples:
      trivet env create
      trivet env create torch jax@0.9.2 --accelerator cuda
      trivet env create -c torch:compile,jax:jit@0.9.2
    """  # noqa: D301 - click wants the character \b itself
    from trivet.environments.accelerator import default_accelerator
    from trivet.environments.build import ensure
    from trivet.errors import EXIT_OK, TrivetError

    chosen = default_accelerator() if accelerator == "auto" else accelerator
    failures: list[TrivetError] = []
    for plan in _plans(frameworks, contestants, chosen, failures):
        try:
            environment = ensure(plan, report=_tell, offline=offline)
        except TrivetError as error:
            failures.append(error)
            _say(error)
            continue
        click.echo(f"{plan.framework} {plan.version} ({plan.accelerator}): {environment.python}")
    return max((error.exit_code for error in failures), default=EXIT_OK)


@command.command("list")
def list_() -> None:
    """List what is built: name, installer, size, last use."""
    from trivet.environments import cache

    found = cache.entries()
    if not found:
        click.echo(
            "No environment is built yet. `trivet env create` builds them; `trivet compare` does so itself."
        )
        return
    width = max(len(entry.name) for entry in found)
    click.echo(f"{'name':<{width}}  {'from':<15} {'size':>7}  last used")
    for entry in found:
        click.echo(
            f"{entry.name:<{width}}  {_origin(entry):<15} {_size(entry):>7}  {entry.used.astimezone():%Y-%m-%d}"
        )
    total = sum(entry.size_bytes for entry in found) / 1e9
    click.echo(f"\n{total:.1f} GB in {found[0].folder.parent} (files shared with uv's cache counted in full)")


@command.command("remove")
@click.argument("names", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Remove every environment.")
def remove(names: tuple[str, ...], everything: bool) -> None:
    """Remove environments; NAMES are as `trivet env list` shows them, or frameworks."""
    from trivet.environments import build

    if bool(names) == everything:
        message = "Name the environments to remove, or give --all."
        raise click.UsageError(message)
    _refuse_while_measuring()
    for entry in _chosen(names):
        build.remove(entry.folder, report=_tell)
        click.echo(f"removed {entry.name}")


@command.command("path")
@click.argument("name")
def path(name: str) -> None:
    """Print the path of an environment's interpreter; NAME may be a framework with one environment."""
    from trivet.environments.cache import python_of
    from trivet.errors import BrokenEnvironment, UsageError

    found = _chosen((name,))
    if len(found) > 1:
        message = f"{name} has several environments: {', '.join(entry.name for entry in found)}."
        raise UsageError(message, "Give one of these names.")
    if found[0].environment is None:
        message = f"{found[0].name} was never finished."
        raise BrokenEnvironment(message, "`trivet env create` builds it anew.")
    click.echo(python_of(found[0].folder))


@command.command("pins")
@click.argument("frameworks", nargs=-1)
@click.option("--refresh", is_flag=True, help="Resolve all sets anew and write them into pins.toml.")
@click.option(
    "--newest", is_flag=True, help="With --refresh: make each framework's newest version the default."
)
def pins_(frameworks: tuple[str, ...], refresh: bool, newest: bool) -> None:
    """Show the pinned sets, or refresh them (in a checkout of the project)."""
    from trivet import catalog
    from trivet.environments import pins
    from trivet.environments.refresh import refresh as resolve

    if newest and not refresh:
        message = "--newest goes with --refresh."
        raise click.UsageError(message)
    named = [catalog.framework(name) for name in frameworks]
    for info in named or [
        info for info in catalog.frameworks().values() if (info.folder / pins.FILE).exists()
    ]:
        known = resolve(info, newest=newest, report=_tell) if refresh else pins.load(info.folder)
        if known is None:
            click.echo(f"{info.title}: no pins; the newest versions are taken.")
            continue
        click.echo(f"{info.title}: {', '.join(known.versions)} (the first by default), resolved {known.date}")
        for pinned in known.sets:
            size = f"{pinned.download_bytes / 1e9:.1f} GB"
            click.echo(
                f"  Python {pinned.python} {pinned.accelerator:<5} {size:>7}  {' '.join(pinned.requirements)}"
            )


def _refuse_while_measuring() -> None:
    """Raise while a comparison runs: it may be using any environment."""
    from trivet import lock
    from trivet.errors import UsageError
    from trivet.folders import measuring_lock

    if lock.is_held(measuring_lock()):
        message = f"A comparison is running (pid {lock.holder(measuring_lock())}) and may use it."
        raise UsageError(message, "Remove environments when it has ended.")


def _plans(
    frameworks: tuple[str, ...], contestants: str | None, accelerator: str, failures: list[TrivetError]
) -> list[Plan]:
    """Return a plan for each environment asked for, each once; those that cannot be are said and noted."""
    from trivet import catalog
    from trivet.environments.failures import NotOffered
    from trivet.environments.plan import plan_for

    plans: dict[str, Plan] = {}
    for name, version in _asked(frameworks, contestants):
        try:
            plan = plan_for(catalog.framework(name), version=version, accelerator=accelerator)
        except NotOffered as error:
            failures.append(error)
            _say(error)
            continue
        plans[plan.digest] = plan
    return list(plans.values())


def _asked(frameworks: tuple[str, ...], contestants: str | None) -> list[tuple[str, str | None]]:
    """Return framework and version of all that the user named; all frameworks if nothing was."""
    from trivet import catalog
    from trivet.errors import UsageError
    from trivet.model.contestant import parse_contestant

    asked: list[tuple[str, str | None]] = []
    for text in frameworks:
        name, _, version = text.partition("@")
        asked.append((name, version or None))
    for text in contestants.split(",") if contestants else ():
        try:
            contestant = parse_contestant(text)
        except ValueError as error:
            message = f"{error}."
            raise UsageError(message, "`trivet list contestants` shows them all.") from error
        variants = catalog.framework(contestant.framework).variants
        if contestant.variant not in variants:
            message = f"{contestant.framework} has no variant {contestant.variant!r}.{catalog.nearest(contestant.variant, variants)}"
            raise UsageError(message, f"Known: {', '.join(variants)}.")
        asked.append((contestant.framework, contestant.version))
    return asked or [(name, None) for name in catalog.frameworks()]


def _chosen(names: tuple[str, ...]) -> list[Entry]:
    """Return the environments that are named, by folder name or framework; all of them for ()."""
    from trivet.catalog import nearest
    from trivet.environments import cache
    from trivet.errors import UsageError

    found = cache.entries()
    chosen = [] if names else found
    for name in names:
        fitting = [entry for entry in found if name == entry.name or entry.name.startswith(f"{name}-")]
        if not fitting:
            message = f"There is no environment {name!r}.{nearest(name, [entry.name for entry in found])}"
            raise UsageError(message, "`trivet env list` shows what is built.")
        chosen += [entry for entry in fitting if entry not in chosen]
    return chosen


def _origin(entry: Entry) -> str:
    if entry.environment is not None:
        return f"{entry.environment.installer}, {entry.environment.source}"
    return "being built" if entry.building else "unfinished"


def _size(entry: Entry) -> str:
    return f"{entry.size_bytes / 1e6:.0f} MB" if entry.environment else "-"


def _tell(line: str) -> None:
    click.echo(line, err=True)


def _say(error: TrivetError) -> None:
    click.echo(f"Error: {error.message}", err=True)
    if error.remedy:
        click.echo(error.remedy, err=True)
