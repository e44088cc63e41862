"""Finds the files that a job names: adapter, native model, workload spec."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import cast

from trivet_worker.contract import Adapter, Unsupported

_ADAPTERS = "trivet_worker.frameworks."


def adapter(framework: str) -> Adapter:
    """Import a framework's adapter, and with it the framework.

    Raises:
        Unsupported: there is no such adapter.
    """
    return cast(Adapter, _module(f"{_ADAPTERS}{framework}.adapter", f"There is no adapter for {framework}"))


def peak(framework: str) -> ModuleType:
    """Import a framework's large operations.

    Raises:
        Unsupported: it has none.
    """
    return _module(f"{_ADAPTERS}{framework}.peak", f"{framework} has no operations to find a peak with")


def imported_adapters() -> list[Adapter]:
    """Return the adapters that this process has imported: one, or none yet."""
    names = [name for name in sys.modules if name.startswith(_ADAPTERS) and name.endswith(".adapter")]
    return [cast(Adapter, sys.modules[name]) for name in names]


def model(folder: str, name: str) -> ModuleType:
    """Import a workload's native model file.

    Raises:
        Unsupported: the workload has none for this framework.
    """
    return _module(f"trivet_worker.workloads.{folder}.model_{name}", f"This workload has no model for {name}")


def spec(folder: str) -> ModuleType:
    """Import a workload's `spec.py`: its tensors, batches and sizes in numpy.

    Raises:
        Unsupported: there is no such workload.
    """
    return _module(f"trivet_worker.workloads.{folder}.spec", f"There is no workload folder {folder}")


def _module(name: str, problem: str) -> ModuleType:
    if not _exists(name):
        path = name.removeprefix("trivet_worker.").replace(".", "/") + ".py"
        message = f"{problem}: {path} is missing."
        raise Unsupported(message)
    return importlib.import_module(name)


def _exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a folder on the way is missing
        return False
