"""`trivet needs LIBRARY...`: which framework each needed library brings along."""

from __future__ import annotations

import click


@click.command("needs")
@click.argument("libraries", nargs=-1, required=True)
@click.option("--python-version", metavar="3.N", help="For another Python than the one that runs trivet.")
@click.option(
    "--platform",
    default="",
    metavar="NAME",
    help="For another platform: linux, macos, windows, or as uv names it.",
)
@click.option("--offline", is_flag=True, help="Ask nobody; show kept answers with their age.")
@click.option(
    "--frameworks", "own", is_flag=True, help="Show the frameworks' own releases and wheels as well."
)
@click.option("--format", "output", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(
    libraries: tuple[str, ...],
    python_version: str | None,
    platform: str,
    offline: bool,
    own: bool,
    output: str,
) -> int:
    """Ask your own package index which framework each library brings along, directly, through others or by an extra.

    uv resolves it from metadata alone: no wheel is downloaded, nothing is installed. Your index settings, pip's included,
    are honoured. "Wheels here" says whether the library, and all it needs, has wheels for this Python and platform.

    \b
    Examples:
      trivet needs transformers keras-hub optax
      trivet needs 'detectron2>=0.6' --python-version 3.12 --platform windows
      trivet needs transformers --offline --format json
    """  # noqa: D301 - click wants the character \b itself
    import platform as machine
    import re

    from trivet import catalog
    from trivet.ecosystem.asking import today
    from trivet.ecosystem.needs import needs
    from trivet.ecosystem.releases import upkeeps
    from trivet.errors import EXIT_OK, BrokenEnvironment, UsageError

    if python_version and not re.fullmatch(r"3\.\d+", python_version):
        message = f"{python_version!r} is no version of Python 3."
        raise UsageError(message, "Write it such as 3.12.")
    python = python_version or ".".join(machine.python_version_tuple()[:2])
    titles = {info.name: info.title for info in catalog.frameworks().values()}
    found = needs(libraries, python=python, platform=platform, offline=offline)
    lost = any(need.state == "unreachable" or (need.kept and not offline) for need in found)
    infos = catalog.frameworks().values() if own else ()
    released = upkeeps(infos, python=python, offline=offline, lost=lost)
    if output == "json":
        import dataclasses
        import json

        plain = {
            "needs": [dataclasses.asdict(need) for need in found],
            "frameworks": [dataclasses.asdict(entry) for entry in released],
        }
        click.echo(json.dumps(plain, indent=1))
    else:
        from trivet.console.needs import print_needs

        print_needs(found, released, titles, today())
    unanswered = any(need.state in ("unreachable", "not asked") for need in found)
    unanswered |= any(not entry.version for entry in released)
    return BrokenEnvironment.exit_code if unanswered else EXIT_OK
