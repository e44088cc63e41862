"""Decides what an environment consists of, before anything is built."""

from __future__ import annotations

import hashlib
import json
import platform
import sys

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from trivet import catalog
from trivet.environments import pins
from trivet.environments.failures import NotOffered
from trivet.model.catalog import FrameworkInfo
from trivet.model.environment import Plan

NEWEST = "newest"
"""Version of a plan that leaves the choice to the installer: a framework without pins, no version asked for."""

_PYTHONS = [f"3.{minor}" for minor in range(8, 20)]


def plan_for(info: FrameworkInfo, *, version: str | None, accelerator: str) -> Plan:
    """Return the plan of the environment in which a framework runs.

    Args:
        info: the framework; it may share another's environment.
        version: a version, the beginning of a pinned one ("0.9" finds 0.9.2), or None for trivet's pin.
        accelerator: "cpu" or "cuda".

    Returns:
        A pinned plan where there is a set for this version and Python, else one that the installer completes.

    Raises:
        NotOffered: no build for this Python or accelerator.
        UsageError: `version` is no version, or this framework takes none.
    """
    home = info if info.environment == info.name else catalog.framework(info.environment)
    python = "{}.{}".format(*sys.version_info[:2])
    if accelerator not in home.requirements:
        message = (
            f"{home.title} has no environment for {accelerator}, only for {', '.join(home.requirements)}."
        )
        raise NotOffered(message, f"Leave it out, or ask for --device {next(iter(home.requirements))}.")
    if version is not None:
        pins.parse_version(version)
    known = pins.load(home.folder)
    _check_python(home, version, known)
    pinned = known.find(version, python, accelerator) if known else None
    if pinned:
        return _plan(home.name, pinned.version, accelerator, python, pinned.requirements, pinned=True)
    wanted = version or (known.versions[0] if known else None)
    return _plan(
        home.name, wanted or NEWEST, accelerator, python, _filled_in(home, accelerator, wanted), pinned=False
    )


def own_plan(info: FrameworkInfo, *, python: str, path: str, packages: dict[str, str]) -> Plan:
    """Return the plan that stands for the user's own interpreter; its digest changes when its packages do.

    Args:
        info: the framework that runs in it.
        python: its version, such as "3.10".
        path: of the interpreter.
        packages: what is installed there.
    """
    installed = tuple(f"{name}=={packages[name]}" for name in sorted(packages))
    digest = _digest(info.environment, "own", path, python, *installed)
    return Plan(
        framework=info.environment,
        version="own",
        accelerator="own",
        python=python,
        requirements=(),
        pinned=False,
        digest=digest,
    )


def subject(plan: Plan) -> Requirement:
    """Return the framework's own requirement: the first."""
    return Requirement(plan.requirements[0])


def _check_python(home: FrameworkInfo, version: str | None, known: pins.Pins | None) -> None:
    """Refuse a Python for which the framework has no wheels at all; of a single version only its index knows."""
    running = "{}.{}.{}".format(*sys.version_info[:3])
    supported = SpecifierSet(home.python)
    if supported.contains(running):
        return
    listed = known.pythons(version) if known else []
    listed = listed or [python for python in _PYTHONS if supported.contains(f"{python}.99")]
    message = (
        f"{home.title} {version or (known.versions[0] if known else '')}".rstrip()
        + f" has no wheel for Python {running}; it has for {', '.join(listed)}."
    )
    remedy = (
        f"Install trivet with one of these Pythons, or bring one that has {home.package}: "
        f"--python {home.name}=/path/to/python."
    )
    raise NotOffered(message, remedy)


def _filled_in(home: FrameworkInfo, accelerator: str, version: str | None) -> tuple[str, ...]:
    templates = home.requirements[accelerator]
    if version is None:
        return tuple(template.replace("=={version}", "") for template in templates)
    return tuple(template.replace("{version}", version) for template in templates)


def _plan(
    framework: str,
    version: str,
    accelerator: str,
    python: str,
    requirements: tuple[str, ...],
    *,
    pinned: bool,
) -> Plan:
    """Return a plan whose digest also tells apart machines and builds of Python that share a cache folder."""
    machine = (sys.platform, platform.machine(), sys.implementation.cache_tag or "")
    abi = getattr(sys, "abiflags", "")
    digest = _digest(framework, version, accelerator, python, *machine, abi, *requirements)
    return Plan(
        framework=framework,
        version=version,
        accelerator=accelerator,
        python=python,
        requirements=requirements,
        pinned=pinned,
        digest=digest,
    )


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]
