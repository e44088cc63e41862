"""Resolves a framework's pinned sets anew and writes them into its ``pins.toml``."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import NormalizedName, canonicalize_name

from trivet.environments import pins, settings
from trivet.environments.failures import NoWheel, classify, last_words
from trivet.environments.installers import uv
from trivet.environments.pins import PinnedSet, Pins
from trivet.errors import BrokenEnvironment, UsageError
from trivet.model.catalog import FrameworkInfo

PLATFORM = "x86_64-manylinux_2_28"
"""For which platform sets are resolved. The versions hold elsewhere too; the sizes are this platform's."""

_PYTHONS = tuple(f"3.{minor}" for minor in range(11, 20))
_NEUTRAL = ("index-url", "cert", "client-cert", "proxy", "trusted-host")
"""The user's settings that may not change what is resolved; find-links, extra indexes and constraints would."""
_REMOVED = (
    "UV_FIND_LINKS",
    "UV_CONSTRAINT",
    "UV_OVERRIDE",
    "UV_EXCLUDE_NEWER",
    "UV_INDEX",
    "UV_EXTRA_INDEX_URL",
)

_HEADER = """\
# What this framework's environments are made of. `trivet env pins --refresh` writes all but [refresh]:
# `versions` are those to resolve, the default first; `also` are pinned besides framework.toml's requirements.
"""


def refresh(info: FrameworkInfo, *, newest: bool, report: Callable[[str], None]) -> Pins:
    """Resolve every set of a framework for all its Pythons and accelerators, and store them.

    Args:
        info: the framework; it has a ``pins.toml`` with a ``[refresh]`` part.
        newest: make the newest version that fits any of its Pythons the default; the old ones stay behind it.
        report: told about each set.

    Raises:
        UsageError: the framework has no ``pins.toml``, or it cannot be written.
        BrokenEnvironment: uv is missing, or a set does not resolve.
    """
    old = pins.load(info.folder)
    if old is None:
        message = f"{info.title} has no pins: {info.folder / pins.FILE} is not there."
        raise UsageError(message, 'Create it with a [refresh] part such as: versions = ["1.0"].')
    supported = SpecifierSet(info.python)
    pythons = [python for python in _PYTHONS if supported.contains(f"{python}.99")]
    versions = old.versions
    if newest:
        found = _newest(info, pythons[-1])
        versions = (found, *(version for version in versions if version != found))
    sets = [
        made
        for version in versions
        for accelerator in info.requirements
        for python in pythons
        if (made := _resolve_set(info, version, python, accelerator, old.also, report)) is not None
    ]
    new = Pins(
        versions=versions,
        also=old.also,
        date=dt.datetime.now(dt.UTC).date(),
        platform=PLATFORM,
        sets=tuple(sets),
    )
    _write(info.folder / pins.FILE, new)
    return new


def _resolve_set(
    info: FrameworkInfo,
    version: str,
    python: str,
    accelerator: str,
    also: tuple[str, ...],
    report: Callable[[str], None],
) -> PinnedSet | None:
    """Return the set, or None where this version has no wheel for this Python."""
    templates = [template.replace("{version}", version) for template in info.requirements[accelerator]]
    packages = _resolve([*templates, *also], python)
    if packages is None:
        report(f"{info.name} {version}, {accelerator}, Python {python}: no wheels")
        return None
    resolved = {canonicalize_name(package["name"]): package for package in packages}
    exact = tuple(_pinned(Requirement(text), resolved) for text in [*templates, *also])
    report(f"{info.name} {version}, {accelerator}, Python {python}: {', '.join(exact)}")
    return PinnedSet(
        version=version,
        python=python,
        accelerator=accelerator,
        requirements=exact,
        download_bytes=sum(_size(package) for package in packages),
    )


def _newest(info: FrameworkInfo, python: str) -> str:
    text = next(iter(info.requirements.values()))[0].replace("=={version}", "")
    packages = _resolve([text], python)
    if packages is None:
        message = f"{text} has no wheel for Python {python}."
        raise BrokenEnvironment(message, f"Correct `python` in {info.folder / 'framework.toml'}.")
    name = canonicalize_name(Requirement(text).name)
    return str(next(p["version"] for p in packages if canonicalize_name(p["name"]) == name))


def _resolve(requirements: list[str], python: str) -> list[dict[str, Any]] | None:
    """Return the packages of a lock file (PEP 751) that uv resolves; None where there is no wheel for this Python."""
    program = uv.program()
    if program is None:
        message = "uv is not there, and pins are resolved by uv."
        raise BrokenEnvironment(message, "Install trivet again: uv comes with it.")
    pip = settings.pip_settings()
    neutral = settings.for_uv({key: value for key, value in pip.items() if key in _NEUTRAL})
    variables = {name: value for name, value in os.environ.items() if name not in _REMOVED}
    with tempfile.TemporaryDirectory(prefix="trivet-pins-") as name:
        lock = Path(name, "pylock.toml")
        command = [
            *(
                program,
                "pip",
                "compile",
                "-",
                "--quiet",
                "--no-header",
                "--format",
                "pylock.toml",
                "-o",
                str(lock),
            ),
            *("--python-version", python, "--python-platform", PLATFORM),
        ]
        answer = subprocess.run(
            command,
            input="\n".join(requirements),
            env=variables | dict(neutral.variables),
            cwd=name,
            capture_output=True,
            text=True,
            check=False,
        )
        if answer.returncode != 0:
            if classify(answer.stderr, requirements) is NoWheel:
                return None
            message = (
                f"{' '.join(requirements)} for Python {python}: uv finds no set.\n{last_words(answer.stderr)}"
            )
            raise BrokenEnvironment(message, "Check the network, and `versions` in pins.toml.")
        packages = tomllib.loads(lock.read_text(encoding="utf-8"))["packages"]
        assert isinstance(packages, list)
        return packages


def _pinned(requirement: Requirement, resolved: Mapping[NormalizedName, dict[str, Any]]) -> str:
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    version = str(resolved[canonicalize_name(requirement.name)]["version"])
    return f"{requirement.name}{extras}=={version}"


def _size(package: dict[str, Any]) -> int:
    files = package.get("wheels") or [package.get("sdist", {})]
    return int(files[0].get("size", 0))


def _write(path: Path, new: Pins) -> None:
    lines = [_HEADER, "[refresh]", f"versions = {_list(new.versions)}"]
    lines += [f"also = {_list(new.also)}"] if new.also else []
    lines += ["", "[resolved]", f"date = {new.date}", f"platform = {json.dumps(new.platform)}"]
    for pinned in new.sets:
        lines += [
            "",
            "[[set]]",
            f"version = {json.dumps(pinned.version)}",
            f"python = {json.dumps(pinned.python)}",
            f"accelerator = {json.dumps(pinned.accelerator)}",
            f"requirements = {_list(pinned.requirements)}",
            f"download_bytes = {pinned.download_bytes:_}",
        ]
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise UsageError(
            message, "Refresh pins in a checkout of the project: pip install --editable ."
        ) from error


def _list(texts: tuple[str, ...]) -> str:
    """Return a TOML list; JSON writes it alike."""
    return json.dumps(list(texts))
