"""Runs the `trivet` command as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXTENSIONS = Path(__file__).resolve().parent / "extensions"


def trivet(*arguments: str, timeout: float = 300, extensions: Path | None = EXTENSIONS, **variables: str):
    """Return the completed process, its output as text."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80", **variables}
    if extensions is not None:
        environment["TRIVET_EXTENSIONS"] = str(extensions)
    return subprocess.run(
        [sys.executable, "-m", "trivet", *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment,
        check=False,
    )
