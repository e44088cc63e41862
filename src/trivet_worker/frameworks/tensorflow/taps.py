"""What each layer of a Keras model gives, in execution order."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import keras
import numpy as np
import tensorflow as tf
from keras import layers

from trivet_worker import attention
from trivet_worker.contract import Tap
from trivet_worker.frameworks.tensorflow.names import native_path

Padding = list[list[int]]
"""[[top, bottom], [left, right]]."""

KINDS = (
    ("conv", layers.Conv2D),
    ("dense", layers.Dense),
    ("batch_norm", layers.BatchNormalization),
    ("layer_norm", layers.LayerNormalization),
    ("embedding", layers.Embedding),
    ("max_pool", layers.MaxPooling2D),
    ("average_pool", (layers.AveragePooling2D, layers.GlobalAveragePooling2D)),
    ("activation", (layers.Activation, layers.ReLU, layers.LeakyReLU, layers.ELU, layers.Softmax)),
    ("dropout", layers.Dropout),
)

OPERATIONS = {"Softmax": "attention", "Gelu": "activation"}
"""Class of a function's operation -> kind: those functions of `keras.ops` that have attributes. A functional model
keeps such an operation; Keras does not export the classes."""


@dataclasses.dataclass(frozen=True)
class Call:
    """One layer at work.

    Attributes:
        operation: the layer, or the operation behind a function of `keras.ops` or an operator.
        inputs: its first argument: a tensor, or a list of them.
        output: what it returned.
    """

    operation: keras.Operation
    inputs: Any
    output: Any


def taps(model: keras.Model, inputs: tf.Tensor) -> list[Tap]:
    """Run the model in training mode, eagerly; leave its statistics and random states as they were.

    Args:
        model: any Keras model: functional, sequential or subclassed.
        inputs: (B, features) or (B, H, W, C).

    Returns:
        A tap for each layer that has no layers inside. Padding layers have none: they count as a part of the
        convolution or pooling that follows.
    """
    before = [(variable, variable.numpy()) for variable in model.non_trainable_variables]
    with _recorded_calls() as calls:
        model(inputs, training=True)
    for variable, value in before:
        variable.assign(value)

    found = []
    padded: dict[int, Padding] = {}
    for call in calls:
        if isinstance(call.operation, layers.ZeroPadding2D):
            padded[id(call.output)] = [list(sides) for sides in call.operation.padding]
        elif tf.is_tensor(call.output):
            extra = padded.get(id(call.inputs), [[0, 0], [0, 0]])
            found.append(_tap(model, call, extra))
    return found


@contextlib.contextmanager
def _recorded_calls() -> Iterator[list[Call]]:
    """Record the calls of innermost layers, and of operations outside them; all pass `Operation.__call__`."""
    calls: list[Call] = []
    original = keras.Operation.__call__

    def recording_call(operation: keras.Operation, *args: Any, **kwargs: Any) -> Any:
        recorded = len(calls)
        with _activation_apart(operation) as activate:
            output = original(operation, *args, **kwargs)
        holds_layers = any(isinstance(call.operation, keras.Layer) for call in calls[recorded:])
        if not holds_layers or _kind(operation) != "other":
            calls[recorded:] = [Call(operation, args[0] if args else None, output)]
        return activate(output)

    keras.Operation.__call__ = recording_call
    try:
        yield calls
    finally:
        keras.Operation.__call__ = original


@contextlib.contextmanager
def _activation_apart(operation: keras.Operation) -> Iterator[Callable[[Any], Any]]:
    """Take a layer's built-in activation function out and hand it over, to be applied after the tap.

    Other frameworks have no activation inside a layer, so what is compared is the output before it.
    """
    built_in = getattr(operation, "activation", None)
    if _kind(operation) not in ("conv", "dense") or isinstance(built_in, keras.Layer):
        yield keras.activations.linear
        return
    operation.activation = keras.activations.linear
    try:
        yield built_in
    finally:
        operation.activation = built_in


def _kind(operation: keras.Operation) -> str:
    if not isinstance(operation, keras.Layer):
        return OPERATIONS.get(type(operation).__name__, "other")
    return next((kind for kind, types in KINDS if isinstance(operation, types)), "other")


def _tap(model: keras.Model, call: Call, extra: Padding) -> Tap:
    operation, kind = call.operation, _kind(call.operation)
    name = native_path(model, operation) if isinstance(operation, keras.Layer) else operation.name
    return Tap(name, kind, _double(call.output), _attributes(kind, call, extra))


def _attributes(kind: str, call: Call, extra: Padding) -> dict[str, Any]:
    layer = call.operation
    if kind == "batch_norm":
        return {"epsilon": layer.epsilon, "momentum": layer.momentum}
    if kind == "layer_norm":
        return {"epsilon": layer.epsilon}
    if kind == "dense":
        return {"bias": layer.use_bias}
    if kind == "dropout":
        return {"rate": float(layer.rate)}
    if kind == "attention":
        return attention.attributes(_double(call.inputs), _double(call.output), call.inputs.dtype.name)
    if kind == "activation":
        return {"approximate": layer.approximate} if hasattr(layer, "approximate") else {}
    if kind == "conv":
        window = [1 + (size - 1) * rate for size, rate in zip(layer.kernel_size, layer.dilation_rate)]
        padding = _padding(layer, call.inputs, window, extra)
        return {"strides": list(layer.strides), "padding": padding, "bias": layer.use_bias}
    if isinstance(layer, (layers.MaxPooling2D, layers.AveragePooling2D)):
        window = list(layer.pool_size)
        padding = _padding(layer, call.inputs, window, extra)
        found = {"window": window, "strides": list(layer.strides), "padding": padding}
        if kind == "average_pool":
            found["border_counts"] = any(map(any, extra))
        return found
    return {}


def _double(tensor: tf.Tensor) -> np.ndarray:
    return tf.cast(tensor, tf.float64).numpy()


def _padding(layer: keras.Layer, inputs: tf.Tensor, window: list[int], extra: Padding) -> Padding:
    """Return what a strided window's layer pads, the padding layer before it included.

    SAME makes the output ceil(input / stride) long, and puts the odd one of what that takes at the end.
    """
    if layer.padding == "valid":
        return extra
    padding = []
    for size, width, stride, sides in zip(inputs.shape[1:3], window, layer.strides, extra):
        total = max((-(-size // stride) - 1) * stride + width - size, 0)
        padding.append([sides[0] + total // 2, sides[1] + total - total // 2])
    return padding
