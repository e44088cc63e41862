"""Probe: does this interpreter's framework import, and what does it see?"""

from __future__ import annotations

import dataclasses
import platform
import time
from collections.abc import Callable
from typing import Any

from trivet_worker import modules


def probe(arguments: dict[str, Any], report: Callable[[str], None]) -> dict[str, Any]:
    """Import the framework, set its switches, and say what is there.

    Args:
        arguments: ``framework``, ``precision``, ``device``.
        report: takes progress.

    Returns:
        ``python`` (version), ``versions`` {package: version}, ``devices`` [{kind, name, memory_bytes}],
        ``import_seconds``.

    Raises:
        Unsupported: there is no such adapter, device or precision.
    """
    report("import")
    started = time.monotonic()
    adapter = modules.adapter(arguments["framework"])
    import_seconds = time.monotonic() - started
    adapter.configure(arguments["precision"], arguments["device"])
    return {
        "python": platform.python_version(),
        "versions": adapter.versions(),
        "devices": [dataclasses.asdict(device) for device in adapter.devices()],
        "import_seconds": import_seconds,
    }
