"""trivet: PyTorch, TensorFlow or JAX? The same training in all three, proven equal, timed honestly.

The coordinator. It never imports a framework; the code that does is `trivet_worker`, which runs in each framework's
own environment.

In Python, `trivet.compare` asks and `trivet.open` opens a stored run (docs/python.md). Both are loaded when they are
first used, so that importing trivet costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trivet.version import __version__

if TYPE_CHECKING:
    from trivet.api import MeasuredRun, compare, open  # noqa: A004 - read as trivet.open

__all__ = ["MeasuredRun", "__version__", "compare", "open"]


def __getattr__(name: str) -> Any:
    if name in ("MeasuredRun", "compare", "open"):
        import importlib

        return getattr(importlib.import_module("trivet.api"), name)
    message = f"module 'trivet' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
