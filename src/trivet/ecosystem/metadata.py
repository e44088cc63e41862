"""Reads the metadata of a wheel without the wheel.

That is the ``.metadata`` file which an index keeps beside it (PEP 658), or, of indexes that keep none, the few bytes of
the wheel that hold it, as uv does too.
"""

from __future__ import annotations

import contextlib
import dataclasses
import email.parser
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, cast
from urllib.parse import unquote, urlsplit

from packaging.markers import default_environment
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from trivet.ecosystem.remote import Pieces, get

_SHOWN_CHARACTERS = 3_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Metadata:
    """What a release says of itself.

    Attributes:
        requirements: its dependencies, each with its marker.
        extras: names of its optional sets.
        words: its summary and the beginning of its description.
    """

    requirements: tuple[Requirement, ...]
    extras: tuple[str, ...]
    words: str

    def wanted(self, extra: str, name: str, environment: Mapping[str, str]) -> dict[str, Requirement]:
        """Return what an extra adds, by canonical name; extras that it names of the same distribution included.

        Args:
            extra: name of the extra; "" for what is always needed.
            name: canonical name of the distribution itself.
            environment: for markers, as `environment` returns it.
        """
        found: dict[str, Requirement] = {}
        open_, seen = [extra], set()
        while open_:
            current = open_.pop()
            seen.add(current)
            for requirement in self.requirements:
                if not _holds(requirement, current, environment):
                    continue
                if canonicalize_name(requirement.name) == name:
                    open_ += [other for other in requirement.extras if other not in seen]
                else:
                    found[canonicalize_name(requirement.name)] = requirement
        return found


def environment(python: str, platform: str) -> dict[str, str]:
    """Return the values of markers for a Python and a platform, as uv names it; "" for this machine."""
    values = {str(key): str(value) for key, value in default_environment().items()}
    values |= {"python_version": python, "python_full_version": f"{python}.0"}
    for word, names in (
        ("windows", ("win32", "Windows", "nt")),
        ("macos", ("darwin", "Darwin", "posix")),
        ("darwin", ("darwin", "Darwin", "posix")),
        ("linux", ("linux", "Linux", "posix")),
    ):
        if word in platform:
            values |= dict(zip(("sys_platform", "platform_system", "os_name"), names, strict=True))
            break
    for word in ("x86_64", "aarch64", "arm64"):
        if platform.startswith(word):
            values["platform_machine"] = word
    return values


def read(place: str, variables: Mapping[str, str]) -> Metadata | None:
    """Return the metadata of a wheel, or None where it cannot be had without the wheel.

    Args:
        place: the wheel's address, or path.
        variables: uv's, with the user's proxy, certificates and indexes.
    """
    bare = place.partition("#")[0]
    with contextlib.suppress(OSError, ValueError, KeyError, zipfile.BadZipFile):
        parts = urlsplit(bare)
        if parts.scheme in ("http", "https"):
            beside = get(f"{bare}.metadata", variables)
            return parse(_inside(Pieces(bare, variables)) if beside is None else beside)
        return parse(_inside(Path(unquote(parts.path) if parts.scheme == "file" else bare)))
    return None


def parse(data: bytes) -> Metadata:
    """Return metadata from the text of a METADATA file; requirements that are none are left out."""
    message = email.parser.BytesParser().parsebytes(data)
    requirements = []
    for text in message.get_all("Requires-Dist", ()):
        with contextlib.suppress(InvalidRequirement):
            requirements.append(Requirement(str(text)))
    description = message.get("Description") or str(message.get_payload())
    return Metadata(
        requirements=tuple(requirements),
        extras=tuple(dict.fromkeys(str(extra) for extra in message.get_all("Provides-Extra", ()))),
        words=f"{message.get('Summary', '')}\n{description}"[:_SHOWN_CHARACTERS],
    )


def _inside(wheel: Path | Pieces) -> bytes:
    """Return the METADATA file in a wheel.

    Raises:
        KeyError: it has none.
    """
    with zipfile.ZipFile(cast("IO[bytes]", wheel)) as archive:  # a raw file is all it needs
        for name in archive.namelist():
            if name.endswith(".dist-info/METADATA"):
                return archive.read(name)
    raise KeyError


def _holds(requirement: Requirement, extra: str, environment: Mapping[str, str]) -> bool:
    if requirement.marker is None:
        return extra == ""
    always = requirement.marker.evaluate({**environment, "extra": ""})
    return (
        always if extra == "" else not always and requirement.marker.evaluate({**environment, "extra": extra})
    )
