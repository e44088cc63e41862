"""Initial values for all frameworks, made once in numpy so that every contestant starts from the same numbers."""

from __future__ import annotations

import math

import numpy as np

from trivet_worker.layouts.tensor import Tensor


def initial_values(tensors: list[Tensor], seed: int) -> dict[str, np.ndarray]:
    """Return float32 values by canonical name.

    Kernels are He-normal over their fan-in (He et al. 2015, equation 10), embeddings normal with a row's norm near 1. Every
    other tensor is set off its usual start (biases and running means from N(0, 0.1), scales and running variances from
    U(0.5, 1.5)), so that no mistake can hide behind a zero or a one.
    """
    generator = np.random.default_rng(seed)
    values: dict[str, np.ndarray] = {}
    for tensor in tensors:
        if tensor.kind in ("dense", "conv") and tensor.role == "weight":
            deviation = math.sqrt(2.0 / math.prod(tensor.shape[:-1]))
            value = generator.standard_normal(tensor.shape, dtype=np.float32) * np.float32(deviation)
        elif tensor.kind == "embedding":
            value = generator.normal(0.0, 1.0 / math.sqrt(tensor.shape[-1]), tensor.shape)
        elif tensor.role in ("bias", "mean"):
            value = generator.normal(0.0, 0.1, tensor.shape)
        else:
            value = generator.uniform(0.5, 1.5, tensor.shape)
        values[tensor.name] = value.astype(np.float32)
    return values
