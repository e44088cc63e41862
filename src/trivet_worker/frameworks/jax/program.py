"""The variant `jit`: the whole training step is one pure function, compiled by `jax.jit`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from flax.traverse_util import flatten_dict, unflatten_dict

from trivet_worker.contract import Arrays, Batch, Placement, Tap, TracedStep, Unsupported
from trivet_worker.frameworks.jax import compilations, optimizers, taps
from trivet_worker.frameworks.jax.names import names_by_path
from trivet_worker.protocol import Job

Tree = dict[Any, Any]
"""Arrays in nested dicts, by attribute name or list index."""

DeviceBatch = tuple[jax.Array, jax.Array]
"""Inputs and labels."""


_PRODUCT = re.compile(r"stablehlo\.(?:dot_general|convolution)\b.*?: \(tensor<(?:\d+x)*(\w+)>")
"""A matrix product or convolution in StableHLO; the group is the element type of its first operand."""

_DTYPES = {"f64": "float64", "f32": "float32", "bf16": "bfloat16", "f16": "float16"}


class TrainState(NamedTuple):
    """What a step reads and replaces. Its buffers are donated: after a step the old state is gone.

    Model tensors are in plain dicts (`nnx.to_pure_dict`), since an `nnx.State` keeps each in a Python object, and
    unwrapping these at every call is felt where a step takes 0.1 ms.

    Attributes:
        params: the model's parameters.
        rest: its other variables, such as normalisation statistics.
        optimizer: optax's state; holds the learning rate.
    """

    params: Tree
    rest: Tree
    optimizer: optax.OptState


class JitProgram:
    """A `trivet_worker.contract.Program` around a Flax NNX model.

    Args:
        job: the work; float64 turns every tensor of the model into float64.
        model: as its `build` made it.

    Raises:
        Unsupported: there is no such loss or optimizer here.
    """

    def __init__(self, job: Job, model: nnx.Module) -> None:
        if job.loss != "cross_entropy":
            problem = f"The JAX adapter knows the loss cross_entropy, not {job.loss}."
            raise Unsupported(problem)
        self._dtype = jnp.float64 if job.precision == "float64" else jnp.float32
        model.eval()
        graph_eval, _ = nnx.split(model)
        model.train()
        self._graph, params, rest = nnx.split(model, nnx.Param, ...)

        names = names_by_path(model)
        tensors = nnx.to_flat_state(nnx.state(model, nnx.Any(nnx.Param, nnx.BatchStat)))
        self._paths = {names[path]: path for path, _ in tensors}

        optimizer = optimizers.build(job.optimizer)
        params, rest = nnx.to_pure_dict(params), nnx.to_pure_dict(rest)
        if job.precision == "float64":
            params, rest = _to_float64(params), _to_float64(rest)
        self._start_optimizer = jax.jit(optimizer.init)  # op by op, it would compile a program per shape
        self._state = TrainState(params, rest, self._start_optimizer(params))
        self._loss = jnp.zeros((), self._dtype)

        update = _update_function(self._graph, optimizer, job.label_smoothing)

        def train_step(
            state: TrainState, inputs: jax.Array, labels: jax.Array
        ) -> tuple[TrainState, jax.Array]:
            state, loss, _, _ = update(state, inputs, labels)
            return state, loss

        def predict(params: Tree, rest: Tree, inputs: jax.Array) -> jax.Array:
            return _at_least_float32(nnx.merge(graph_eval, params, rest)(inputs))

        self._train_step = jax.jit(train_step, donate_argnums=0)
        self._step: Callable[..., Any] = self._train_step
        self._traced_step = jax.jit(update)
        self._predict = jax.jit(predict)

    def tensors(self) -> Arrays:
        """Return copies of parameters and statistics: a view would show what later steps write to donated buffers."""
        leaves = {**flatten_dict(self._state.params), **flatten_dict(self._state.rest)}
        return {name: np.array(leaves[path]) for name, path in self._paths.items()}

    def load(self, tensors: Arrays) -> None:
        """Set the named tensors and zero the optimizer's moments and step count; the learning rate stays.

        Raises:
            ValueError: the model has no tensor of that name, or it has another shape.
        """
        params, rest = flatten_dict(self._state.params), flatten_dict(self._state.rest)
        for name, array in tensors.items():
            path = self._paths.get(name)
            if path is None:
                problem = f"The model has no tensor {name!r}; it has {', '.join(self._paths)}."
                raise ValueError(problem)
            leaves = params if path in params else rest
            if array.shape != leaves[path].shape:
                problem = f"Tensor {name!r}: expected shape {leaves[path].shape}, got {array.shape}."
                raise ValueError(problem)
            copied = np.array(array, leaves[path].dtype)  # JAX may keep it as the buffer, and donates it
            leaves[path] = jax.device_put(copied)
        rate = self._state.optimizer.hyperparams["learning_rate"]
        params, rest = unflatten_dict(params), unflatten_dict(rest)
        self._state = TrainState(params, rest, self._start_optimizer(params))
        self._state.optimizer.hyperparams["learning_rate"] = rate

    def put(self, batch: Batch) -> DeviceBatch:
        """Move a batch to the device; images are channels-last in JAX too, and tokens stay int32."""
        tokens = np.issubdtype(batch.inputs.dtype, np.integer)
        inputs = jnp.asarray(batch.inputs, None if tokens else self._dtype)
        return inputs, jnp.asarray(batch.labels)

    def compile(self, batch: DeviceBatch) -> None:
        """Compile the step for batches of this shape, ahead of its first call."""
        self._step = self._train_step.lower(self._state, *batch).compile()

    def step(self, batch: DeviceBatch) -> None:
        """Dispatch one training step."""
        self._state, self._loss = self._step(self._state, *batch)

    def wait(self) -> None:
        """Return when the last step has finished."""
        jax.block_until_ready((self._state, self._loss))

    def loss(self) -> float:
        """Return the last step's loss."""
        return float(self._loss)

    def set_learning_rate(self, rate: float) -> None:
        """Change the rate in the optimizer's state, an input of the compiled step."""
        hyperparams = self._state.optimizer.hyperparams
        hyperparams["learning_rate"] = jnp.asarray(rate, hyperparams["learning_rate"].dtype)

    def predict(self, batch: DeviceBatch) -> np.ndarray:
        """Return logits (B, classes) from running statistics, compiled."""
        inputs, _ = batch
        return np.array(self._predict(self._state.params, self._state.rest, inputs))

    def traced_step(self, batch: DeviceBatch) -> TracedStep:
        """Take one step by the function inside `step`, compiled so that it hands out logits and gradients too."""
        self._state, self._loss, logits, gradients = self._traced_step(self._state, *batch)
        leaves = flatten_dict(gradients)
        named = {name: np.array(leaves[path]) for name, path in self._paths.items() if path in leaves}
        return TracedStep(self.loss(), np.array(logits), named)

    def taps(self, batch: DeviceBatch) -> list[Tap]:
        """Run a merged copy of the model op by op; what its layers change never reaches this program's state."""
        inputs, _ = batch
        return taps.record(nnx.merge(self._graph, self._state.params, self._state.rest), inputs)

    def device_memory(self) -> dict[str, int]:
        """Return the allocator's counters on a GPU."""
        counters = jax.devices()[0].memory_stats()
        if counters is None:  # a CPU
            return {}
        keys = {"live_peak_bytes": "peak_bytes_in_use", "pool_bytes": "pool_bytes"}
        return {name: counters[key] for name, key in keys.items() if key in counters}

    def compilations(self) -> tuple[str, ...]:
        """Return what XLA has compiled in this process, operations outside of any jit included."""
        return tuple(compilations.compiled)

    def placement(self, batch: DeviceBatch) -> Placement:
        """Look at the parameters' buffers, and at the products in the lowered step."""
        parameters = jax.tree.leaves(self._state.params)
        platforms = {device.platform for parameter in parameters for device in parameter.devices()}
        step = self._train_step.lower(self._state, *batch).as_text()
        return Placement(
            devices=tuple(sorted("cuda" if platform == "gpu" else platform for platform in platforms)),
            parameters=tuple(sorted({parameter.dtype.name for parameter in parameters})),
            compute=tuple(sorted({_DTYPES.get(name, name) for name in _PRODUCT.findall(step)})),
        )


def _update_function(
    graph: nnx.GraphDef, optimizer: optax.GradientTransformation, smoothing: float
) -> Callable[..., Any]:
    """Return the step as a function: (state, inputs, labels) -> (new state, loss, logits, gradients)."""

    def loss_function(
        params: Tree, rest: Tree, inputs: jax.Array, labels: jax.Array
    ) -> tuple[jax.Array, tuple[Tree, jax.Array]]:
        model = nnx.merge(graph, params, rest)
        logits = _at_least_float32(model(inputs))
        loss = _cross_entropy(logits, labels, smoothing).mean()
        _, _, rest = nnx.split(model, nnx.Param, ...)
        return loss, (nnx.to_pure_dict(rest), logits)

    def update(
        state: TrainState, inputs: jax.Array, labels: jax.Array
    ) -> tuple[TrainState, jax.Array, jax.Array, Tree]:
        gradient_function = jax.value_and_grad(loss_function, has_aux=True)
        (loss, (rest, logits)), gradients = gradient_function(state.params, state.rest, inputs, labels)
        updates, optimizer_state = optimizer.update(gradients, state.optimizer, state.params)
        params = optax.apply_updates(state.params, updates)
        return TrainState(params, rest, optimizer_state), loss, logits, gradients

    return update


def _cross_entropy(logits: jax.Array, labels: jax.Array, smoothing: float) -> jax.Array:
    """Return the loss of each label (...), from logits (..., classes)."""
    if smoothing:
        targets = jax.nn.one_hot(labels, logits.shape[-1], dtype=logits.dtype)
        return optax.softmax_cross_entropy(logits, optax.smooth_labels(targets, smoothing))
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels)


def _at_least_float32(x: jax.Array) -> jax.Array:
    return x.astype(jnp.promote_types(x.dtype, jnp.float32))


def _to_float64(tree: Tree) -> Tree:
    return jax.tree.map(lambda x: x.astype(jnp.float64) if jnp.issubdtype(x.dtype, jnp.floating) else x, tree)
