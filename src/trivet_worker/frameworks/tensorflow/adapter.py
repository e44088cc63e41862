"""TensorFlow with Keras 3, for trivet: see `trivet_worker.contract.Adapter`."""

from __future__ import annotations

from types import ModuleType

import keras
import numpy as np
import tensorflow as tf

from trivet_worker.contract import Device, Unsupported
from trivet_worker.frameworks.tensorflow.program import TensorFlowProgram
from trivet_worker.protocol import Job

COMPILES_ON_FIRST_CALL = ("xla",)
"""The trace comes before the first call in both variants; XLA compiles the traced graph when it first runs."""

_POLICIES = {"float32": "float32", "tf32": "float32", "bfloat16": "mixed_bfloat16", "float64": "float64"}


def configure(precision: str, device: str) -> None:
    """Set devices and precision for the whole process; TensorFlow allows the former before its first op only.

    Raises:
        Unsupported: there is no GPU, TF32 is asked of a CPU, or Keras is not Keras 3 on TensorFlow.
    """
    if not keras.__version__.startswith("3.") or keras.config.backend() != "tensorflow":
        message = f"Keras 3 on TensorFlow is needed, this is Keras {keras.__version__}."
        raise Unsupported(message)
    _choose_device(device)
    if precision == "tf32" and device == "cpu":
        message = "TF32 is a mode of NVIDIA GPUs; on a CPU, float32 is the nearest."
        raise Unsupported(message)
    tf.config.experimental.enable_tensor_float_32_execution(precision == "tf32")
    # The user's ~/.keras/keras.json may say otherwise.
    keras.config.set_image_data_format("channels_last")
    keras.config.set_floatx("float64" if precision == "float64" else "float32")
    keras.config.set_dtype_policy(_POLICIES[precision])


def _choose_device(device: str) -> None:
    gpus = tf.config.list_physical_devices("GPU")
    if device == "cpu":
        tf.config.set_visible_devices([], "GPU")
        return
    if not gpus:
        built = "" if tf.test.is_built_with_cuda() else " (this build of it has no CUDA support)"
        message = f"TensorFlow sees no GPU{built}."
        raise Unsupported(message)
    tf.config.set_visible_devices(gpus[0], "GPU")
    tf.config.experimental.set_memory_growth(gpus[0], True)


def versions() -> dict[str, str]:
    """Return the versions of the packages that make the framework, as imported."""
    return {"tensorflow": tf.__version__, "keras": keras.__version__, "numpy": np.__version__}


def devices() -> list[Device]:
    """Return the devices that TensorFlow finds, GPUs first. It does not tell their total memory."""
    gpus = [
        Device("cuda", tf.config.experimental.get_device_details(gpu).get("device_name", gpu.name))
        for gpu in tf.config.list_physical_devices("GPU")
    ]
    return gpus + [Device("cpu", cpu.name) for cpu in tf.config.list_physical_devices("CPU")]


def build(job: Job, model: ModuleType) -> TensorFlowProgram:
    """Build the job's program from the workload's ``model_tensorflow.py``."""
    return TensorFlowProgram(model.build(**job.sizes), job)


def out_of_memory(error: BaseException) -> bool:
    """Say whether this exception means that memory ran out."""
    return isinstance(error, (tf.errors.ResourceExhaustedError, MemoryError))
