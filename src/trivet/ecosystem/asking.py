"""Asks the user's own package index through uv, for metadata alone: nothing is built, installed or downloaded.

No address of an index is written here. uv is told the user's settings, pip's included (`trivet.environments.settings`).
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import os
import re
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from trivet.ecosystem.wording import explain, unreachable
from trivet.environments.installers import uv
from trivet.environments.settings import for_uv, pip_settings
from trivet.errors import BrokenEnvironment

ANSWER_SECONDS = 6.0
"""How long the first answer of an index may take. Beyond it counts as unreachable, which has to be said within 10 s."""

RESOLVE_SECONDS = 120.0
"""How long a whole set may take to resolve, once the index has answered."""

_LINE = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>[^\s;#]+)[^#]*(?:# via (?P<via>.*))?$")
_OWN_PACKAGES = ("find-links", "constraint")
_OWN_VARIABLES = ("UV_FIND_LINKS", "UV_CONSTRAINT", "UV_OVERRIDE", "UV_EXCLUDE_NEWER")


@dataclasses.dataclass(frozen=True, kw_only=True)
class File:
    """A file of a release.

    Attributes:
        place: address, or path on this machine.
        uploaded: ISO date; "" where the index does not tell.
    """

    place: str
    uploaded: str

    @property
    def name(self) -> str:
        """Return the file's name, such as "jax-0.10.2-py3-none-any.whl"."""
        return self.place.partition("#")[0].rsplit("/", 1)[-1]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Release:
    """One version of one distribution.

    Attributes:
        name: canonical.
        version: such as "2.13.0".
        files: its wheels.
    """

    name: str
    version: str
    files: tuple[File, ...]

    @property
    def date(self) -> str:
        """Return the day its first wheel was uploaded, "" where the index does not tell."""
        return min((file.uploaded for file in self.files if file.uploaded), default="")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Resolved:
    """A distribution in a resolved set.

    Attributes:
        version: the one chosen.
        parents: canonical names of those that need it; () for what was asked for.
    """

    version: str
    parents: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Index:
    """The user's index, for one Python and platform.

    Attributes:
        program: path of uv.
        python: such as "3.11".
        platform: as uv's ``--python-platform`` names it; "" for this machine.
        variables: what uv is told beside the user's own variables.
        removed: variables of the user's that uv must not see.
        no_index: the user has forbidden indexes; only find-links are asked.
    """

    program: str
    python: str
    platform: str
    variables: Mapping[str, str]
    removed: tuple[str, ...] = ()
    no_index: bool = False

    @classmethod
    def of_user(cls, python: str, platform: str, *, own_packages: bool = True) -> Index:
        """Return the index as the user's settings describe it.

        Args:
            python: such as "3.11".
            platform: as uv names it; "" for this machine.
            own_packages: False leaves out the user's find-links and constraints, which say nothing about what a
                project offers to all.
        """
        program = (
            uv.program()
        )  # here, and not in each thread: it looks into sysconfig, which several may not do at once
        if program is None:
            message = "uv is not there, and the index is asked through uv."
            raise BrokenEnvironment(message, "Install trivet again: uv comes with it.")
        pip = pip_settings()
        if not own_packages:
            pip = {key: value for key, value in pip.items() if key not in _OWN_PACKAGES}
        told = for_uv(pip)
        removed = () if own_packages else _OWN_VARIABLES
        variables = {name: text for name, text in told.variables.items() if name not in removed}
        return cls(
            program=program,
            python=python,
            platform=platform,
            variables=variables,
            removed=removed,
            no_index=told.no_index,
        )

    def releases(self, requirement: str) -> list[Release]:
        """Return the newest releases that fit a requirement, for this Python and later ones, the newest last.

        There are several only where the newest one needs a later Python than this.

        Raises:
            InstallFailed: there are none, or the index cannot be reached within `ANSWER_SECONDS`.
        """
        with tempfile.TemporaryDirectory(prefix="trivet-asking-") as name:
            lock = Path(name, "pylock.toml")
            options = ["--universal", "--no-deps", "--format", "pylock.toml", "-o", str(lock)]
            self._compile(requirement, options, Path(name), ANSWER_SECONDS)
            packages = tomllib.loads(lock.read_text(encoding="utf-8")).get("packages", [])
            return [_release(package, lock.parent) for package in packages]

    def resolve(self, requirement: str) -> dict[str, Resolved]:
        """Return all that a requirement needs, by canonical name, for this Python and platform, as wheels.

        Raises:
            InstallFailed: no such set exists, or the index does not answer.
        """
        options = ["--annotation-style", "line", "--no-header"]
        options += ["--python-platform", self.platform] if self.platform else []
        with tempfile.TemporaryDirectory(prefix="trivet-asking-") as name:
            printed = self._compile(requirement, options, Path(name), RESOLVE_SECONDS)
        found: dict[str, Resolved] = {}
        for line in printed.splitlines():
            if match := _LINE.match(line):
                parents = [via.strip() for via in (match["via"] or "").split(",")]
                found[canonicalize_name(match["name"])] = Resolved(
                    version=match["version"],
                    parents=tuple(
                        canonicalize_name(text.partition("[")[0])
                        for text in parents
                        if text and not text.startswith("-")
                    ),
                )
        return found

    def _compile(self, requirement: str, options: Sequence[str], folder: Path, seconds: float) -> str:
        asked = folder / "asked.in"
        asked.write_text(f"{requirement}\n", encoding="utf-8")
        command = [
            *(self.program, "pip", "compile", str(asked), "--no-build", "--no-python-downloads"),
            *("--python-version", self.python, *(["--no-index"] if self.no_index else []), *options),
        ]
        removed = {*uv.REMOVED, *self.removed}
        variables = {name: text for name, text in os.environ.items() if name not in removed}
        variables |= {**self.variables, "UV_HTTP_RETRIES": "0", "NO_COLOR": "1"}
        try:
            answer = subprocess.run(
                command,
                env=variables,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            why = f"it has not answered within {seconds:.0f} s"
            raise unreachable(why) from error
        if answer.returncode != 0:
            raise explain(answer.stderr, requirement, python=self.python, platform=self.platform)
        return answer.stdout


def today() -> str:
    """Return the day in UTC, as ISO date."""
    return dt.datetime.now(dt.UTC).date().isoformat()


def _release(package: Mapping[str, Any], folder: Path) -> Release:
    wheels = package.get("wheels", ())
    files = tuple(File(place=_place(wheel, folder), uploaded=_day(wheel)) for wheel in wheels)
    return Release(
        name=canonicalize_name(package["name"]), version=str(package.get("version", "")), files=files
    )


def _place(wheel: Mapping[str, Any], folder: Path) -> str:
    if "url" in wheel:
        return str(wheel["url"])
    return os.path.normpath(folder / str(wheel["path"]))


def _day(wheel: Mapping[str, Any]) -> str:
    uploaded = wheel.get("upload-time")
    return uploaded.date().isoformat() if isinstance(uploaded, dt.datetime) else ""
