"""The mlp workload in numpy."""

from __future__ import annotations

import numpy as np

from trivet_worker.contract import Batch
from trivet_worker.layouts.tensor import Tensor
from trivet_worker.workloads.flops import of_training


def tensors(*, features: int, hidden: int, classes: int) -> list[Tensor]:
    """Return the tensors in execution order."""
    widths = [features, hidden, hidden, classes]
    found = []
    for number, (width_in, width_out) in enumerate(zip(widths[:-1], widths[1:]), start=1):
        found.append(Tensor(f"fc{number}", "dense", "weight", (width_in, width_out)))
        found.append(Tensor(f"fc{number}", "dense", "bias", (width_out,)))
    return found


def batch(size: int, seed: int, *, features: int, hidden: int, classes: int) -> Batch:
    """Return normal inputs (B, features) float32 and uniform labels (B,) int32."""
    generator = np.random.default_rng(seed)
    inputs = generator.standard_normal((size, features), dtype=np.float32)
    return Batch(inputs, generator.integers(0, classes, size, dtype=np.int32))


def shrink(sizes: dict[str, int]) -> dict[str, int]:
    """Return the gate's sizes: nothing to shrink but the batch."""
    return sizes


def training_flops(*, features: int, hidden: int, classes: int) -> float:
    """Return the floating-point operations of a training step for one example (see `workloads.flops`).

    Three layers, the first of which reads the inputs: 4 features hidden + 6 hidden hidden + 6 hidden classes.
    """
    return of_training([features * hidden, hidden * hidden, hidden * classes])
