"""Looks for wheels of CPU builds in folders that the user's own find-links name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.tags import sys_tags
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

from trivet.environments.settings import local_folder


@dataclasses.dataclass(frozen=True, kw_only=True)
class CpuWheel:
    """A wheel of a CPU build on this machine's disk.

    Attributes:
        path: where it lies.
        version: with its local part, such as "2.13.0+cpu".
    """

    path: Path
    version: str


def cpu_wheel(requirement: Requirement, entries: Iterable[str]) -> CpuWheel | None:
    """Return a CPU build's wheel that fulfils a requirement and fits this interpreter, or None.

    A CPU build is known by its local version, such as ``2.13.0+cpu``.

    Args:
        requirement: of the framework, such as ``torch==2.13.0``.
        entries: the user's find-links; addresses are left to the installer.
    """
    tags = set(sys_tags())
    found = []
    for folder in (local_folder(entry) for entry in entries):
        for path in sorted(folder.glob("*.whl")) if folder else ():
            try:
                name, version, _, offered = parse_wheel_filename(path.name)
            except InvalidWheelFilename:
                continue
            if (
                name == canonicalize_name(requirement.name)
                and (version.local or "").startswith("cpu")
                and version in requirement.specifier
                and offered & tags
            ):
                found.append(CpuWheel(path=path, version=str(version)))
    return max(found, key=lambda wheel: Version(wheel.version), default=None)
