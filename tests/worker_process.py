"""A worker's process under the tests' own hands: no coordinator between, so that the raw protocol can be seen."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pytest

from trivet import catalog
from trivet.launch.stage import stage
from trivet.model.catalog import FrameworkInfo

EXTENSIONS = Path(__file__).parent / "extensions"


def all_frameworks() -> dict[str, FrameworkInfo]:
    """Return trivet's frameworks and those of the tests, by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIVET_EXTENSIONS", str(EXTENSIONS))
        return catalog.frameworks()


def staged_worker(folder: Path) -> Path:
    """Return a staged copy of the worker, the framework on plain numpy merged in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIVET_EXTENSIONS", str(EXTENSIONS))
        return stage(catalog.frameworks().values(), catalog.workloads().values(), folder=folder).folder


def linear_job(**changes: Any) -> dict[str, Any]:
    """Return a small job for the framework on plain numpy."""
    job = {
        "framework": "numpy",
        "variant": "plain",
        "workload": "linear",
        "folder": "linear",
        "model": "numpy",
        "sizes": {"features": 12, "classes": 5},
        "batch": 6,
        "optimizer": {"kind": "sgd", "learning_rate": 0.125, "momentum": 0.875},
        "loss": "cross_entropy",
        "precision": "float32",
        "device": "cpu",
        "layout": "canonical",
        "seed": 0,
        "started": time.monotonic(),
    }
    return job | changes


class WorkerProcess:
    """A running worker; leaving the `with` block kills it and its group."""

    def __init__(
        self,
        staged: Path,
        folder: Path,
        *,
        python: str = sys.executable,
        isolated: bool = True,
        variables: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> None:
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [python, *(["-I"] if isolated else []), str(staged / "trivet_worker" / "bootstrap.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=folder,
                env=os.environ | dict(variables or {}),
                pass_fds=pass_fds,
                start_new_session=True,
            )
        self._last = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def send(self, line: str) -> None:
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def lines(self, verb: str, **arguments: Any) -> list[str]:
        """Send a request; return every line up to the one that answers it, or all until the worker is silent."""
        self._last += 1
        self.send(json.dumps({"trivet": 1, "id": self._last, "verb": verb, "arguments": arguments}))
        found = []
        while line := self.process.stdout.readline().decode():
            found.append(line)
            if '"done"' in line or '"failed"' in line:
                break
        return found

    def ask(self, verb: str, **arguments: Any) -> dict[str, Any]:
        """Send a request; return its result."""
        event = json.loads(self.lines(verb, **arguments)[-1])
        assert event["event"] == "done", event["failure"]["traceback"]
        return event["result"]

    def failure(self, verb: str, **arguments: Any) -> dict[str, Any]:
        """Send a request that fails; return its failure."""
        event = json.loads(self.lines(verb, **arguments)[-1])
        assert event["event"] == "failed"
        return event["failure"]
