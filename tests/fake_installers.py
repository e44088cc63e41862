"""Puts fakes in the place of uv and pip: they note how they were called, and do as the test tells them.

A fake makes real, empty virtual environments, and "installs" a requirement by writing its metadata.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path

from trivet.environments import settings
from trivet.environments.installers import pip, uv

SCRIPT = Path(__file__).with_name("fake_installer.py")


@dataclasses.dataclass
class Fakes:
    """Both fake installers.

    Attributes:
        folder: where calls are noted and rules are read.
    """

    folder: Path
    rules: list[dict] = dataclasses.field(default_factory=list)

    def tell(
        self, installer: str, match: str, text: str = "", *, status: int = 1, seconds: float = 0
    ) -> None:
        """Make calls of an installer whose arguments contain `match` print a text, wait, and end with a status."""
        self.rules.append(
            {"installer": installer, "match": match, "text": text, "status": status, "seconds": seconds}
        )
        (self.folder / "rules.json").write_text(json.dumps(self.rules))

    @property
    def calls(self) -> list[dict]:
        """Return all calls so far: ``installer``, ``arguments``, ``folder``, ``variables``."""
        notes = self.folder / "calls.jsonl"
        return [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []

    @property
    def installs(self) -> list[dict]:
        """Return the calls that install."""
        return [call for call in self.calls if "install" in call["arguments"]]

    @property
    def program(self) -> Path:
        """Return an executable that plays uv."""
        return self.folder / "uv"


def put(
    folder: Path, monkeypatch, *, pip_settings: dict[str, str] | None = None, has_uv: bool = True
) -> Fakes:
    """Put the fakes in place for one test."""
    folder.mkdir()
    program = folder / "uv"
    program.write_text(f"#!{sys.executable}\n{SCRIPT.read_text()}")
    program.chmod(0o755)
    script = folder / "pip.py"
    script.write_text(program.read_text())
    monkeypatch.setenv("TRIVET_FAKE", str(folder))
    monkeypatch.setattr(uv, "program", lambda: str(program) if has_uv else None)
    monkeypatch.setattr(pip, "program", lambda: (sys.executable, str(script)))
    monkeypatch.setattr(settings, "pip_settings", lambda: pip_settings or {})
    for name in [name for name in os.environ if name.startswith(("UV_", "PIP_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(folder))
    monkeypatch.delenv("TRIVET_INSTALLER", raising=False)
    return Fakes(folder)
