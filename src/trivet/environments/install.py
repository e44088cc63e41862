"""Installs a plan: place after place, and at each place uv first, then pip."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from trivet import catalog
from trivet.environments import cache, command, pins, settings
from trivet.environments.explain import explain
from trivet.environments.failures import (
    Conflict,
    DiskFull,
    IndexUnreachable,
    InstallFailed,
    NoWheel,
    VersionNotFound,
    classify,
)
from trivet.environments.installers import Installer, installers, uv
from trivet.environments.places import TORCH_BACKEND, Place, places
from trivet.errors import UsageError
from trivet.model.environment import Plan

_FINAL = (Conflict, DiskFull, NoWheel, VersionNotFound)
"""What no other installer can change."""

_DOWNLOADING = re.compile(r"^\s*Downloading (\S+) \((\d[\d.]* ?[MG]i?B)\)")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Session:
    """What every step of one build needs.

    Attributes:
        lock: descriptor of the environment's lock.
        log: where installers' output goes.
        report: told in short lines what happens.
        offline: use what is on this machine only.
    """

    lock: int
    log: Path
    report: Callable[[str], None]
    offline: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Installed:
    """Who installed, and from where.

    Attributes:
        installer: "uv" or "pip".
        source: "find-links", "torch-backend" or "index".
    """

    installer: str
    source: str


def install(plan: Plan, folder: Path, session: Session) -> Installed:
    """Make the environment of a plan, without marking it as whole.

    Args:
        plan: what to install.
        folder: where; wiped before each attempt.
        session: lock, log, report.

    Raises:
        InstallFailed: every place and installer failed; of the last that mattered.
    """
    pip_settings = settings.pip_settings()
    available = installers()
    candidates = places(plan, pip_settings, _download_bytes(plan))
    for place in candidates:
        if place.heading:
            session.report(f"{plan.framework}: {place.heading}")
        result = _install_from(place, available, plan, folder, session, pip_settings)
        if isinstance(result, Installed):
            return result
        if result is not None:
            if place is candidates[-1] or not _may_move_on(place, result):
                raise result
            session.report(_moving_on(plan, place, result))
    message = f"No installer that is here can install {' '.join(plan.requirements)}."
    raise InstallFailed(message, "Install trivet again: uv comes with it.")


def _install_from(
    place: Place,
    available: list[Installer],
    plan: Plan,
    folder: Path,
    session: Session,
    pip_settings: Mapping[str, str],
) -> Installed | InstallFailed | None:
    """Return who did it, why nobody could, or None if no installer knows such a place."""
    failure: InstallFailed | None = None
    for installer in available:
        if place.torch_backend and installer.NAME != uv.NAME:
            continue
        if failure:
            session.report(f"{plan.framework}: that failed; now with {installer.NAME}")
        impatient = isinstance(failure, IndexUnreachable)
        output = _attempt(installer, place, folder, session, pip_settings, impatient=impatient)
        if output is None:
            return Installed(installer=installer.NAME, source=place.source)
        kind = classify(output, place.requirements)
        failure = explain(kind, plan, installer.NAME, output, session.log, pip_settings)
        if place.optional or kind in _FINAL:
            break
    return failure


def _attempt(
    installer: Installer,
    place: Place,
    folder: Path,
    session: Session,
    pip_settings: Mapping[str, str],
    *,
    impatient: bool,
) -> str | None:
    """Return None if it worked, else what the installer printed."""

    def tell(line: str) -> None:
        if found := _DOWNLOADING.match(line):
            session.report(f"downloading {found[1]} ({found[2]})")

    cache.wipe(folder)
    steps = (
        installer.make(folder),
        installer.install(
            cache.python_of(folder),
            place.requirements,
            pip_settings=pip_settings,
            torch_backend=place.torch_backend,
            offline=session.offline,
            impatient=impatient,
        ),
    )
    for step in steps:
        status, output = command.run(step, log=session.log, lock=session.lock, on_line=tell)
        if status != 0:
            return output
    return None


def _may_move_on(place: Place, failure: InstallFailed) -> bool:
    """Say whether the next place may do better."""
    if isinstance(failure, DiskFull):
        return False
    return place.optional or isinstance(failure, NoWheel | VersionNotFound)


def _moving_on(plan: Plan, place: Place, failure: InstallFailed) -> str:
    if place.source == TORCH_BACKEND:
        why = (
            "torch's own index cannot be reached" if isinstance(failure, IndexUnreachable) else "that failed"
        )
        return f"{plan.framework}: uv --torch-backend {place.torch_backend}: {why}"
    return f"{plan.framework}: your own indexes offer no CPU build of it"


def _download_bytes(plan: Plan) -> int | None:
    """Return the size that the pins give, or None for a plan that is not pinned."""
    if not plan.pinned:
        return None
    try:
        known = pins.load(catalog.framework(plan.framework).folder)
    except UsageError:
        return None
    found = known.find(plan.version, plan.python, plan.accelerator) if known else None
    return found.download_bytes if found else None
