"""Runs the battery in an interpreter."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from contract import battery


def run_battery(
    python: str,
    staged: Path,
    job: Mapping[str, Any],
    folder: Path,
    variables: Mapping[str, str] | None = None,
) -> dict[str, str | None] | str:
    """Return what is wrong by check (None: nothing), or the end of the log if the battery ended early.

    One thread: several that spin wait for each other on a busy machine.
    """
    answer = subprocess.run(
        [python, battery.__file__, str(staged), json.dumps(job)],
        cwd=folder,
        env=os.environ | dict(variables or {}) | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    return json.loads(answer.stdout) if answer.returncode == 0 else answer.stderr[-2000:]
