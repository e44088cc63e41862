"""By which ways a library brings frameworks along, read from a resolved set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trivet.ecosystem.asking import Resolved
from trivet.ecosystem.distributions import Distributions
from trivet.ecosystem.need import Way


def ways_to(name: str, resolved: Mapping[str, Resolved], known: Distributions) -> list[Way]:
    """Return the way to each framework in a resolved set.

    Args:
        name: of the library that the set is of.
        resolved: all that it needs.
        known: which distributions belong to which framework.
    """
    return [
        Way(framework=framework, package=package, through=_through(package, name, resolved))
        for package, framework in known.frameworks.items()
        if package in resolved and known.is_first(package, resolved)
    ]


def _through(package: str, name: str, resolved: Mapping[str, Resolved]) -> tuple[str, ...]:
    """Return the shortest chain of libraries between a library and a package that it brings along."""
    chains: list[tuple[str, ...]] = [()]
    seen = {package}
    while chains:
        chain = chains.pop(0)
        head = chain[0] if chain else package
        parents = resolved[head].parents if head in resolved else ()
        if head == name or name in parents:
            return chain
        for parent in parents:
            if parent not in seen:
                seen.add(parent)
                chains.append((parent, *chain))
    return ()


def first_of_each(ways: Iterable[Way]) -> list[Way]:
    """Return the ways without those that name the same framework by the same extra again."""
    found: dict[tuple[str, str], Way] = {}
    for way in ways:
        found.setdefault((way.framework, way.extra), way)
    return list(found.values())
