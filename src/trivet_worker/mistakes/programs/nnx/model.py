"""A small classifier in Flax NNX, after "Flax Basics" of Flax' guide."""

import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    """Linear, batch normalisation, ReLU, dropout, linear: (N, features) to logits (N, classes)."""

    def __init__(self, features, hidden, classes, *, rngs):
        self.fc1 = nnx.Linear(features, hidden, use_bias=False, rngs=rngs)
        self.norm = nnx.BatchNorm(hidden, rngs=rngs)
        self.dropout = nnx.Dropout(0.2, rngs=rngs)
        self.fc2 = nnx.Linear(hidden, classes, rngs=rngs)

    def __call__(self, x: jnp.ndarray) -> jnp.ndarray:
        h = self.fc1(x)
        h = nnx.relu(self.norm(h))
        h = self.dropout(h)
        return self.fc2(h)
