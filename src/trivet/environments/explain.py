"""Puts an installer's failure into words: what happened, why, what to do next."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from packaging.version import InvalidVersion, Version

from trivet.environments.failures import (
    DiskFull,
    IndexUnreachable,
    InstallFailed,
    NoWheel,
    VersionNotFound,
    last_words,
    pythons_with_wheels,
)
from trivet.environments.installers import pip
from trivet.environments.plan import subject
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
    if kind is VersionNotFound and str(subject(plan)) in output:
        message = f"{wanted} does not exist in the indexes that were asked.{_offered(plan)}"
        return VersionNotFound(message, f"Ask for one that is there. {whole_log}")
    message = f"{installer} could not install {wanted}.\n{last_words(output)}"
    constraint = pip_settings.get("constraint")
    hint = f"Your pip constraints apply ({constraint}). " if constraint and _conflict(output) else ""
    return kind(message, f"{hint}{whole_log}")


def _conflict(output: str) -> bool:
    return "unsatisfiable" in output or "ResolutionImpossible" in output


def _offered(plan: Plan) -> str:
    """Return a sentence with the versions nearest to the asked one, and the newest; "" where nobody knows."""
    known = {}
    for text in pip.versions(subject(plan).name):
        try:
            known[Version(text)] = text
        except InvalidVersion:
            continue
    if not known:
        return ""
    newest = max(known)
    wanted = next(iter(subject(plan).specifier)).version
    near = sorted((v for v in known if v.release[:2] == Version(wanted).release[:2]), reverse=True)[:3]
    others = f" Near it: {', '.join(known[version] for version in near)}." if near else ""
    return f"{others} The newest for Python {plan.python} is {known[newest]}."
