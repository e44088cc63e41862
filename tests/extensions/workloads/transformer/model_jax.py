"""A small decoder in Flax NNX."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from flax import nnx
from flax.typing import Dtype


class CausalSelfAttention(nnx.Module):
    """(B, T, width) to the same; each position attends to itself and to those before it.

    Written out: `jax.nn.dot_product_attention` computes its softmax in float32, whatever the inputs are.
    """

    def __init__(self, width: int, heads: int, *, dtype: Dtype | None, rngs: nnx.Rngs) -> None:
        self.heads = heads
        self.qkv = nnx.Linear(width, 3 * width, dtype=dtype, rngs=rngs)
        self.out = nnx.Linear(width, width, dtype=dtype, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        batch, length, width = x.shape
        parts = jnp.split(self.qkv(x), 3, axis=-1)
        q, k, v = (part.reshape(batch, length, self.heads, -1) for part in parts)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(width // self.heads)
        causal = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(causal, scores, -jnp.inf))
        y = jnp.einsum("bhqk,bkhd->bqhd", weights, v)
        return self.out(y.reshape(batch, length, width))


class Block(nnx.Module):
    """Attention and a perceptron, each on normalised inputs beside a shortcut."""

    def __init__(self, width: int, heads: int, *, dtype: Dtype | None, rngs: nnx.Rngs) -> None:
        self.norm1 = nnx.LayerNorm(width, epsilon=1e-5, dtype=dtype, rngs=rngs)
        self.attention = CausalSelfAttention(width, heads, dtype=dtype, rngs=rngs)
        self.norm2 = nnx.LayerNorm(width, epsilon=1e-5, dtype=dtype, rngs=rngs)
        self.expand = nnx.Linear(width, 4 * width, dtype=dtype, rngs=rngs)
        self.contract = nnx.Linear(4 * width, width, dtype=dtype, rngs=rngs)
        self.dropout = nnx.Dropout(0.0, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = x + self.attention(self.norm1(x))
        y = nnx.gelu(self.expand(self.norm2(x)), approximate=False)
        return x + self.dropout(self.contract(y))


class Decoder(nnx.Module):
    """Tokens (B, T) to logits (B, T, vocabulary)."""

    def __init__(
        self,
        vocabulary: int,
        length: int,
        width: int,
        heads: int,
        blocks: int,
        *,
        dtype: Dtype | None,
        rngs: nnx.Rngs,
    ) -> None:
        self.tokens = nnx.Embed(vocabulary, width, dtype=dtype, rngs=rngs)
        self.positions = nnx.Embed(length, width, dtype=dtype, rngs=rngs)
        self.blocks = nnx.Sequential(*(Block(width, heads, dtype=dtype, rngs=rngs) for _ in range(blocks)))
        self.norm = nnx.LayerNorm(width, epsilon=1e-5, dtype=dtype, rngs=rngs)

    def __call__(self, tokens: jax.Array) -> jax.Array:
        x = self.tokens(tokens) + self.positions(jnp.arange(tokens.shape[1]))
        return self.tokens.attend(self.norm(self.blocks(x)))


def build(
    *,
    rngs: nnx.Rngs,
    dtype: Dtype | None = None,
    vocabulary: int,
    length: int,
    width: int,
    heads: int,
    blocks: int,
) -> nnx.Module:
    """Return the model; ``dtype`` is that of the computation, None for that of its parameters."""
    return Decoder(vocabulary, length, width, heads, blocks, dtype=dtype, rngs=rngs)
