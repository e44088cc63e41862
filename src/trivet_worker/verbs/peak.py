"""Peak: the best speed that the framework's own large operations reach on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from trivet_worker import modules
from trivet_worker.contract import Repeat, Unsupported

MATMUL = {"cpu": 2048, "cuda": 8192}
"""Device -> side of square matrices. Half of it was slower or as fast wherever it was tried."""
CONVOLUTION = {"cpu": (8, 28, 256), "cuda": (64, 28, 512)}
"""Device -> (batch, height and width, channels in and out) of a 3x3 convolution; smaller ones were slower."""

_BLOCK_SECONDS = 0.1
"""A block of calls is timed as a whole, and the best block counts: long enough for the clock and for power limits."""

Report = Callable[[str], None]


class Peak:
    """Asked again and again in one process; the framework is configured once."""

    def __init__(self) -> None:
        self._configured = False

    def measure(self, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
        """Name the operations, or time one of them.

        Args:
            arguments: ``framework``, ``precision``, ``device``; ``operation``, one of those named, or "" to be told
                their names; ``seconds``, how long to repeat it.
            report: takes the operation that begins.

        Returns:
            ``operations``, the names; for an operation also ``flops_per_second`` of
            its best block.

        Raises:
            Unsupported: the framework has no `peak.py`, or no such operation.
        """
        framework, precision, device = (arguments[name] for name in ("framework", "precision", "device"))
        if not self._configured:
            report("import")
            modules.adapter(framework).configure(precision, device)
            self._configured = True
        known = _operations(modules.peak(framework), precision, device)
        wanted = arguments["operation"]
        if not wanted:
            return {"operations": list(known)}
        if wanted not in known:
            message = f"{framework} has no operation {wanted!r}; it has {', '.join(known)}."
            raise Unsupported(message)
        report(wanted)
        flops, start = known[wanted]
        return {
            "operations": list(known),
            "flops_per_second": flops / best_seconds(start(), arguments["seconds"]),
        }


def _operations(native: Any, precision: str, device: str) -> dict[str, tuple[float, Callable[[], Repeat]]]:
    """Return name -> floating-point operations of one call, and what prepares it."""
    found = {}
    if hasattr(native, "matmul"):
        size = MATMUL[device]
        start = partial(native.matmul, size, precision, device)
        found[f"matrix product {size}"] = (2.0 * size**3, start)
    if hasattr(native, "convolution"):
        batch, image, channels = shape = CONVOLUTION[device]
        flops = 2.0 * batch * image**2 * 9 * channels**2
        start = partial(native.convolution, *shape, precision, device)
        found[f"convolution {batch}x{image}x{image}x{channels}"] = (flops, start)
    return found


def best_seconds(repeat: Repeat, seconds: float, clock: Callable[[], float] = time.monotonic) -> float:
    """Return what one call takes in the fastest block.

    Args:
        repeat: the operation; its first call, which may compile, is not timed.
        seconds: how long to go on; at least one block.
        clock: in seconds.
    """
    repeat(1)
    started = clock()
    repeat(1)
    once = max(clock() - started, 1e-9)
    block = max(1, round(_BLOCK_SECONDS / once))
    best = float("inf")
    end = clock() + seconds
    while True:
        began = clock()
        repeat(block)
        now = clock()
        best = min(best, (now - began) / block)
        if now >= end:
            return best
