"""JAX, with Flax NNX and optax."""
