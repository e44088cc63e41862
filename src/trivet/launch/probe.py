"""Asks an environment what it is: whether its framework imports, its versions, the devices that it sees."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from trivet.launch.stage import Staged
from trivet.launch.worker import Worker
from trivet.model.catalog import FrameworkInfo
from trivet.model.environment import Environment

PROBE_SECONDS = 180.0
"""Importing a framework from a cold network file system may take minutes."""


def probe(
    environment: Environment,
    framework: FrameworkInfo,
    *,
    device: str,
    staged: Staged,
    precision: str = "float32",
    log: Path | None = None,
    seconds: float = PROBE_SECONDS,
) -> dict[str, Any]:
    """Return what `trivet_worker.protocol` documents for the verb ``probe``.

    Args:
        environment: where it runs.
        framework: what is imported.
        device: "cpu" or "cuda".
        staged: the worker's code.
        precision: one of `trivet_worker.protocol.PRECISIONS`.
        log: where the worker's stderr is kept; None throws it away (its last lines are in a failure).
        seconds: the limit.

    Raises:
        WorkerFailed: the framework does not import, lacks the device, or hangs.
    """
    arguments = {"framework": framework.name, "precision": precision, "device": device}
    with tempfile.TemporaryDirectory(prefix="trivet-probe-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with Worker.start(
            environment, framework, staged, folder=folder, log=log or folder / "log.txt"
        ) as worker:
            result = worker.call("probe", arguments, seconds=seconds)
            worker.stop()
    return result
