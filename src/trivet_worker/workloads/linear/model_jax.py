"""Logistic regression in Flax NNX."""

from __future__ import annotations

import jax
from flax import nnx
from flax.typing import Dtype


class Linear(nnx.Module):
    """One dense layer: (B, features) to logits (B, classes)."""

    def __init__(self, features: int, classes: int, *, dtype: Dtype | None, rngs: nnx.Rngs) -> None:
        self.fc = nnx.Linear(features, classes, dtype=dtype, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        return self.fc(x)


def build(*, rngs: nnx.Rngs, dtype: Dtype | None = None, features: int, classes: int) -> nnx.Module:
    """Return the model; ``dtype`` is that of the computation, None for that of its inputs."""
    return Linear(features, classes, dtype=dtype, rngs=rngs)
