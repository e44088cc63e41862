"""The convnet workload in numpy: what the shipped workloads lack of pooling, flattening, dropout and optimizer options."""

from __future__ import annotations

import numpy as np

from trivet_worker.contract import Batch
from trivet_worker.layouts.tensor import Tensor


def tensors(*, image: int, width: int, hidden: int, classes: int) -> list[Tensor]:
    """Return the tensors in execution order."""
    return [
        Tensor("conv", "conv", "weight", (3, 3, 3, width)),
        Tensor("conv", "conv", "bias", (width,)),
        Tensor("fc1", "dense", "weight", (image * image * width, hidden)),
        Tensor("fc1", "dense", "bias", (hidden,)),
        Tensor("fc2", "dense", "weight", (hidden, classes)),
        Tensor("fc2", "dense", "bias", (classes,)),
    ]


def batch(size: int, seed: int, *, image: int, classes: int, **_: int) -> Batch:
    """Return normal images (B, H, W, 3) float32 and uniform labels (B,) int32."""
    generator = np.random.default_rng(seed)
    inputs = generator.standard_normal((size, image, image, 3), dtype=np.float32)
    return Batch(inputs, generator.integers(0, classes, size, dtype=np.int32))


def shrink(sizes: dict[str, int]) -> dict[str, int]:
    """Return the gate's sizes: nothing to shrink but the batch."""
    return sizes
