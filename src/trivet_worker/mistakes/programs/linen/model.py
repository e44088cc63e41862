"""A small classifier in Flax Linen, after Flax' guides "Batch normalization" and "Dropout"."""

import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    """Dense, batch normalisation, ReLU, dropout, dense: (N, features) to logits (N, classes)."""

    hidden: int
    classes: int

    @nn.compact
    def __call__(self, x: jnp.ndarray, train: bool) -> jnp.ndarray:
        h = nn.Dense(self.hidden, use_bias=False, name="fc1")(x)
        h = nn.relu(nn.BatchNorm(use_running_average=not train)(h))
        h = nn.Dropout(0.2, deterministic=not train)(h)
        return nn.Dense(self.classes, name="fc2")(h)
