"""A need: one library that the user cannot do without, and which frameworks it brings along."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Literal

State = Literal["answered", "unknown", "yanked", "no wheels", "unsolvable", "unreachable", "not asked"]
"""What became of the question.

- answered: the index offers it for this Python and platform;
- unknown: the index has no such name, or no such version;
- yanked: its authors have withdrawn all that would do;
- no wheels: it is there, but it, or something it needs, has no wheel for this Python and platform;
- unsolvable: what it needs cannot all be fulfilled, the user's constraints included;
- unreachable: the index did not answer;
- not asked: trivet was told to stay offline, and has no kept answer.
"""

CONCLUSIVE: tuple[State, ...] = ("answered", "unknown", "yanked", "no wheels", "unsolvable")
"""States in which the index itself has spoken; only these are kept."""

CHORES = frozenset(("test", "tests", "testing", "dev", "docs", "doc", "lint", "all", "build", "ci"))
"""Words in the name of an extra that is for work on the library itself, or is a heap of all others: it tells nothing of
what the library runs on."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Way:
    """One way by which a library brings a framework along.

    Attributes:
        framework: such as "torch".
        package: the distribution that is the framework, such as "torch" or "tensorflow-cpu".
        through: libraries between, in order; () if it is needed directly.
        extra: the library's extra that asks for it; "" if it always comes.
    """

    framework: str
    package: str
    through: tuple[str, ...] = ()
    extra: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Need:
    """What the index says of one needed library.

    Attributes:
        name: canonical.
        requirement: as the user wrote it.
        python: such as "3.11".
        platform: as uv names it; "" for this machine.
        state: what became of the question.
        version: the version for this Python and platform; "" without one.
        newest: the newest release for any later Python too; "" if unknown.
        released: ISO date of the newest release; "" where the index does not tell.
        wheels_here: whether it, and all it needs, has wheels for this Python and platform; None if nobody could tell.
        ways: how frameworks come along, those that always come first.
        companions: libraries that it needs and that run on several frameworks, such as ("keras",).
        extras_told: whether its extras could be read; if not, ways through extras are missing.
        unresolved: extras of which nobody could tell what they bring.
        renamed_to: the library that its own metadata names as its successor; "" without one.
        problem: why it is not "answered", or what else is to be known, in a sentence.
        asked: ISO date of the answer; "" without one.
        kept: whether the answer comes from the cache.
    """

    name: str
    requirement: str
    python: str
    platform: str
    state: State
    version: str = ""
    newest: str = ""
    released: str = ""
    wheels_here: bool | None = None
    ways: tuple[Way, ...] = ()
    companions: tuple[str, ...] = ()
    extras_told: bool = False
    unresolved: tuple[str, ...] = ()
    renamed_to: str = ""
    problem: str = ""
    asked: str = ""
    kept: bool = False

    @property
    def always(self) -> tuple[str, ...]:
        """Return the frameworks that always come along."""
        return tuple(dict.fromkeys(way.framework for way in self.ways if not way.extra))

    @property
    def itself(self) -> str:
        """Return the framework that the library is a package of, such as "jax" for jaxlib; "" for all others."""
        return next((way.framework for way in self.ways if way.package == self.name), "")

    @property
    def by_extra(self) -> tuple[str, ...]:
        """Return the frameworks on which the library runs if an extra is asked for.

        None where one always comes: on another it never runs alone. Extras for tests and the like do not count.
        """
        if self.always:
            return ()
        return tuple(dict.fromkeys(way.framework for way in self.ways if not is_chore(way.extra)))

    @property
    def beside(self) -> tuple[str, ...]:
        """Return the frameworks that an extra brings, but that the library is not for.

        Another one always comes, or it is an extra for tests and the like.
        """
        found = dict.fromkeys(way.framework for way in self.ways if way.extra)
        return tuple(one for one in found if one not in self.always and one not in self.by_extra)

    @property
    def untold(self) -> bool:
        """Say whether an extra that counts could not be looked into."""
        return not self.extras_told or any(not is_chore(extra) for extra in self.unresolved)

    @property
    def undeclared(self) -> bool:
        """Say whether its metadata names nothing that would tell on which framework it runs."""
        return not (self.always or self.by_extra or self.companions or self.untold)


def is_chore(extra: str) -> bool:
    """Say whether an extra is for work on the library itself, such as "testing" or "dev-torch", or a heap of all."""
    return not CHORES.isdisjoint(re.split(r"[-_.]", extra.lower()))


def from_plain(data: dict[str, Any]) -> Need:
    """Return the need that `dataclasses.asdict`, written as JSON and read again, stands for.

    Raises:
        TypeError: fields are missing or unknown.
        KeyError: "ways", "companions" or "unresolved" is missing.
    """
    ways = tuple(Way(**{**way, "through": tuple(way["through"])}) for way in data["ways"])
    lists = {name: tuple(data[name]) for name in ("companions", "unresolved")}
    return Need(**{**data, "ways": ways, **lists})
