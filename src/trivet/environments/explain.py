"""Puts an installer's failure into words: what happened, why, what to do next."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from packaging.version import InvalidVersion, Version

from trivet.environments.failures import (
    Conflict,
    DiskFull,
    IndexUnreachable,
    InstallFailed,
    NoWheel,
    VersionNotFound,
    last_words,
    pythons_with_wheels,
)
from trivet.environments.installers import pip
from trivet.environments.plan import NEWEST, subject
from trivet.model.environment import Plan


def explain(
    kind: type[InstallFailed],
    plan: Plan,
    installer: str,
    output: str,
    log: Path,
    pip_settings: Mapping[str, str],
) -> InstallFailed:
    """Return the failure in words.

    Args:
        kind: as `trivet.environments.failures.classify` told.
        plan: what was to be installed.
        installer: "uv" or "pip".
        output: what it printed.
        log: where all of it lies.
        pip_settings: the user's.
    """
    wanted = f"{plan.framework} {plan.version}"
    whole_log = f"The whole log: {log}"
    if kind is DiskFull:
        free = shutil.disk_usage(log.parent).free / 1e9
        message = f"{wanted} does not fit on the disk of {log.parent}, which has {free:.1f} GB left."
        remedy = "`trivet env list` shows what takes room there, `trivet env remove NAME` makes some; or set TRIVET_CACHE to a folder on another disk."
        return DiskFull(message, remedy)
    if kind is IndexUnreachable:
        message = f"{wanted} could not be installed: a package index cannot be reached.\n{last_words(output)}"
        remedy = (
            f"Check network, proxy and index settings (`pip config list`), or bring your own interpreter with "
            f"--python {plan.framework}=PATH. {whole_log}"
        )
        return IndexUnreachable(message, remedy)
    if kind is NoWheel:
        there = pythons_with_wheels(output)
        message = f"{wanted} has no wheel for Python {plan.python}" + (
            f"; it has for {there}." if there else "."
        )
        remedy = (
            f"Ask for another version of {plan.framework}, or run trivet with another Python. {whole_log}"
        )
        return NoWheel(message, remedy)
    offered = _offered(plan) if kind in (Conflict, VersionNotFound) else []
    if _is_missing(kind, plan, output, offered):
        message = f"{wanted} does not exist in the indexes that were asked.{_nearest(plan, offered)}"
        return VersionNotFound(message, f"Ask for one that is there. {whole_log}")
    message = f"{installer} could not install {wanted}.\n{last_words(output)}"
    constraint = pip_settings.get("constraint")
    hint = f"Your pip constraints apply ({constraint}). " if constraint and kind is Conflict else ""
    return kind(message, f"{hint}{whole_log}")


def _offered(plan: Plan) -> list[Version]:
    """Return the framework's versions for this Python; [] where nobody can tell."""
    found = []
    for text in pip.versions(subject(plan).name):
        with contextlib.suppress(InvalidVersion):
            found.append(Version(text))
    return found


def _is_missing(kind: type[InstallFailed], plan: Plan, output: str, offered: list[Version]) -> bool:
    """Say whether the framework's version itself is what is missing.

    Not so if it is something that the framework needs. A version that is not there may also show as a conflict with
    the user's constraints, which installers find first.
    """
    if plan.version == NEWEST:
        return False
    name = re.escape(subject(plan).name)
    phrase = r"(?:versions? of|satisfies the requirement|distribution found for|only)"
    if kind is VersionNotFound and re.search(rf"{phrase} {name}(?![\w.-])", output):
        return True
    return kind is Conflict and bool(offered) and not any(v in subject(plan).specifier for v in offered)


def _nearest(plan: Plan, offered: list[Version]) -> str:
    """Return a sentence with the versions nearest to the asked one, and the newest."""
    if not offered:
        return ""
    wanted = Version(plan.version).release[:2]
    near = sorted((version for version in offered if version.release[:2] == wanted), reverse=True)[:3]
    others = f" Near it: {', '.join(str(version) for version in near)}." if near else ""
    return f"{others} The newest for Python {plan.python} is {max(offered)}."
