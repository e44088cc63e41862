"""`trivet doctor`: what is here, what each framework sees, what is broken and how to repair it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from trivet.environments.checkup import Finding

_WIDTH = 80


@click.command("doctor")
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="FRAMEWORK=PATH",
    help="Examine your own interpreter in place of trivet's environment.",
)
def command(pythons: tuple[str, ...]) -> int:
    """Say in one screen what is here and what is broken; exit code 4 if something is."""
    from trivet.environments.checkup import BROKEN, examine
    from trivet.environments.own import named
    from trivet.errors import EXIT_OK, BrokenEnvironment

    own = named(pythons)
    for name, text in _machine():
        _line(name, text)
    click.echo()
    broken = 0
    for finding in examine(own):
        _show(finding)
        broken += finding.state == BROKEN
    click.echo()
    click.echo(f"{broken} broken; the lines above say how to repair." if broken else "Nothing is broken.")
    return BrokenEnvironment.exit_code if broken else EXIT_OK


def _machine() -> list[tuple[str, str]]:
    import platform
    import sys

    from trivet.environments import cache
    from trivet.folders import cache_folder, runs_folder
    from trivet.measure.machine import read_machine
    from trivet.version import __version__

    machine = read_machine(())
    entries = cache.entries()
    size = sum(entry.size_bytes for entry in entries) / 1e9
    cores = machine.physical_cores or machine.logical_cpus
    gpus = [f"{gpu.name}, {_gibibytes(gpu.memory_bytes)}, driver {gpu.driver}" for gpu in machine.gpus]
    return [
        ("trivet", f"{__version__}, Python {platform.python_version()} ({sys.executable})"),
        ("installers", _installers()),
        (
            "machine",
            f"{machine.cpu}, {cores} cores, {machine.memory_bytes / 2**30:.0f} GiB, {machine.system}",
        ),
        ("GPU", "; ".join(gpus) or "none to be seen"),
        ("cache", f"{cache_folder()}: {len(entries)} environments, {size:.1f} GB; {_free()} free"),
        ("runs", str(runs_folder())),
    ]


def _installers() -> str:
    import importlib.metadata
    import subprocess

    from trivet.environments.installers import pip, uv

    program = uv.program()
    said = ""
    if program:
        try:
            answer = subprocess.run(
                [program, "--version"], capture_output=True, text=True, timeout=20, check=True
            )
            said = " ".join(answer.stdout.split()[:2])
        except (OSError, subprocess.SubprocessError) as error:
            said = f"uv is broken ({error})"
    pip_said = f"pip {importlib.metadata.version('pip')}" if pip.available() else "no pip"
    return f"{said or 'no uv'}, {pip_said}"


def _free() -> str:
    import shutil

    from trivet.folders import cache_folder

    folder = cache_folder()
    while not folder.exists():
        folder = folder.parent
    return f"{shutil.disk_usage(folder).free / 1e9:.0f} GB"


def _show(finding: Finding) -> None:
    versions = ", ".join(f"{name} {version}" for name, version in finding.versions.items())
    seen = f"sees {', '.join(finding.devices)}" if finding.devices else ""
    took = f"imported in {finding.import_seconds:.1f} s" if finding.import_seconds is not None else ""
    _line(finding.title, ": ".join(part for part in (finding.state, versions) if part))
    for text in ("; ".join(part for part in (seen, took) if part), finding.problem):
        if text:
            _line("", text)
    if finding.environment:
        _line("", f"in {finding.environment}")
    if finding.repair:
        _line("", f"repair: {finding.repair}" if finding.state == "broken" else finding.repair)


def _line(name: str, text: str) -> None:
    """Print a line of the screen, wrapped; what is to be copied (paths, commands) is never broken inside a word."""
    import textwrap

    click.echo(
        textwrap.fill(
            " ".join(text.split()),
            width=_WIDTH,
            initial_indent=f"{name:<12}",
            subsequent_indent=" " * 12,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def _gibibytes(value: int | None) -> str:
    return "memory not told" if value is None else f"{value / 2**30:.0f} GiB"
