"""The frameworks themselves, asked of the same index: newest release, age, cadence, and for what there are wheels."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import itertools
import statistics
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

from trivet.ecosystem import kept
from trivet.ecosystem.asking import File, Index, Release, today
from trivet.ecosystem.wording import unreachable
from trivet.environments import pins
from trivet.environments.failures import IndexUnreachable, InstallFailed
from trivet.model.catalog import FrameworkInfo

LOOKED_BACK = 8
"""Releases that the cadence rests on."""
_FEWEST = 3
_NOTHING_KEPT = "Nothing is kept of an earlier answer, and trivet was told to stay offline."

_SYSTEMS = (
    ("manylinux", "x86_64", "Linux x86_64"),
    ("manylinux", "aarch64", "Linux aarch64"),
    ("macosx", "arm64", "macOS arm64"),
    ("macosx", "x86_64", "macOS x86_64"),
    ("win", "amd64", "Windows x86_64"),
    ("win", "arm64", "Windows arm64"),
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Upkeep:
    """What the index tells of a framework's releases.

    Attributes:
        framework: such as "jax".
        version: the newest release for this Python or a later one; "" if the index could not tell.
        releases: version and ISO date of its last releases, the newest first; the date is "" where the index gives none.
        days_between: median days between those that follow each other and have dates; None with fewer than three.
        pythons: Pythons that the newest release has wheels for, such as ("3.11", "3.12").
        systems: systems that it has wheels for, such as ("Linux x86_64", "macOS arm64").
        source_package: the distribution whose wheels were counted, such as "jaxlib", since jax is pure Python.
        asked: ISO date.
        problem: why something is missing, in a sentence.
        kept: whether the answer comes from the cache.
    """

    framework: str
    version: str = ""
    releases: tuple[tuple[str, str], ...] = ()
    days_between: float | None = None
    pythons: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    source_package: str = ""
    asked: str = ""
    problem: str = ""
    kept: bool = False

    def age_days(self, day: str) -> int | None:
        """Return how old the newest release is on a day, None where the index does not date it."""
        if not self.releases or not self.releases[0][1]:
            return None
        return (dt.date.fromisoformat(day) - dt.date.fromisoformat(self.releases[0][1])).days


def upkeeps(
    infos: Iterable[FrameworkInfo], *, python: str, offline: bool = False, lost: bool = False
) -> list[Upkeep]:
    """Return what the user's index tells of each framework's releases, in the order given.

    A kept answer, marked as such and with its date, stands in where the index is out of reach or trivet is offline.

    Args:
        infos: the frameworks.
        python: such as "3.11".
        offline: ask nobody.
        lost: the index is known to be out of reach; nobody is asked.

    Raises:
        BrokenEnvironment: uv is missing, or the cache folder cannot be used.
    """
    index = Index.of_user(python, "", own_packages=False)
    known = list(infos)
    if offline or lost:
        why = _NOTHING_KEPT if offline else unreachable("").message
        return [_kept_or(Upkeep(framework=info.name, problem=why), index, told=lost) for info in known]
    with ThreadPoolExecutor(max_workers=max(1, len(known))) as pool:
        found = list(pool.map(lambda info: _upkeep(info, index), known))
    for one in found:
        if one.version:
            kept.keep("upkeep", one.framework, dataclasses.asdict(one), index)
    return [one if one.version else _kept_or(one, index, told=True) for one in found]


def _kept_or(upkeep: Upkeep, index: Index, *, told: bool) -> Upkeep:
    """Return the kept answer, or what there is without one.

    Args:
        upkeep: without an answer.
        index: that should have answered.
        told: the kept answer says as well why it has to stand in.
    """
    data = kept.find("upkeep", upkeep.framework, index)
    if data is None:
        return upkeep
    with contextlib.suppress(TypeError, KeyError, ValueError):
        found = dataclasses.replace(_from_plain(data), kept=True)
        why = upkeep.problem if told else ""
        return dataclasses.replace(found, problem=" ".join(filter(None, (found.problem, why))))
    return upkeep


def _from_plain(data: dict[str, Any]) -> Upkeep:
    """Return what `dataclasses.asdict`, written as JSON and read again, stands for."""
    releases = tuple((str(version), str(date)) for version, date in data["releases"])
    lists = {name: tuple(data[name]) for name in ("pythons", "systems")}
    return Upkeep(**{**data, "releases": releases, **lists})


def _upkeep(info: FrameworkInfo, index: Index) -> Upkeep:
    """Return what an index tells of a framework's releases.

    The user's find-links and constraints are left out: they say nothing about what the project offers. Older releases
    are found one after the other, each by asking for less than the one before; what the user's Python is too new for
    is not among them.
    """
    name = canonicalize_name(info.package)
    try:
        history = [_newest(index.releases(name))]
    except InstallFailed as error:
        return Upkeep(framework=info.name, problem=error.message)
    while len(history) < LOOKED_BACK:
        try:
            history.append(_newest(index.releases(f"{name}<{Version(history[-1].version).public}")))
        except IndexUnreachable as error:
            return Upkeep(framework=info.name, problem=error.message)
        except InstallFailed:  # there is no older one for this Python
            break
    undated = [release.version for release in history if not release.date]
    files, package = _binary(index, info, history[0])
    return Upkeep(
        framework=info.name,
        version=history[0].version,
        releases=tuple((release.version, release.date) for release in history),
        days_between=_days_between([release.date for release in history]),
        pythons=pythons(files),
        systems=systems(files),
        source_package=package,
        asked=today(),
        problem=f"The index does not tell when {', '.join(undated)} came out." if undated else "",
    )


def pythons(files: Iterable[File]) -> tuple[str, ...]:
    """Return the Pythons that wheels are for; ("any",) if one fits every Python 3."""
    found = set()
    for _, tags in _tags(files):
        for interpreter, abi in tags:
            if interpreter == "py3" or abi == "abi3":
                return ("any",)
            if interpreter.startswith("cp3") and not abi.endswith("t"):
                found.add(f"3.{interpreter.removeprefix('cp3')}")
    return tuple(sorted(found, key=Version))


def systems(files: Iterable[File]) -> tuple[str, ...]:
    """Return the systems that wheels are for; ("any",) if one fits every system."""
    found = set()
    for platform, _ in _tags(files):
        if platform == "any":
            return ("any",)
        for family, machine, words in _SYSTEMS:
            universal = family == "macosx" and platform.endswith("universal2")
            if platform.startswith(family) and (platform.endswith(machine) or universal):
                found.add(words)
    return tuple(words for _, _, words in _SYSTEMS if words in found)


def _tags(files: Iterable[File]) -> list[tuple[str, list[tuple[str, str]]]]:
    found = []
    for file in files:
        try:
            tags = parse_wheel_filename(file.name.replace("%2B", "+"))[3]
        except InvalidWheelFilename:
            continue
        found += [(tag.platform, [(tag.interpreter, tag.abi)]) for tag in tags]
    return found


def _binary(index: Index, info: FrameworkInfo, newest: Release) -> tuple[tuple[File, ...], str]:
    """Return the wheels that tie a framework to Pythons and systems, and whose they are."""
    known = pins.load(info.folder)
    for name in known.also if known and systems(newest.files) == ("any",) else ():
        try:
            files = _newest(index.releases(name)).files
        except InstallFailed:
            continue
        if systems(files) != ("any",):
            return files, name
    return newest.files, newest.name


def _newest(releases: Iterable[Release]) -> Release:
    return max(releases, key=lambda release: Version(release.version))


def _days_between(dates: list[str]) -> float | None:
    """Return the median gap in the longest unbroken run of dated releases: a gap over an undated one is none."""
    runs: list[list[int]] = [[]]
    for date in dates:
        if date:
            runs[-1].append(dt.date.fromisoformat(date).toordinal())
        else:
            runs.append([])
    days = max(runs, key=len)
    if len(days) < _FEWEST:
        return None
    return statistics.median(abs(after - before) for after, before in itertools.pairwise(days))
