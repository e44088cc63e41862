"""The framework itself: layers with a forward and a backward pass, written out."""

from __future__ import annotations

import numpy as np


class Dense:
    """``inputs @ weight + bias``.

    Args:
        name: the layer's path in the model.
        width_in, width_out: features of its inputs and outputs.
        generator: for the initial weights.
    """

    kind = "dense"

    def __init__(self, name: str, width_in: int, width_out: int, generator: np.random.Generator) -> None:
        self.name = name
        weight = generator.normal(0.0, (2.0 / width_in) ** 0.5, (width_in, width_out))
        self.parameters = {
            "weight": weight.astype(np.float32),
            "bias": np.zeros(width_out, np.float32),
        }
        self.gradients: dict[str, np.ndarray] = {}

    def forward(self, inputs: np.ndarray) -> np.ndarray:
        """Return (B, width_out) for inputs (B, width_in)."""
        self._inputs = inputs
        return inputs @ self.parameters["weight"] + self.parameters["bias"]

    def backward(self, gradient: np.ndarray) -> np.ndarray:
        """Take the outputs' gradient, keep the parameters', return the inputs'."""
        self.gradients = {"weight": self._inputs.T @ gradient, "bias": gradient.sum(axis=0)}
        return gradient @ self.parameters["weight"].T


class ReLU:
    """``max(inputs, 0)``."""

    kind = "activation"
    name = "relu"

    def __init__(self) -> None:
        self.parameters: dict[str, np.ndarray] = {}
        self.gradients: dict[str, np.ndarray] = {}

    def forward(self, inputs: np.ndarray) -> np.ndarray:
        """Return an array of the inputs' shape."""
        self._positive = inputs > 0
        return np.where(self._positive, inputs, 0)

    def backward(self, gradient: np.ndarray) -> np.ndarray:
        """Return the inputs' gradient."""
        return np.where(self._positive, gradient, 0)


class Chain:
    """Layers one after the other."""

    def __init__(self, *layers: Dense | ReLU) -> None:
        self.layers = layers

    def forward(self, inputs: np.ndarray) -> np.ndarray:
        """Return the last layer's outputs."""
        for layer in self.layers:
            inputs = layer.forward(inputs)
        return inputs

    def backward(self, gradient: np.ndarray) -> None:
        """Take the outputs' gradient; each layer keeps its parameters'."""
        for layer in reversed(self.layers):
            gradient = layer.backward(gradient)


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the mean loss over the batch, and its gradient by the logits (B, classes)."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=1, keepdims=True)
    rows = np.arange(len(labels))
    loss = (np.log(sums[:, 0]) - shifted[rows, labels]).mean()
    gradient = exponentials / sums
    gradient[rows, labels] -= 1.0
    return float(loss), gradient / len(labels)
