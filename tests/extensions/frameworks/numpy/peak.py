"""numpy's large operation; it has no convolution."""

from __future__ import annotations

import numpy as np

from trivet_worker.contract import Repeat


def matmul(size: int, precision: str, device: str) -> Repeat:
    """Return what multiplies two (size, size) matrices."""
    generator = np.random.default_rng(0)
    left, right = (generator.standard_normal((size, size), dtype=np.dtype(precision)) for _ in range(2))

    def repeat(times: int) -> None:
        for _ in range(times):
            left @ right

    return repeat
