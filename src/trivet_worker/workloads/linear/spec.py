"""The linear workload in numpy."""

from __future__ import annotations

import numpy as np

from trivet_worker.contract import Batch
from trivet_worker.layouts.tensor import Tensor
from trivet_worker.workloads.flops import of_training


def tensors(*, features: int, classes: int) -> list[Tensor]:
    """Return the tensors in execution order."""
    return [Tensor("fc", "dense", "weight", (features, classes)), Tensor("fc", "dense", "bias", (classes,))]


def batch(size: int, seed: int, *, features: int, classes: int) -> Batch:
    """Return normal inputs (B, features) float32 and uniform labels (B,) int32."""
    generator = np.random.default_rng(seed)
    inputs = generator.standard_normal((size, features), dtype=np.float32)
    return Batch(inputs, generator.integers(0, classes, size, dtype=np.int32))


def shrink(sizes: dict[str, int]) -> dict[str, int]:
    """Return the gate's sizes: nothing to shrink but the batch."""
    return sizes


def training_flops(*, features: int, classes: int) -> float:
    """Return the floating-point operations of a training step for one example (see `workloads.flops`).

    One layer, which reads the inputs: 4 features classes.
    """
    return of_training([features * classes])
