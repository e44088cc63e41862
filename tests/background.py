"""A comparison of contestants on plain numpy that runs in the background, and what is to be seen of it meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from trivet_command import EXTENSIONS

CONTESTANTS = ("numpy:plain", "numpy:plain#2")


def start(
    runs: Path,
    *arguments: str,
    workloads: tuple[str, ...] = ("linear",),
    contestants: tuple[str, ...] = CONTESTANTS,
    **variables: str,
) -> subprocess.Popen[str]:
    """Start a comparison in the background; without contestants, of those that a stored run names."""
    asked = ["-c", ",".join(contestants)] if contestants else []
    return subprocess.Popen(
        [sys.executable, "-m", "trivet", "compare", *workloads, *asked, *arguments],
        env={**os.environ, "TRIVET_EXTENSIONS": str(EXTENSIONS), "TRIVET_RUNS": str(runs), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until(condition, process: subprocess.Popen[str], seconds: float = 120) -> None:
    """Wait for a condition while a process lives."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "the stage was never reached"
        time.sleep(0.02)


def events(runs: Path) -> list[dict[str, Any]]:
    """Return the events stored so far."""
    found = []
    for path in runs.glob("*/events.jsonl"):
        for line in path.read_text().splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                break
    return found


def kinds(runs: Path) -> list[str]:
    """Return the kinds of the events stored so far."""
    return [event["kind"] for event in events(runs)]


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Return all processes below a coordinator."""
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def assert_gone(processes: list[psutil.Process], seconds: float = 10) -> None:
    """Fail if any of them still runs after a while."""
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]
