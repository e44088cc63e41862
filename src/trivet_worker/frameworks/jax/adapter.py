"""JAX with Flax NNX and optax."""

from __future__ import annotations

from types import ModuleType

import flax
import jax
import jax.numpy as jnp
import jaxlib
import numpy as np
import optax
from flax import nnx

from trivet_worker.contract import Device, Program, Unsupported
from trivet_worker.frameworks.jax.program import JitProgram
from trivet_worker.protocol import Job

COMPILES_ON_FIRST_CALL: tuple[str, ...] = ()
"""None: `JitProgram.compile` compiles the step ahead of its first call."""

MATMUL_PRECISIONS = {"float32": "highest", "tf32": "tensorfloat32", "bfloat16": None, "float64": "highest"}
"""Precision -> ``jax_default_matmul_precision``, which holds for convolutions too. None leaves JAX's default."""

TF32_CAPABILITY = 8.0
"""CUDA compute capability of the first GPUs with TF32 (Ampere)."""


def configure(precision: str, device: str) -> None:
    """Choose the platform and the process-wide precision.

    Raises:
        Unsupported: the platform is not there, or has no TF32.
    """
    jax.config.update("jax_platforms", "cpu" if device == "cpu" else f"{device},cpu")
    jax.config.update("jax_enable_compilation_cache", False)
    jax.config.update("jax_enable_x64", precision == "float64")
    jax.config.update("jax_default_matmul_precision", MATMUL_PRECISIONS[precision])
    try:
        first = jax.devices(device)[0]
    except RuntimeError as error:
        problem = f"JAX {jax.__version__} finds no {device} device here: {error}"
        raise Unsupported(problem) from error
    if precision == "tf32" and (device == "cpu" or float(first.compute_capability) < TF32_CAPABILITY):
        problem = (
            f"TF32 is a mode of NVIDIA GPUs of compute capability 8.0 or later; this is {first.device_kind}."
        )
        raise Unsupported(problem)


def versions() -> dict[str, str]:
    """Return the versions of JAX and of the libraries that it trains with."""
    return {module.__name__: module.__version__ for module in (jax, jaxlib, flax, optax, np)}


def devices() -> list[Device]:
    """Return the GPUs, if any, and the CPU, as far as `configure` lets JAX see them; it does not tell their memory."""
    found = []
    for kind in ("cuda", "cpu"):
        try:
            found += [Device(kind, device.device_kind) for device in jax.devices(kind)]
        except RuntimeError:  # no such platform in this installation
            continue
    return found


def build(job: Job, model: ModuleType) -> Program:
    """Build the model with its own initialisers, as its users do, and the training program around it.

    Raises:
        Unsupported: the variant, the loss or the optimizer is not one of JAX's adapter.
    """
    if job.variant != "jit":
        problem = f"JAX has the variant jit, not {job.variant!r}."
        raise Unsupported(problem)
    # Said in float64 too: layers that look tokens up would compute in the precision that they were built in.
    dtype = {"bfloat16": jnp.bfloat16, "float64": jnp.float64}.get(job.precision)

    @nnx.jit  # as one program, which JAX's compile cache keeps; op by op, there is a small one for each shape
    def create() -> nnx.Module:
        return model.build(rngs=nnx.Rngs(job.seed), dtype=dtype, **job.sizes)

    return JitProgram(job, create())


def out_of_memory(error: BaseException) -> bool:
    """Say whether XLA or Python ran out of memory."""
    if isinstance(error, jax.errors.JaxRuntimeError):
        return "RESOURCE_EXHAUSTED" in str(error)
    return isinstance(error, MemoryError)
