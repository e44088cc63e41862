"""A small decoder in Keras."""

import keras
import numpy as np
from keras import KerasTensor, layers, ops


class Positions(layers.Layer):
    """Adds a learnt vector to each position of (B, T, width)."""

    def build(self, shape: tuple[int | None, ...]) -> None:
        self.embeddings = self.add_weight(shape=shape[1:], initializer="uniform", name="embeddings")

    def call(self, x: KerasTensor) -> KerasTensor:
        return x + self.embeddings


def attention(x: KerasTensor, heads: int, path: str) -> KerasTensor:
    """Let each position attend to itself and to those before it: (B, T, width) to the same."""
    _, length, width = x.shape

    def split(part: KerasTensor) -> KerasTensor:
        return ops.transpose(ops.reshape(part, (-1, length, heads, width // heads)), (0, 2, 1, 3))

    qkv = layers.Dense(3 * width, name=f"{path}_qkv")(x)
    q, k, v = (split(part) for part in ops.split(qkv, 3, axis=-1))
    scores = ops.matmul(q, ops.swapaxes(k, 2, 3)) / (width // heads) ** 0.5
    causal = np.tril(np.ones((length, length), bool))
    weights = ops.softmax(ops.where(causal, scores, -np.inf))
    y = ops.reshape(ops.transpose(ops.matmul(weights, v), (0, 2, 1, 3)), (-1, length, width))
    return layers.Dense(width, name=f"{path}_out")(y)


def gelu(x: KerasTensor) -> KerasTensor:
    """Return x Φ(x). TensorFlow's own rounds √½ to float32 in every precision: 2e-9 off in float64."""
    return x * ops.erfc(-x * 0.5**0.5) / 2


def block(x: KerasTensor, heads: int, path: str) -> KerasTensor:
    """Attention and a perceptron, each on normalised inputs beside a shortcut."""
    width = x.shape[-1]
    y = layers.LayerNormalization(epsilon=1e-5, name=f"{path}_norm1")(x)
    x = x + attention(y, heads, f"{path}_attention")
    y = layers.LayerNormalization(epsilon=1e-5, name=f"{path}_norm2")(x)
    y = layers.Dense(4 * width, name=f"{path}_expand")(y)
    y = gelu(y)
    y = layers.Dense(width, name=f"{path}_contract")(y)
    return x + layers.Dropout(0.0, name=f"{path}_dropout")(y)


def build(vocabulary: int, length: int, width: int, heads: int, blocks: int) -> keras.Model:
    """Return the model: tokens (B, T) to logits (B, T, vocabulary)."""
    tokens = keras.Input((length,), dtype="int64")
    embedding = layers.ReversibleEmbedding(vocabulary, width, name="tokens")
    x = Positions(name="positions")(embedding(tokens))
    for number in range(blocks):
        x = block(x, heads, f"blocks_{number}")
    x = layers.LayerNormalization(epsilon=1e-5, name="norm")(x)
    return keras.Model(tokens, embedding(x, reverse=True))
