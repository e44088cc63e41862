"""Which distributions are a framework, told from the catalogue."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Container, Iterable, Mapping

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from trivet.ecosystem.asking import Resolved
from trivet.environments import pins
from trivet.model.catalog import FrameworkInfo

_VERSION = "{version}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Distributions:
    """What the catalogue says of distributions.

    Attributes:
        frameworks: distributions that carry a framework's own version, or are pinned with it -> the framework, such
            as "torch", "tensorflow-cpu" and "jaxlib".
        companions: distributions that only one framework's environment has besides -> that framework, such as "keras"
            and "optax". A library that brings a companion along brings its framework only if the companion itself does:
            optax needs jax, but keras 3 runs on all three.
    """

    frameworks: Mapping[str, str]
    companions: Mapping[str, str]

    def is_first(self, package: str, resolved: Mapping[str, Resolved]) -> bool:
        """Say whether a distribution is the first of its framework in a resolved set: jax rather than jaxlib."""
        framework = self.frameworks[package]
        return package == next(p for p, f in self.frameworks.items() if f == framework and p in resolved)

    def free_companions(self, name: str, resolved: Mapping[str, Resolved]) -> tuple[str, ...]:
        """Return the companions that a library needs, other than by way of a framework, and that bring none themselves.

        Args:
            name: of the library.
            resolved: all that it needs.
        """
        needed = reached([name], resolved, beyond=self.frameworks)
        return tuple(
            package
            for package in self.companions
            if package in needed and not self.frameworks.keys() & reached([package], resolved).keys()
        )


def reached(
    libraries: Iterable[str], resolved: Mapping[str, Resolved], *, beyond: Container[str] = ()
) -> dict[str, Resolved]:
    """Return the part of a resolved set that some libraries need, themselves included.

    Args:
        libraries: canonical names.
        resolved: the whole set.
        beyond: libraries whose own needs are left out.
    """
    found: dict[str, Resolved] = {}
    open_ = [library for library in libraries if library in resolved]
    while open_:
        package = open_.pop()
        if package not in found:
            found[package] = resolved[package]
            if package not in beyond:
                open_ += [other for other, entry in resolved.items() if package in entry.parents]
    return found


def distributions(frameworks: Iterable[FrameworkInfo]) -> Distributions:
    """Return the distributions of frameworks.

    Args:
        frameworks: from the catalogue.
    """
    own: dict[str, str] = {}
    others: dict[str, str] = {}
    infos = list(frameworks)
    for info in infos:
        known = pins.load(info.folder)
        named = [text for texts in info.requirements.values() for text in texts]
        exact = [info.package, *(_name(text) for text in named if _VERSION in text)]
        for name in (*exact, *(known.also if known else ())):
            own.setdefault(canonicalize_name(name), info.name)
    uses = Counter(name for info in infos for name in _names(info))
    for info in infos:
        for name in _names(info):
            if uses[name] == 1 and name not in own:
                others[name] = info.name
    return Distributions(frameworks=own, companions=others)


def _names(info: FrameworkInfo) -> set[str]:
    return {_name(text) for texts in info.requirements.values() for text in texts}


def _name(text: str) -> str:
    return canonicalize_name(Requirement(text.replace(f"=={_VERSION}", "")).name)
