"""Looks at every layer's output while the model runs, op by op, outside `jax.jit`.

NNX has no hooks. So for the time of one call the layers' classes, and the functions that models call as
``nnx.max_pool``, are replaced by versions that record. What runs inside of control flow of JAX's own is traced, not run:
there is nothing to record, and it is left out.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import jax
import numpy as np
from flax import nnx

from trivet_worker import attention
from trivet_worker.contract import Tap
from trivet_worker.frameworks.jax.names import names_by_path

LAYERS = {
    nnx.Conv: "conv",
    nnx.Linear: "dense",
    nnx.BatchNorm: "batch_norm",
    nnx.LayerNorm: "layer_norm",
    nnx.Embed: "embedding",
    nnx.Dropout: "dropout",
}
"""Layer class -> kind; other innermost modules are "other"."""

FUNCTIONS = {
    "max_pool": ("max_pool", (nnx,)),
    "avg_pool": ("average_pool", (nnx,)),
    "gelu": ("activation", (nnx, jax.nn)),
    "softmax": ("attention", (nnx, jax.nn)),
}
"""Function -> its kind, and the modules that models call it from."""


def record(model: nnx.Module, inputs: jax.Array) -> list[Tap]:
    """Run the model on the inputs and return what its layers put out, in execution order.

    Args:
        model: in the mode it should run in; its own statistics change.
        inputs: (B, ...), on the device.
    """
    names = names_by_path(model)
    layers = dict(_innermost(model))
    names_of_layers = {id(layer): names[path] for path, layer in layers.items()}
    running: set[int] = set()
    found: list[Tap] = []

    def recording_layer(call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def recorded(layer: nnx.Module, *args: Any, **kwargs: Any) -> Any:
            name = names_of_layers.get(id(layer))
            if name is None or id(layer) in running:  # running: a subclass calls its parent's, replaced too
                return call(layer, *args, **kwargs)
            running.add(id(layer))
            try:
                output = call(layer, *args, **kwargs)
            finally:
                running.remove(id(layer))
            if _has_values(output):
                kind = _kind(layer)
                found.append(_tap(name, kind, output, _layer_attributes(layer, kind, args[0].shape)))
            return output

        return recorded

    def recording_function(kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            output = function(*args, **kwargs)
            if not _has_values(output):
                return output
            call = signature.bind(*args, **kwargs)
            call.apply_defaults()
            found.append(_tap(kind, kind, output, _function_attributes(kind, call.arguments, output)))
            return output

        return recorded

    with ExitStack() as replaced:
        for cls in {_definer(type(layer), "__call__") for layer in layers.values()}:
            replaced.enter_context(_replaced(cls, "__call__", recording_layer))
        for name, (kind, owners) in FUNCTIONS.items():
            for owner in owners:
                replaced.enter_context(_replaced(owner, name, functools.partial(recording_function, kind)))
        model(inputs)
    return found


def _has_values(output: Any) -> bool:
    """Say whether a layer put out numbers; inside of `jax.lax.cond`, `scan` or a transformation it only traces."""
    return isinstance(output, jax.Array) and not isinstance(output, jax.core.Tracer)


def _innermost(model: nnx.Module) -> Iterator[tuple[tuple[Any, ...], nnx.Module]]:
    modules = [(path, node) for path, node in nnx.iter_graph(model) if isinstance(node, nnx.Module)]
    outer = {path[:depth] for path, _ in modules for depth in range(len(path))}
    return ((path, module) for path, module in modules if path not in outer and callable(module))


@contextmanager
def _replaced(owner: Any, name: str, wrap: Callable[[Any], Any]) -> Iterator[None]:
    original = getattr(owner, name)
    setattr(owner, name, wrap(original))
    try:
        yield
    finally:
        setattr(owner, name, original)


def _definer(cls: type, name: str) -> type:
    """Return the class of which this one has the attribute, itself or a parent."""
    return next(base for base in cls.__mro__ if name in vars(base))


def _tap(layer: str, kind: str, output: jax.Array, attributes: dict[str, Any]) -> Tap:
    return Tap(layer, kind, np.asarray(output, np.float64), attributes)


def _kind(layer: nnx.Module) -> str:
    return next((kind for cls, kind in LAYERS.items() if isinstance(layer, cls)), "other")


def _layer_attributes(layer: Any, kind: str, shape: Sequence[int]) -> dict[str, Any]:
    if kind == "conv":
        axes = len(layer.kernel_size)
        strides = _per_axis(layer.strides, axes)
        dilation = _per_axis(layer.kernel_dilation, axes)
        reach = [(layer.kernel_size[axis] - 1) * dilation[axis] + 1 for axis in range(axes)]
        padding = _applied_padding(layer.padding, shape, reach, strides)
        return {"strides": strides, "padding": padding, "bias": layer.use_bias}
    if kind == "dense":
        return {"bias": layer.use_bias}
    if kind == "layer_norm":
        return {"epsilon": layer.epsilon}
    if kind == "dropout":
        return {"rate": float(layer.rate)}
    if kind == "batch_norm":
        return {"epsilon": layer.epsilon, "momentum": layer.momentum}
    return {}


def _function_attributes(kind: str, arguments: dict[str, Any], output: jax.Array) -> dict[str, Any]:
    if kind == "activation":
        return {"approximate": arguments["approximate"]}
    if kind == "attention":
        scores = arguments["x"]
        return attention.attributes(np.asarray(scores), np.asarray(output), str(scores.dtype))
    window = list(arguments["window_shape"])
    strides = _per_axis(arguments["strides"], len(window))
    padding = _applied_padding(arguments["padding"], arguments["inputs"].shape, window, strides)
    found = {"window": window, "strides": strides, "padding": padding}
    if kind == "average_pool":
        found["border_counts"] = bool(np.any(padding)) and arguments["count_include_pad"]
    return found


def _per_axis(value: int | Sequence[int] | None, axes: int) -> list[int]:
    """Return a setting once per spatial axis; None stands for 1 in Flax."""
    if value is None or isinstance(value, int):
        return [value or 1] * axes
    return list(value)


def _applied_padding(
    padding: Any, shape: Sequence[int], window: list[int], strides: list[int]
) -> list[list[int]]:
    """Return the padding before and after each spatial axis of channels-last inputs of this shape."""
    if isinstance(padding, str):
        return [list(pair) for pair in jax.lax.padtype_to_pads(shape[1:-1], window, strides, padding)]
    if isinstance(padding, int):
        return [[padding, padding]] * len(window)
    return [[pair, pair] if isinstance(pair, int) else list(pair) for pair in padding]
