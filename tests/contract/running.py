"""Runs the battery in an interpreter."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from contract import battery

_TESTS = Path(__file__).resolve().parents[1]


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
    path = os.pathsep.join((str(staged), str(_TESTS)))
    answer = subprocess.run(
        [python, "-m", battery.__name__, json.dumps(job)],
        cwd=folder,
        env=os.environ | dict(variables or {}) | {"OMP_NUM_THREADS": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    return json.loads(answer.stdout) if answer.returncode == 0 else answer.stderr[-2000:]
