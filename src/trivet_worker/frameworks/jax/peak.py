"""JAX's own large operations; see `trivet_worker.contract.PeakModule`."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from trivet_worker.contract import Repeat

DTYPES = {"float32": jnp.float32, "tf32": jnp.float32, "bfloat16": jnp.bfloat16}


def matmul(size: int, precision: str, device: str) -> Repeat:  # noqa: ARG001 - `configure` has chosen the device
    """Return what multiplies two (size, size) matrices."""
    left, right = (_normal((size, size), seed, precision) for seed in range(2))
    return _repeated(jax.jit(jnp.matmul), left, right)


def convolution(batch: int, image: int, channels: int, precision: str, device: str) -> Repeat:  # noqa: ARG001 - likewise
    """Return what convolves (batch, image, image, channels), 3x3, to the same shape."""
    inputs = _normal((batch, image, image, channels), 0, precision)
    kernel = _normal((3, 3, channels, channels), 1, precision)

    @jax.jit
    def convolve(inputs: jax.Array, kernel: jax.Array) -> jax.Array:
        return jax.lax.conv_general_dilated(
            inputs, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    return _repeated(convolve, inputs, kernel)


def _normal(shape: tuple[int, ...], seed: int, precision: str) -> jax.Array:
    return jax.random.normal(jax.random.key(seed), shape, DTYPES[precision])


def _repeated(function: jax.stages.Wrapped, *operands: jax.Array) -> Repeat:
    def repeat(times: int) -> None:
        last = None
        for _ in range(times):
            last = function(*operands)
        jax.block_until_ready(last)

    return repeat
