"""The transformer workload in numpy."""

from __future__ import annotations

import numpy as np

from trivet_worker.contract import Batch
from trivet_worker.layouts.tensor import Tensor


def tensors(*, vocabulary: int, length: int, width: int, heads: int, blocks: int) -> list[Tensor]:
    """Return the tensors in execution order; the output head uses the embedding of the tokens."""
    found = [
        Tensor("tokens", "embedding", "weight", (vocabulary, width)),
        Tensor("positions", "embedding", "weight", (length, width)),
    ]

    def norm(path: str) -> None:
        found.extend(Tensor(path, "layer_norm", role, (width,)) for role in ("weight", "bias"))

    def dense(path: str, width_in: int, width_out: int) -> None:
        found.append(Tensor(path, "dense", "weight", (width_in, width_out)))
        found.append(Tensor(path, "dense", "bias", (width_out,)))

    for number in range(blocks):
        path = f"blocks.{number}"
        norm(f"{path}.norm1")
        dense(f"{path}.attention.qkv", width, 3 * width)
        dense(f"{path}.attention.out", width, width)
        norm(f"{path}.norm2")
        dense(f"{path}.expand", width, 4 * width)
        dense(f"{path}.contract", 4 * width, width)
    norm("norm")
    return found


def batch(size: int, seed: int, *, vocabulary: int, length: int, **_: int) -> Batch:
    """Return uniform tokens (B, T) int32, and those that follow them as labels (B, T) int32."""
    generator = np.random.default_rng(seed)
    tokens = generator.integers(0, vocabulary, (size, length + 1), dtype=np.int32)
    return Batch(tokens[:, :-1], tokens[:, 1:])


def shrink(sizes: dict[str, int]) -> dict[str, int]:
    """Return the gate's sizes: nothing to shrink but the batch."""
    return sizes
