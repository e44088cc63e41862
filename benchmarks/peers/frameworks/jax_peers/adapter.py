"""Haiku's own ResNet-50, trained as its ImageNet example does, on one device."""

from __future__ import annotations

import math
from functools import partial
from types import ModuleType
from typing import Any

import haiku as hk
import jax
import jax.numpy as jnp
import jmp
import optax

from trivet_worker.contract import Arrays, Batch, Placement, Unsupported
from trivet_worker.frameworks.jax import adapter as jax_adapter
from trivet_worker.frameworks.jax import compilations
from trivet_worker.frameworks.jax.adapter import configure, devices, out_of_memory
from trivet_worker.protocol import Job
from trivet_worker.workloads.flops import of_training

__all__ = ["COMPILES_ON_FIRST_CALL", "build", "configure", "devices", "out_of_memory", "versions"]

COMPILES_ON_FIRST_CALL = ("haiku",)

_MIXED = jmp.get_policy("params=float32,compute=bfloat16,output=float32")
_MIXED_NORM = jmp.get_policy("params=float32,compute=float32,output=bfloat16")
"""Normalisation computes in float32 and hands bfloat16 on, as in Flax."""


def versions() -> dict[str, str]:
    """Return the versions of JAX, its libraries and Haiku."""
    return {**jax_adapter.versions(), "dm-haiku": hk.__version__}


def build(job: Job, model: ModuleType) -> HaikuProgram:  # noqa: ARG001 - an adapter's signature
    """Build Haiku's own model, and the training step around it."""
    return HaikuProgram(job)


class HaikuProgram:
    """As much of `trivet_worker.contract.Program` as measuring needs."""

    def __init__(self, job: Job) -> None:
        if job.precision == "bfloat16":
            hk.mixed_precision.set_policy(hk.nets.ResNet50, _MIXED)
            hk.mixed_precision.set_policy(hk.BatchNorm, _MIXED_NORM)

        def forward(images: jax.Array) -> jax.Array:
            return hk.nets.ResNet50(job.sizes["classes"])(images, is_training=True)

        network = hk.transform_with_state(forward)
        optimizer = optax.sgd(job.optimizer["learning_rate"], momentum=job.optimizer["momentum"])
        image = jax.ShapeDtypeStruct((1, job.sizes["image"], job.sizes["image"], 3), jnp.float32)
        key = jax.random.PRNGKey(job.seed)
        params, stats = jax.jit(network.init)(key, jnp.zeros(image.shape, image.dtype))
        self._state = (params, stats, optimizer.init(params))
        self._last = jnp.full((), jnp.nan)
        self._computed = _look_inside(partial(network.init, key), image, params, job)

        def loss_of(params: Any, stats: Any, images: jax.Array, labels: jax.Array) -> tuple[jax.Array, Any]:
            logits, stats = network.apply(params, stats, None, images)
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), stats

        @partial(jax.jit, donate_argnums=0)
        def train_step(state: Any, images: jax.Array, labels: jax.Array) -> tuple[Any, jax.Array]:
            params, stats, velocity = state
            (loss, stats), gradients = jax.value_and_grad(loss_of, has_aux=True)(
                params, stats, images, labels
            )
            updates, velocity = optimizer.update(gradients, velocity, params)
            return (optax.apply_updates(params, updates), stats, velocity), loss

        self._train_step = train_step

    def load(self, tensors: Arrays) -> None:
        """Do nothing: it starts from its own initial values."""

    def put(self, batch: Batch) -> tuple[jax.Array, jax.Array]:
        """Return images (B, H, W, C) and labels."""
        return jnp.asarray(batch.inputs), jnp.asarray(batch.labels)

    def compile(self, batch: Any) -> None:
        """Do nothing: the first call compiles the step."""

    def step(self, batch: tuple[jax.Array, jax.Array]) -> None:
        """Dispatch one training step."""
        self._state, self._last = self._train_step(self._state, *batch)

    def wait(self) -> None:
        """Return when the last step has finished."""
        jax.block_until_ready((self._state, self._last))

    def loss(self) -> float:
        """Return the last step's loss."""
        return float(self._last)

    def device_memory(self) -> dict[str, int]:
        """Return nothing, as on any CPU."""
        return {}

    def compilations(self) -> tuple[str, ...]:
        """Return what XLA has compiled in this process."""
        return tuple(compilations.compiled)

    def placement(self, batch: Any) -> Placement:  # noqa: ARG002 - a program's signature
        """Return what was seen when the model was built."""
        return self._computed


def _look_inside(init: Any, image: jax.ShapeDtypeStruct, params: Any, job: Job) -> Placement:
    """Count the operations of the model's own layers, and see in which precision they compute.

    Raises:
        Unsupported: the count is not the one that the ratio is normalised by.
    """
    multiply_adds: list[int] = []
    computed: set[str] = set()

    def note(call: Any, args: Any, kwargs: Any, context: hk.MethodContext) -> Any:
        output = call(*args, **kwargs)
        layer = context.module
        if context.method_name == "__call__" and isinstance(layer, (hk.Conv2D, hk.Linear)):
            window = math.prod(layer.kernel_shape) if isinstance(layer, hk.Conv2D) else 1
            kernel = window * args[0].shape[-1] * output.shape[-1]
            multiply_adds.append(kernel * math.prod(output.shape[1:-1]))
            computed.add(output.dtype.name)
        return output

    with hk.intercept_methods(note):
        jax.eval_shape(init, image)
    if of_training(multiply_adds) != job.options["training_flops"]:
        message = f"Haiku has {of_training(multiply_adds)} operations, not {job.options['training_flops']}."
        raise Unsupported(message)
    return Placement(
        devices=("cpu",),
        parameters=tuple(sorted({leaf.dtype.name for leaf in jax.tree.leaves(params)})),
        compute=tuple(sorted(computed)),
    )
