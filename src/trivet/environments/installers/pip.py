"""pip: slower, but the reference, and it knows every setting that the user has made for it."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from trivet.environments.command import Command

NAME = "pip"
_VERSIONS_SECONDS = 60

_REMOVED = (
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_PYTHON",
    "PIP_DRY_RUN",
    "PIP_NO_COMPILE",
    "PIP_REQUIRE_VIRTUALENV",
)
"""The user's defaults for other environments than ours."""


def program() -> tuple[str, ...] | None:
    """Return the call of the pip that came with trivet; it installs into other interpreters too."""
    return (sys.executable, "-m", "pip") if importlib.util.find_spec("pip") else None


def available() -> bool:
    """Say whether pip is there."""
    return program() is not None


def make(folder: Path) -> Command:
    """Return the call that makes a virtual environment without a pip of its own."""
    return Command(arguments=(sys.executable, "-m", "venv", "--without-pip", str(folder)))


def install(
    python: Path,
    requirements: Sequence[str],
    *,
    pip_settings: Mapping[str, str],
    torch_backend: str | None,
    offline: bool,
    impatient: bool,
) -> Command:
    """Return the call that installs requirements; see `Installer.install`."""
    assert torch_backend is None
    path = program()
    assert path is not None
    options = ["--compile", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    options += ["--no-index"] if offline else []
    options += ["--retries", "1", "--timeout", "20"] if impatient else []
    return Command(
        arguments=(*path, "--python", str(python), "install", *options, *requirements),
        variables=_variables(pip_settings),
        removed=_REMOVED,
    )


def versions(name: str) -> list[str]:
    """Return the versions of a distribution that fit this Python, newest first; [] where pip cannot tell."""
    path = program()
    if path is None:
        return []
    command = [
        *path,
        "--disable-pip-version-check",
        "index",
        "versions",
        name,
        "--retries",
        "1",
        "--timeout",
        "20",
    ]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=_VERSIONS_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    listed = re.search(r"^Available versions: (.*)$", answer.stdout, re.MULTILINE)
    return listed[1].split(", ") if listed else []


def _variables(pip_settings: Mapping[str, str]) -> dict[str, str]:
    variables = {"PIP_USER": "0"}
    site = Path(sys.prefix, "pip.conf")
    if site.exists() and "PIP_CONFIG_FILE" not in os.environ:
        # Belongs to trivet's own environment, and pip would look for it in the new one only.
        variables["PIP_CONFIG_FILE"] = str(site)
    index = os.environ.get("UV_DEFAULT_INDEX") or os.environ.get("UV_INDEX_URL")
    if index and "index-url" not in pip_settings:
        variables["PIP_INDEX_URL"] = index
    return variables
