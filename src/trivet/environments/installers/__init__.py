"""What installs packages: uv, or pip where uv is missing or fails. Each is a module of the shape of `Installer`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast

from trivet.environments.command import Command
from trivet.environments.installers import pip, uv
from trivet.errors import BrokenEnvironment, UsageError


class Installer(Protocol):
    """A module that says how to call one installer.

    Attributes:
        NAME: "uv" or "pip".
    """

    NAME: str

    def available(self) -> bool:
        """Say whether it is there."""
        ...

    def make(self, folder: Path) -> Command:
        """Return the call that makes an empty virtual environment of the interpreter that runs trivet."""
        ...

    def install(
        self,
        python: Path,
        requirements: Sequence[str],
        *,
        pip_settings: Mapping[str, str],
        torch_backend: str | None,
        offline: bool,
        impatient: bool,
    ) -> Command:
        """Return the call that installs requirements and compiles them to bytecode.

        Args:
            python: interpreter of the environment.
            requirements: what to install, with all that they need.
            pip_settings: the user's, from `trivet.environments.settings`.
            torch_backend: which builds of torch, such as "cpu"; None leaves it to the index. Only uv knows it.
            offline: use what is on this machine only.
            impatient: another installer just found the network unreachable, so don't try for minutes.
        """
        ...


_ALL: dict[str, Installer] = {module.NAME: cast("Installer", module) for module in (uv, pip)}


def installers() -> list[Installer]:
    """Return the installers to try, in order; ``TRIVET_INSTALLER`` names the only one.

    Raises:
        UsageError: ``TRIVET_INSTALLER`` names an unknown one.
        BrokenEnvironment: there is none.
    """
    wish = os.environ.get("TRIVET_INSTALLER", "")
    if wish and wish not in _ALL:
        message = f"TRIVET_INSTALLER is {wish!r}; it may be {' or '.join(_ALL)}."
        raise UsageError(message, "Correct the variable, or unset it.")
    found = [installer for name, installer in _ALL.items() if wish in ("", name) and installer.available()]
    if not found:
        message = (
            f"Neither uv nor pip is there for {sys.executable}." if not wish else f"{wish} is not there."
        )
        raise BrokenEnvironment(message, "Install trivet again: both come with it.")
    return found
