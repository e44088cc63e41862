"""keras.applications.ResNet50, in a custom loop and through Keras's own `train_on_batch`."""

from __future__ import annotations

import abc
import math
from types import ModuleType

import keras
import tensorflow as tf

from trivet_worker.contract import Arrays, Batch, Placement, Unsupported
from trivet_worker.frameworks.tensorflow.adapter import configure, devices, out_of_memory, versions
from trivet_worker.protocol import Job
from trivet_worker.workloads.flops import of_training

__all__ = ["COMPILES_ON_FIRST_CALL", "build", "configure", "devices", "out_of_memory", "versions"]

COMPILES_ON_FIRST_CALL = ("custom_loop", "train_on_batch")

DeviceBatch = tuple[tf.Tensor, tf.Tensor]
"""Images and labels."""


def build(job: Job, model: ModuleType) -> AbstractProgram:  # noqa: ARG001 - an adapter's signature
    """Build Keras's own model, and the loop around it."""
    keras.utils.set_random_seed(job.seed)
    image = job.sizes["image"]
    network = keras.applications.ResNet50(
        weights=None,
        input_shape=(image, image, 3),
        classes=job.sizes["classes"],
        classifier_activation=None,
    )
    optimizer = keras.optimizers.SGD(job.optimizer["learning_rate"], momentum=job.optimizer["momentum"])
    return _PROGRAMS[job.variant](network, optimizer, job)


class AbstractProgram(abc.ABC):
    """As much of `trivet_worker.contract.Program` as measuring needs."""

    def __init__(self, model: keras.Model, optimizer: keras.optimizers.Optimizer, job: Job) -> None:
        self._model = model
        self._optimizer = optimizer
        self._last = math.nan
        self._computed = _look_inside(model, job)

    @abc.abstractmethod
    def step(self, batch: DeviceBatch) -> None:
        """Take one training step."""

    @abc.abstractmethod
    def compilations(self) -> tuple[str, ...]:
        """Return what was traced so far."""

    def load(self, tensors: Arrays) -> None:  # noqa: B027 - not for subclasses to fill
        """Do nothing: it starts from its own initial values."""

    def put(self, batch: Batch) -> DeviceBatch:
        """Return images (B, H, W, C) and labels."""
        return tf.constant(batch.inputs), tf.constant(batch.labels, tf.int64)

    def compile(self, batch: DeviceBatch) -> None:  # noqa: B027 - likewise
        """Do nothing: the first call traces the step."""

    def wait(self) -> None:
        """Wait for the loss and every variable that the step assigns."""
        tf.test.experimental.sync_devices()

    def loss(self) -> float:
        """Return the last step's loss."""
        return float(self._last)

    def device_memory(self) -> dict[str, int]:
        """Return nothing, as on any CPU."""
        return {}

    def placement(self, batch: DeviceBatch) -> Placement:  # noqa: ARG002 - a program's signature
        """Return what was seen when the model was built."""
        return self._computed


class CustomLoop(AbstractProgram):
    """A custom step under tf.function, as Keras's guide writes it."""

    def __init__(self, model: keras.Model, optimizer: keras.optimizers.Optimizer, job: Job) -> None:
        super().__init__(model, optimizer, job)
        criterion = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

        @tf.function
        def train_step(images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
            with tf.GradientTape() as tape:
                loss = criterion(labels, model(images, training=True))
            gradients = tape.gradient(loss, model.trainable_weights)
            optimizer.apply(gradients, model.trainable_weights)
            return loss

        self._train_step = train_step

    def step(self, batch: DeviceBatch) -> None:
        """Take one training step."""
        self._last = self._train_step(*batch)

    def compilations(self) -> tuple[str, ...]:
        """Return the step's name for every trace of it."""
        return ("train_step",) * self._train_step.experimental_get_tracing_count()


class TrainOnBatch(AbstractProgram):
    """Keras's own training step."""

    def __init__(self, model: keras.Model, optimizer: keras.optimizers.Optimizer, job: Job) -> None:
        super().__init__(model, optimizer, job)
        # Left to itself, Keras compiles with XLA, which is slower on a CPU: the peer is shown at its best.
        model.compile(
            optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False
        )

    def step(self, batch: DeviceBatch) -> None:
        """Take one training step."""
        self._last = self._model.train_on_batch(*batch)

    def compilations(self) -> tuple[str, ...]:
        """Return nothing: Keras does not tell."""
        return ()


_PROGRAMS = {"custom_loop": CustomLoop, "train_on_batch": TrainOnBatch}


def _look_inside(model: keras.Model, job: Job) -> Placement:
    """Count the operations of the model's own layers, and see in which precision they compute.

    Raises:
        Unsupported: the count is not the one that the ratio is normalised by.
    """
    layers = [layer for layer in model.layers if isinstance(layer, (keras.layers.Conv2D, keras.layers.Dense))]
    flops = of_training(
        [math.prod(layer.kernel.shape) * math.prod(layer.output.shape[1:-1]) for layer in layers]
    )
    if flops != job.options["training_flops"]:
        message = f"keras.applications has {flops} operations, not {job.options['training_flops']}."
        raise Unsupported(message)
    return Placement(
        devices=("cpu",),
        parameters=tuple(sorted({weight.dtype for weight in model.trainable_weights})),
        compute=tuple(sorted({layer.compute_dtype for layer in layers})),
    )
