"""Trace: the worker's half of the parity gate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trivet_worker.contract import Unsupported


def trace(arguments: dict[str, Any], report: Callable[[str], None]) -> dict[str, Any]:
    """Run the job in float64 and store what it computed."""
    raise Unsupported("trace")
