"""Makes environments: found if whole, else built under a lock; killed in the middle, the next run starts afresh."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from trivet import lock
from trivet.environments import cache, interpreter
from trivet.environments.failures import InstallFailed
from trivet.environments.install import Session, install
from trivet.errors import BrokenEnvironment
from trivet.folders import cache_folder, make_cache
from trivet.model.environment import Environment, Plan

Report = Callable[[str], None]


def ensure(plan: Plan, *, report: Report, offline: bool = False) -> Environment:
    """Return a plan's environment: the one in the cache if it is whole, else a new one.

    Args:
        plan: from `trivet.environments.plan.plan_for`.
        report: told in short lines what happens.
        offline: build from what is on this machine only.

    Raises:
        InstallFailed: it could not be built; the subclass says why.
        BrokenEnvironment: the cache folder cannot be used, or there is no installer.
    """
    folder = cache.folder_of(plan)
    found = cache.read(folder)
    if found is None:
        try:
            make_cache(folder.parent)
            with lock.held(cache.lock_of(folder), what="builds this environment", report=report) as held:
                found = cache.read(folder) or _build(plan, folder, held, report, offline)
        except OSError as error:
            message = f"The environment {folder.name} cannot be built in {folder.parent}: {error}."
            remedy = f"Make room or set TRIVET_CACHE to another folder than {cache_folder()}."
            raise BrokenEnvironment(message, remedy) from error
    cache.touch(folder)
    return found


def remove(folder: Path, *, report: Report) -> None:
    """Remove an environment, waiting for whoever builds it.

    Raises:
        BrokenEnvironment: something of it cannot be removed.
    """
    try:
        with lock.held(cache.lock_of(folder), what="builds this environment", report=report):
            cache.wipe(folder)
            cache.log_of(folder).unlink(missing_ok=True)
    except OSError as error:
        message = f"{folder} cannot be removed: {error}."
        raise BrokenEnvironment(message, "Remove it by hand.") from error


def _build(plan: Plan, folder: Path, held: int, report: Report, offline: bool) -> Environment:
    started = time.monotonic()
    log = cache.log_of(folder)
    log.write_text("", encoding="utf-8")
    report(f"building {plan.framework} {plan.version} for {plan.accelerator}, Python {plan.python}")
    try:
        done = install(plan, folder, Session(lock=held, log=log, report=report, offline=offline))
        environment = Environment(
            plan=plan,
            python=str(cache.python_of(folder)),
            own=False,
            packages=_packages(folder),
            installer=done.installer,
            source=done.source,
            seconds=time.monotonic() - started,
        )
        cache.write(folder, environment)
    except BaseException:
        cache.wipe(folder)
        raise
    report(f"built {plan.framework} {plan.version} in {environment.seconds:.0f} s with {done.installer}")
    return environment


def _packages(folder: Path) -> dict[str, str]:
    """Return what was really installed."""
    try:
        return interpreter.ask(cache.python_of(folder)).packages
    except interpreter.NoInterpreter as error:
        message = f"The environment in {folder} was installed, but its Python does not run: {error}."
        raise InstallFailed(message, f"The whole log: {cache.log_of(folder)}") from error
