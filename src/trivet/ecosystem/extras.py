"""What the extras of a library bring along."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence

from trivet.ecosystem import metadata
from trivet.ecosystem.asking import Index, Resolved
from trivet.ecosystem.distributions import Distributions, reached
from trivet.ecosystem.metadata import Metadata
from trivet.ecosystem.need import Way
from trivet.ecosystem.ways import first_of_each, ways_to
from trivet.environments.failures import IndexUnreachable, InstallFailed

SECONDS = 30.0
"""How long extras may be asked about, for one library."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Inside:
    """What was found in the extras of a library.

    Attributes:
        ways: to frameworks, each with its extra.
        not_here: extras that cannot be had for this Python and platform.
        unknown: extras of which nobody could tell: there was no time, or no index.
    """

    ways: list[Way]
    not_here: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """Return in a sentence which extras cannot be had; "" if all can."""
        if not self.not_here:
            return ""
        return f"Not to be had here, since something lacks a wheel or does not fit: {', '.join(self.not_here)} (extras)."


def look_into(
    said: Metadata,
    name: str,
    version: str,
    resolved: Mapping[str, Resolved],
    *,
    asked: Collection[str],
    index: Index,
    known: Distributions,
) -> Inside:
    """Return what the extras of a library bring along, besides what always comes.

    Args:
        said: what the release says of itself.
        name: of the library.
        version: of it.
        resolved: all that it always needs.
        asked: extras that the user asked for: what they bring is in the resolved set already.
        index: to ask.
        known: which distributions belong to which framework.
    """
    environment = metadata.environment(index.python, index.platform)
    adds = {extra: said.wanted(extra, name, environment) for extra in said.extras}
    always = {way.framework for way in ways_to(name, resolved, known)}
    found = [
        Way(framework=known.frameworks[package], package=package, extra=extra)
        for extra, packages in adds.items()
        for package in packages
        if package in known.frameworks and known.frameworks[package] not in always
    ]
    direct = {way.extra for way in found}
    unclear = {
        extra: tuple(packages)
        for extra, packages in adds.items()
        if extra not in direct and extra not in asked and set(packages) - set(resolved)
    }
    if not unclear:
        return Inside(ways=first_of_each(found))
    more, not_here, unknown = _resolve(name, version, unclear, index)
    for extra, there in more.items():
        ways = ways_to(name, there, known)
        found += [dataclasses.replace(way, extra=extra) for way in ways if way.framework not in always]
    return Inside(ways=first_of_each(found), not_here=tuple(not_here), unknown=tuple(unknown))


def _resolve(
    name: str, version: str, extras: Mapping[str, Iterable[str]], index: Index
) -> tuple[dict[str, Mapping[str, Resolved]], list[str], list[str]]:
    """Return what each extra needs, the extras that cannot be had here, and those of which nobody could tell.

    All are resolved at once, at the price of one, and each has what can be reached from its own libraries there.
    Where they cannot be together, those that are named as the reason are tried apart, or else each half.

    Args:
        name: of the library.
        version: of it.
        extras: extra -> libraries that it asks for.
        index: to ask.
    """
    found: dict[str, Mapping[str, Resolved]] = {}
    not_here: list[str] = []
    unknown: list[str] = []
    until = time.monotonic() + SECONDS
    open_ = [list(extras)]
    while open_:
        open_.sort(key=len)  # the few that are at fault first: they answer fast
        some = open_.pop(0)
        if time.monotonic() > until:
            unknown += some
            continue
        try:
            together = index.resolve(f"{name}[{','.join(some)}]=={version}")
        except IndexUnreachable:
            unknown += some
        except InstallFailed as error:
            if len(some) == 1:
                not_here += some
            else:
                open_ += _parted(some, extras, error.message)
        else:
            found |= {extra: reached(extras[extra], together) for extra in some}
    return found, not_here, unknown


def _parted(some: Sequence[str], extras: Mapping[str, Iterable[str]], why: str) -> list[list[str]]:
    """Return extras that cannot be together in two parts: those whose libraries are named as the reason, or halves."""
    named = [one for one in some if any(re.search(rf"\b{re.escape(lib)}\b", why) for lib in extras[one])]
    if 0 < len(named) < len(some):
        return [[one for one in some if one not in named], named]
    middle = len(some) // 2
    return [list(some[:middle]), list(some[middle:])]
