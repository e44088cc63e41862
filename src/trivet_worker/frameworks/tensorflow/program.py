"""A training program in TensorFlow: a Keras model under a custom training step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from trivet_worker.contract import Arrays, Batch, Placement, Tap, TracedStep, Unsupported
from trivet_worker.frameworks.tensorflow.names import native_path
from trivet_worker.frameworks.tensorflow.taps import taps
from trivet_worker.protocol import Job

JIT_COMPILE = {"graph": False, "xla": True}
"""Variant -> whether XLA compiles the step. Said explicitly, so that no default or flag decides."""

_PRODUCTS = ("MatMul", "Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter")
"""Kinds of graph operations that are matrix products or convolutions; their attribute "T" is the operands' dtype."""

DeviceBatch = tuple[tf.Tensor, tf.Tensor]
"""Inputs and labels."""


def cross_entropy(labels: tf.Tensor, logits: tf.Tensor, smoothing: float) -> tf.Tensor:
    """Return the mean over all labels (...), from logits (..., classes)."""
    if smoothing:
        classes = logits.shape[-1]
        spread = smoothing / classes
        targets = tf.one_hot(labels, classes, 1 - smoothing + spread, spread, dtype=logits.dtype)
        return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(targets, logits))
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


LOSSES = {"cross_entropy": cross_entropy}


def sgd(settings: Mapping[str, Any]) -> keras.optimizers.Optimizer:
    """Return Keras's SGD: v = momentum v - rate g, then p = p + v."""
    return keras.optimizers.SGD(
        learning_rate(settings), momentum=settings["momentum"], global_clipnorm=settings.get("clip_norm")
    )


def adamw(settings: Mapping[str, Any]) -> keras.optimizers.Optimizer:
    """Return Keras's AdamW, whose epsilon is added before the bias correction."""
    return keras.optimizers.AdamW(
        learning_rate(settings),
        weight_decay=settings["weight_decay"],
        beta_1=settings["beta_1"],
        beta_2=settings["beta_2"],
        epsilon=settings["epsilon"],
        global_clipnorm=settings.get("clip_norm"),
    )


def learning_rate(settings: Mapping[str, Any]) -> float | keras.optimizers.schedules.LearningRateSchedule:
    """Return the rate, or its schedule. Keras counts steps from 0, and a boundary is the last step at the old rate."""
    rate, milestones = settings["learning_rate"], settings.get("milestones", ())
    if not milestones:
        return rate
    return keras.optimizers.schedules.PiecewiseConstantDecay(
        [milestone - 1 for milestone in milestones],
        [rate * settings["gamma"] ** number for number in range(len(milestones) + 1)],
    )


OPTIMIZERS = {"sgd": sgd, "adamw": adamw}


class TensorFlowProgram:
    """See `trivet_worker.contract.Program`."""

    def __init__(self, model: keras.Model, job: Job) -> None:
        kind = job.optimizer["kind"]
        for asked, known in ((job.variant, JIT_COMPILE), (job.loss, LOSSES), (kind, OPTIMIZERS)):
            if asked not in known:
                message = f"TensorFlow's adapter has no {asked!r}; it has {', '.join(known)}."
                raise Unsupported(message)
        self._model = model
        self._loss_function = LOSSES[job.loss]
        self._smoothing = job.label_smoothing
        self._optimizer = OPTIMIZERS[kind](job.optimizer)
        self._optimizer.build(model.trainable_variables)
        self._dtype = keras.config.floatx()
        self._device = "/GPU:0" if job.device == "cuda" else "/CPU:0"
        self._loss: tf.Tensor | None = None

        jit_compile = JIT_COMPILE[job.variant]
        self._step = tf.function(self._train_step, jit_compile=jit_compile)
        self._traced_step = tf.function(self._advance, jit_compile=jit_compile)
        self._predict = tf.function(self._forward, jit_compile=jit_compile)
        self._functions = {
            "train_step": self._step,
            "traced_step": self._traced_step,
            "predict": self._predict,
        }

    def _train_step(self, inputs: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        loss, _, _ = self._advance(inputs, labels)
        return loss

    def _advance(self, inputs: tf.Tensor, labels: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, list[Any]]:
        variables = self._model.trainable_variables
        with tf.GradientTape() as tape:
            # Under mixed precision the logits are bfloat16; the loss wants more digits.
            logits = tf.cast(self._model(inputs, training=True), self._dtype)
            loss = self._loss_function(labels, logits, self._smoothing)
        # Dense: Keras squares an embedding's sparse gradient slice by slice, where a row that occurs twice has two slices,
        # so that moments and norms would be those of another gradient.
        gradients = [tf.convert_to_tensor(gradient) for gradient in tape.gradient(loss, variables)]
        self._optimizer.apply(gradients, variables)
        return loss, logits, gradients

    def _forward(self, inputs: tf.Tensor) -> tf.Tensor:
        return tf.cast(self._model(inputs, training=False), self._dtype)

    def tensors(self) -> Arrays:
        """Return parameters and statistics by path, such as "layer1_0_conv1/kernel"."""
        return self._arrays((variable, variable) for variable in self._model.weights)

    def load(self, tensors: Arrays) -> None:
        """Assign the named tensors and set the optimizer's moments and step count to zero; the traces stay valid.

        Raises:
            ValueError: the model has no tensor of a name, or one of another shape.
        """
        weights = {native_path(self._model, weight): weight for weight in self._model.weights}
        unknown = sorted(set(tensors) - set(weights))
        if unknown:
            message = f"The Keras model has no tensor {unknown[0]!r}; it has {', '.join(weights)}."
            raise ValueError(message)
        for name, array in tensors.items():
            weights[name].assign(array)
        for variable in self._optimizer.variables:
            if variable is not self._optimizer.learning_rate:
                variable.assign(np.zeros(variable.shape, variable.dtype))

    def put(self, batch: Batch) -> DeviceBatch:
        """Move a batch to the device. Labels and tokens become int64: TensorFlow keeps int32 tensors on the host."""
        dtype = tf.int64 if np.issubdtype(batch.inputs.dtype, np.integer) else self._dtype
        with tf.device(self._device):
            inputs = tf.identity(tf.constant(batch.inputs, dtype))
            return inputs, tf.identity(tf.constant(batch.labels, tf.int64))

    def compile(self, batch: DeviceBatch) -> None:
        """Trace the step for this batch's shapes. XLA compiles the trace when it first runs."""
        self._step = self._step.get_concrete_function(*batch)

    def step(self, batch: DeviceBatch) -> None:
        """Start one training step. On a GPU it returns once the kernels are queued."""
        self._loss = self._step(*batch)

    def wait(self) -> None:
        """Wait for the whole device: the loss and every variable that the step assigns."""
        tf.test.experimental.sync_devices()

    def loss(self) -> float:
        """Return the last step's loss."""
        return float(self._loss)

    def set_learning_rate(self, rate: float) -> None:
        """Assign the optimizer's learning-rate variable, which the traced step reads."""
        self._optimizer.learning_rate = rate

    def predict(self, batch: DeviceBatch) -> np.ndarray:
        """Return logits (B, classes) in inference mode."""
        inputs, _ = batch
        return self._predict(inputs).numpy()

    def traced_step(self, batch: DeviceBatch) -> TracedStep:
        """Take one step and return its loss, logits and gradients: `step` with more outputs."""
        loss, logits, gradients = self._traced_step(*batch)
        variables = self._model.trainable_variables
        return TracedStep(float(loss), logits.numpy(), self._arrays(zip(variables, gradients)))

    def taps(self, batch: DeviceBatch) -> list[Tap]:
        """Run the model forward in training mode, eagerly, and return what each layer gave."""
        inputs, _ = batch
        return taps(self._model, inputs)

    def device_memory(self) -> dict[str, int]:
        """Return the peak of live bytes on a GPU. TensorFlow does not tell the size of its pool."""
        if self._device == "/CPU:0":
            return {}
        return {"live_peak_bytes": tf.config.experimental.get_memory_info("GPU:0")["peak"]}

    def compilations(self) -> tuple[str, ...]:
        """Return the name of each tf.function once for every trace of it."""
        return tuple(
            name
            for name, function in self._functions.items()
            for _ in range(function.experimental_get_tracing_count())
        )

    def placement(self, batch: DeviceBatch) -> Placement:
        """Look at the variables, and at the operations in the graph of the step."""
        step = self._functions["train_step"].get_concrete_function(*batch)
        products = [operation for operation in step.graph.get_operations() if operation.type in _PRODUCTS]
        variables = [variable.value for variable in self._model.trainable_variables]
        kinds = {tf.DeviceSpec.from_string(variable.device).device_type for variable in variables}
        return Placement(
            devices=tuple(sorted("cuda" if kind == "GPU" else kind.lower() for kind in kinds)),
            parameters=tuple(sorted({variable.dtype.name for variable in variables})),
            compute=tuple(sorted({operation.get_attr("T").name for operation in products})),
        )

    def _arrays(self, named: Iterable[tuple[keras.Variable, Any]]) -> Arrays:
        return {native_path(self._model, variable): _dense(value) for variable, value in named}


def _dense(value: Any) -> np.ndarray:
    return tf.convert_to_tensor(value).numpy()
