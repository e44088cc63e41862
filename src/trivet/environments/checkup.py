"""Examines environments for `trivet doctor`: what is in them, what the framework sees, what is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from trivet import catalog
from trivet.environments import cache, interpreter
from trivet.environments.accelerator import default_accelerator
from trivet.environments.failures import NotOffered
from trivet.environments.own import own
from trivet.environments.plan import plan_for
from trivet.errors import TrivetError
from trivet.model.catalog import FrameworkInfo
from trivet.model.environment import Environment

OK = "ok"
BROKEN = "broken"
NOT_BUILT = "not built"
UNSUPPORTED = "unsupported"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Finding:
    """What was found of one framework in one environment.

    Attributes:
        framework: folder name.
        title: for people.
        environment: its name, or the path of the user's own interpreter; "" where there is none.
        state: `OK`, `BROKEN`, `NOT_BUILT` or `UNSUPPORTED`.
        versions: of the framework and what its programs use, as the framework itself says.
        devices: what it sees, in words.
        import_seconds: what importing it took just now; None where it could not be imported.
        problem: what is wrong, one or two sentences.
        repair: the command to run, or what to do.
    """

    framework: str
    title: str
    environment: str
    state: str
    versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    devices: tuple[str, ...] = ()
    import_seconds: float | None = None
    problem: str = ""
    repair: str = ""


def examine(pythons: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a finding for each framework, and one more for each further environment that is built, as they come.

    Args:
        pythons: framework -> the user's own interpreter, examined in place of trivet's environments.
    """
    for info in catalog.frameworks().values():
        yield from _framework(info, pythons)


def _framework(info: FrameworkInfo, pythons: Mapping[str, str]) -> Iterator[Finding]:
    mine = Finding(framework=info.name, title=info.title, environment="", state=OK)
    home = info.environment
    if home in pythons:
        yield _users_own(info, mine, pythons[home])
        return
    built = {
        entry.name: entry.environment
        for entry in cache.entries()
        if entry.environment and entry.environment.plan.framework == home
    }
    missing = _missing(mine, home, built)
    if missing:
        yield missing
    for name, environment in built.items():
        yield _look_into(info, environment, name, _rebuild(environment, name))


def _users_own(info: FrameworkInfo, mine: Finding, path: str) -> Finding:
    try:
        return _look_into(info, own(info, path), path, f"Try it: {path} -c 'import {info.package}'")
    except TrivetError as error:
        return dataclasses.replace(
            mine, environment=path, state=BROKEN, problem=error.message, repair=error.remedy
        )


def _missing(mine: Finding, home: str, built: Collection[str]) -> Finding | None:
    """Return what is to be said of the environment that `trivet compare` would use, if it isn't built."""
    try:
        plan = plan_for(catalog.framework(home), version=None, accelerator=default_accelerator())
    except NotOffered as error:
        return dataclasses.replace(mine, state=UNSUPPORTED, problem=error.message, repair=error.remedy)
    if cache.name_of(plan) in built:
        return None
    return dataclasses.replace(
        mine, state=NOT_BUILT, repair=f"trivet env create {home}", versions={plan.framework: plan.version}
    )


def _look_into(info: FrameworkInfo, environment: Environment, name: str, repair: str) -> Finding:
    broken = Finding(framework=info.name, title=info.title, environment=name, state=BROKEN, repair=repair)
    changed = None if environment.own else _changed(environment)
    if changed:
        return dataclasses.replace(broken, problem=changed)
    facts = _probe(environment, info)
    if isinstance(facts, str):
        return dataclasses.replace(broken, problem=facts)
    return dataclasses.replace(
        broken,
        state=OK,
        repair="",
        versions=facts["versions"],
        devices=tuple(_device(device) for device in facts["devices"]),
        import_seconds=facts["import_seconds"],
    )


def _changed(environment: Environment) -> str:
    """Return how an environment differs from what was built, or ""."""
    try:
        now = interpreter.ask(environment.python).packages
    except interpreter.NoInterpreter as error:
        return f"Its Python does not run: {error}."
    was = environment.packages
    differing = sorted(name for name in {*now, *was} if now.get(name) != was.get(name))
    changes = [f"{name} {was.get(name, 'was not there')}, now {now.get(name, 'gone')}" for name in differing]
    if not changes:
        return ""
    more = f" and {len(changes) - 3} more" if len(changes) > 3 else ""
    return f"It was changed since it was built: {'; '.join(changes[:3])}{more}."


def _probe(environment: Environment, info: FrameworkInfo) -> dict[str, Any] | str:
    """Return what the framework says of itself, or why it says nothing."""
    from trivet.launch.probe import probe
    from trivet.launch.stage import stage
    from trivet.launch.worker import WorkerFailed

    wanted = environment.plan.accelerator
    device = wanted if wanted in ("cpu", "cuda") else default_accelerator()
    try:
        return probe(environment, info, device=device, staged=stage([info], []))
    except WorkerFailed as error:
        return error.failure.message


def _rebuild(environment: Environment, name: str) -> str:
    plan = environment.plan
    return f"trivet env remove {name} && trivet env create {plan.framework}@{plan.version} --accelerator {plan.accelerator}"


def _device(device: Mapping[str, Any]) -> str:
    memory = device.get("memory_bytes")
    size = f", {memory / 2**30:.0f} GiB" if memory else ""
    name = device.get("name") or ""
    return f"{device['kind']}{f' ({name}{size})' if name and name != device['kind'] else size}"
