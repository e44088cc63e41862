"""The pinned sets of a framework, kept as data in ``pins.toml`` beside its ``framework.toml``.

A set is what is known to work together: the framework with the libraries that its programs are written with, for one
Python and one accelerator. ``trivet env pins --refresh`` writes the file; only its ``[refresh]`` part is written by hand.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import tomllib
from pathlib import Path

from packaging.version import InvalidVersion, Version

from trivet.errors import UsageError

FILE = "pins.toml"


@dataclasses.dataclass(frozen=True, kw_only=True)
class PinnedSet:
    """Exact requirements for one Python and one accelerator.

    Attributes:
        version: the framework's.
        python: such as "3.11".
        accelerator: "cpu" or "cuda".
        requirements: exact, such as "jax==0.10.2".
        download_bytes: size of all wheels of the set and of what they need, as the plain index offers them.
    """

    version: str
    python: str
    accelerator: str
    requirements: tuple[str, ...]
    download_bytes: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pins:
    """All pinned sets of a framework.

    Attributes:
        versions: what is resolved at a refresh; the first is the default.
        also: distributions pinned besides those that framework.toml names, such as "jaxlib".
        date: of the last refresh; None before the first.
        platform: for which platform the sets were resolved.
        sets: the sets.
    """

    versions: tuple[str, ...]
    also: tuple[str, ...]
    date: dt.date | None
    platform: str
    sets: tuple[PinnedSet, ...]

    def find(self, version: str | None, python: str, accelerator: str) -> PinnedSet | None:
        """Return the set for a version, or None.

        Args:
            version: a whole version, the beginning of one ("0.9" finds 0.9.2), or None for the default.
            python: such as "3.11".
            accelerator: "cpu" or "cuda".
        """
        wanted = version or self.versions[0]
        fitting = [s for s in self.sets if (s.python, s.accelerator) == (python, accelerator)]
        exact = [s for s in fitting if Version(s.version) == Version(wanted)]
        begun = [s for s in fitting if _begins(s.version, wanted)]
        return max(exact or begun, key=lambda s: Version(s.version), default=None)

    def pythons(self, version: str | None) -> list[str]:
        """Return the Pythons for which a version, or the default, has a set."""
        wanted = version or self.versions[0]
        found = {s.python for s in self.sets if s.version == wanted or _begins(s.version, wanted)}
        return sorted(found, key=Version)


def load(folder: Path) -> Pins | None:
    """Return the pins of the framework in a folder, or None if it has none.

    Raises:
        UsageError: the file is damaged.
    """
    path = folder / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        message = f"{path} is not valid TOML: {error}."
        raise UsageError(message, "Restore it, then run `trivet env pins --refresh`.") from error
    try:
        resolved = data.get("resolved", {})
        return Pins(
            versions=tuple(data["refresh"]["versions"]),
            also=tuple(data["refresh"].get("also", ())),
            date=resolved.get("date"),
            platform=resolved.get("platform", ""),
            sets=tuple(_set(entry) for entry in data.get("set", ())),
        )
    except (KeyError, TypeError) as error:
        message = f"{path}: {error} is missing or of the wrong kind."
        raise UsageError(message, "Restore it, then run `trivet env pins --refresh`.") from error


def parse_version(text: str) -> Version:
    """Return a version that a user wrote.

    Raises:
        UsageError: it is none.
    """
    try:
        return Version(text)
    except InvalidVersion as error:
        message = f"{text!r} is not a version."
        raise UsageError(message, "Write it like 2.13.0, as in torch:eager@2.13.0.") from error


def _set(entry: dict[str, object]) -> PinnedSet:
    requirements = entry["requirements"]
    size = entry["download_bytes"]
    assert isinstance(requirements, list)
    assert isinstance(size, int)
    return PinnedSet(
        version=str(entry["version"]),
        python=str(entry["python"]),
        accelerator=str(entry["accelerator"]),
        requirements=tuple(requirements),
        download_bytes=size,
    )


def _begins(version: str, wanted: str) -> bool:
    return version.startswith(f"{wanted}.")
