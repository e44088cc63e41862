"""Says in trivet's words why the index offers nothing: what happened, what was expected, and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from trivet.environments.failures import (
    Conflict,
    DiskFull,
    IndexUnreachable,
    InstallFailed,
    NoWheel,
    VersionNotFound,
    classify,
)
from trivet.errors import UsageError

_NAME = r"[A-Za-z0-9][\w.-]*"
_YANKED = re.compile(r"\byanked\b(?: \(reason: (.*?)\))?", re.DOTALL)
_NOT_THERE = re.compile(
    rf"({_NAME})(?:\[[^\]]*\])? was not found in the (?:package registry|provided package locations)"
)
_NO_WHEEL = re.compile(
    rf"({_NAME})(?:[<>=!~]+\S+?)? has no (?:usable wheels|wheels with a matching)|building ({_NAME})(?:[<>=!~]+\S+?)? from source is disabled"
)
_NO_VERSION = re.compile(
    rf"(?:there (?:is|are) no versions? of|only the following versions of|Because only) ({_NAME}?)(?=[<>=!~\s])"
)
_OTHER_PYTHON = re.compile(r"(?:does not satisfy|depends on) Python\s*[<>=!~]")
_DEPENDENCY = re.compile(rf"\bdepends? on (?:one of:\s*)?({_NAME})")
_REFUSED = re.compile(r"\b(401|403) (?:Unauthorized|Forbidden)")
_UNREACHABLE: Sequence[tuple[str, str]] = (
    (r"dns|name resolution|lookup address|name or service not known", "its address is not found"),
    (r"connection refused", "nobody answers at its address"),
    (r"timed out|timeout", "it does not answer in time"),
    (r"certificate|tls|ssl", "its certificate is not accepted"),
    (r"network was disabled|network connectivity is disabled|offline", "uv is told to stay offline"),
    (r"proxy", "the proxy does not let through"),
    (r"\b5\d\d\b", "it has a fault of its own"),
)
_SETTINGS = "Check the network, the proxy, and the index in pip's or uv's settings."
_OTHER_INDEX = "If another index has it, name that in pip's or uv's settings."


class Yanked(InstallFailed):
    """All that would do has been withdrawn by its authors."""


def unreachable(why: str) -> IndexUnreachable:
    """Return the failure of an index that cannot be asked.

    Args:
        why: half a sentence, such as "nobody answers at its address"; "" if unknown.
    """
    return IndexUnreachable(f"The package index cannot be reached{f': {why}' if why else ''}. {_SETTINGS}")


def explain(output: str, asked: str, *, python: str, platform: str) -> InstallFailed:
    """Return what uv printed as a failure of its kind, whose message is made of trivet's own words.

    Args:
        output: uv's, of a set that could not be resolved.
        asked: the requirement, such as "keras-hub[nlp]>=0.20".
        python: such as "3.11".
        platform: as uv names it; "" for this machine.

    Raises:
        UsageError: uv knows no such platform.
    """
    kind = classify(output, [asked])
    text = " ".join(re.sub(r"[×╰─▶│]", " ", output).split())
    if "--python-platform" in text and "invalid value" in text:
        message = f"There is no platform {platform!r}."
        raise UsageError(message, "uv knows linux, macos, windows and triples such as x86_64-manylinux_2_28.")
    if refused := _REFUSED.search(text):
        return IndexUnreachable(
            f"The package index refuses to answer (HTTP {refused[1]}): it may want a login. {_SETTINGS}"
        )
    if kind is IndexUnreachable:
        return unreachable(
            next((why for sign, why in _UNREACHABLE if re.search(sign, text, re.IGNORECASE)), "")
        )
    wanted = Requirement(asked)
    name, where = (
        canonicalize_name(wanted.name),
        f"Python {python}{f' on {platform}' if platform else ' here'}",
    )
    missing = _NOT_THERE.search(text)
    if missing and canonicalize_name(missing[1]) == name:
        return VersionNotFound(
            "The index has no library of this name. Check the spelling; some projects publish elsewhere, such as in "
            "their repository or an index of their own, which their page then names."
        )
    if missing:
        return Conflict(f"It needs {missing[1]}, which the index does not have. {_OTHER_INDEX}")
    if (yanked := _YANKED.search(text)) and kind is not NoWheel:
        reason = f" ({yanked[1].rstrip('.')})" if yanked[1] else ""
        return Yanked(
            f"Its authors have withdrawn every release that would do{reason}. Ask for another version, or look for what "
            "took its place."
        )
    if wheelless := _NO_WHEEL.search(text):
        return NoWheel(_no_wheel(canonicalize_name(wheelless[1] or wheelless[2]), name, where))
    if kind is NoWheel or _OTHER_PYTHON.search(text):
        return NoWheel(_no_wheel(name, name, where))
    absent = _NO_VERSION.search(text)
    if absent and canonicalize_name(absent[1]) == name and wanted.specifier:
        return VersionNotFound(
            f"The index has {name}, but no version {wanted.specifier} for {where}. Ask for another version."
        )
    if kind is DiskFull:
        return DiskFull("The disk that holds uv's cache is full.")
    if kind is InstallFailed:
        return InstallFailed(
            "It could not be resolved, for a reason that trivet does not know; `uv pip compile` shows uv's own words."
        )
    return Conflict(_conflict(text, name, where))


def _no_wheel(package: str, name: str, where: str) -> str:
    it = "It" if package == name else f"It needs {package}, which"
    return (
        f"{it} has no wheel for {where}, only for others or as source. `--python-version` and `--platform` ask for "
        "another; building from source may work, and is not tried here."
    )


def _conflict(text: str, name: str, where: str) -> str:
    found = dict.fromkeys(canonicalize_name(match) for match in _DEPENDENCY.findall(text))
    involved = [package for package in found if package not in (name, "python")]
    about = f" ({', '.join(involved[:4])})" if involved else ""
    return (
        f"What it needs cannot all be had together for {where}{about}; your own constraints count too. Ask for an older "
        "version, or loosen the constraints."
    )
