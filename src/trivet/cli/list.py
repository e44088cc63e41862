"""`trivet list workloads|contestants`."""

from __future__ import annotations

import click


@click.group("list")
def command() -> None:
    """List what can be asked for."""


@command.command("workloads")
def workloads() -> None:
    """List the workloads: name, batch, frameworks, what it is."""
    from trivet import catalog

    known = catalog.frameworks()
    for info in catalog.workloads().values():
        default = "  (default)" if info.name in catalog.DEFAULT_WORKLOADS else ""
        native = ", ".join(name for name, framework in known.items() if framework.model in info.models)
        click.echo(f"{info.name:<12} {info.summary}{default}")
        click.echo(f"{'':<12} batch {info.batch} {info.unit}; native in {native}")


@command.command("contestants")
def contestants() -> None:
    """List the contestants: framework:variant, what it is."""
    from trivet import catalog

    for framework in catalog.frameworks().values():
        for variant, summary in framework.variants.items():
            click.echo(f"{framework.name + ':' + variant:<18} {framework.title}: {summary}")
    click.echo("\nAdd @VERSION for another version (jax:jit@0.9.2), #2 to enter one twice (torch:eager#2).")
