"""uv: resolves and installs in seconds; cached environments in one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from trivet.environments.command import Command
from trivet.environments.settings import for_uv

NAME = "uv"

REMOVED = (
    "UV_PYTHON",
    "UV_SYSTEM_PYTHON",
    "UV_PROJECT_ENVIRONMENT",
    "UV_BREAK_SYSTEM_PACKAGES",
    "UV_TORCH_BACKEND",
)
"""The user's defaults for other environments than ours."""


def program() -> str | None:
    """Return the path of uv: the one that came with trivet, or else one on the PATH."""
    try:
        import uv

        return str(uv.find_uv_bin())
    except (ImportError, FileNotFoundError):
        return shutil.which("uv")


def available() -> bool:
    """Say whether uv is there."""
    return program() is not None


def make(folder: Path) -> Command:
    """Return the call that makes a virtual environment."""
    return _command(
        folder.parent,
        "venv",
        "--no-project",
        "--no-python-downloads",
        "--python",
        sys.executable,
        str(folder),
    )


def install(
    python: Path,
    requirements: Sequence[str],
    *,
    pip_settings: Mapping[str, str],
    torch_backend: str | None,
    offline: bool,
    impatient: bool,  # noqa: ARG001 - uv comes first, so nobody has tried before
) -> Command:
    """Return the call that installs requirements; see `Installer.install`."""
    settings = for_uv(pip_settings)
    options = ["--python", str(python), "--compile-bytecode"]
    options += ["--torch-backend", torch_backend] if torch_backend else []
    options += ["--offline"] if offline else []
    options += ["--no-index"] if settings.no_index else []
    return _command(python.parent, "pip", "install", *options, *requirements, variables=settings.variables)


def _command(folder: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> Command:
    """Return a call of uv from a neutral folder, since it obeys a pyproject.toml where it stands."""
    path = program()
    assert path is not None
    return Command(arguments=(path, *arguments), variables=variables or {}, removed=REMOVED, folder=folder)
