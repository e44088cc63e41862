"""Multilayer perceptron in Flax NNX."""

from __future__ import annotations

import jax
from flax import nnx
from flax.typing import Dtype


class MLP(nnx.Module):
    """Two hidden ReLU layers: (B, features) to logits (B, classes)."""

    def __init__(
        self, features: int, hidden: int, classes: int, *, dtype: Dtype | None, rngs: nnx.Rngs
    ) -> None:
        self.fc1 = nnx.Linear(features, hidden, dtype=dtype, rngs=rngs)
        self.fc2 = nnx.Linear(hidden, hidden, dtype=dtype, rngs=rngs)
        self.fc3 = nnx.Linear(hidden, classes, dtype=dtype, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = nnx.relu(self.fc1(x))
        x = nnx.relu(self.fc2(x))
        return self.fc3(x)


def build(
    *, rngs: nnx.Rngs, dtype: Dtype | None = None, features: int, hidden: int, classes: int
) -> nnx.Module:
    """Return the model; ``dtype`` is that of the computation, None for that of its inputs."""
    return MLP(features, hidden, classes, dtype=dtype, rngs=rngs)
