"""A small convolutional network in Flax NNX."""

from __future__ import annotations

import jax
from flax import nnx
from flax.typing import Dtype


class ConvNet(nnx.Module):
    """Images (B, H, W, 3) to logits (B, classes)."""

    def __init__(
        self, image: int, width: int, hidden: int, classes: int, *, dtype: Dtype | None, rngs: nnx.Rngs
    ) -> None:
        self.conv = nnx.Conv(3, width, (3, 3), padding=1, dtype=dtype, rngs=rngs)
        self.fc1 = nnx.Linear(image * image * width, hidden, dtype=dtype, rngs=rngs)
        self.dropout = nnx.Dropout(0.0, rngs=rngs)
        self.fc2 = nnx.Linear(hidden, classes, dtype=dtype, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = nnx.relu(self.conv(x))
        x = nnx.avg_pool(x, (3, 3), strides=(1, 1), padding="SAME", count_include_pad=False)
        x = x.reshape(len(x), -1)
        x = self.dropout(nnx.relu(self.fc1(x)))
        return self.fc2(x)


def build(
    *, rngs: nnx.Rngs, dtype: Dtype | None = None, image: int, width: int, hidden: int, classes: int
) -> nnx.Module:
    """Return the model; ``dtype`` is that of the computation, None for that of its inputs."""
    return ConvNet(image, width, hidden, classes, dtype=dtype, rngs=rngs)
