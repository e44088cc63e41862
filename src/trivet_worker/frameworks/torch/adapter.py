"""PyTorch as a framework of trivet; see `trivet_worker.contract.Adapter`."""

from __future__ import annotations

from types import ModuleType
from typing import TypeVar

import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import MultiStepLR

from trivet_worker.contract import Device, Unsupported
from trivet_worker.frameworks.torch import toolchain
from trivet_worker.frameworks.torch.program import Schedule, TorchProgram
from trivet_worker.protocol import Job

COMPILES_ON_FIRST_CALL = ("compile",)

_OUT_OF_MEMORY = (
    "can't allocate memory",  # DefaultCPUAllocator
    "CUDA out of memory",
    "CUDA error: out of memory",
    "CUBLAS_STATUS_ALLOC_FAILED",
    "CUDNN_STATUS_ALLOC_FAILED",
    "std::bad_alloc",
)

Function = TypeVar("Function")


def configure(precision: str, device: str) -> None:
    """Set TF32 on or off everywhere, and let cuDNN choose its convolutions by trying them.

    Raises:
        Unsupported: no CUDA device is seen, or it cannot do the precision.
    """
    if device == "cpu" and precision == "tf32":
        message = "TF32 is a format of NVIDIA GPUs; PyTorch computes float32 in full on a CPU."
        raise Unsupported(message)
    if device == "cuda":
        _require_cuda(precision)
    tf32 = precision == "tf32"
    torch.set_float32_matmul_precision("high" if tf32 else "highest")
    torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cudnn.benchmark = device == "cuda"


def _require_cuda(precision: str) -> None:
    if not torch.cuda.is_available():
        built = f"built for CUDA {torch.version.cuda}" if torch.version.cuda else "built without CUDA"
        message = f"PyTorch {torch.__version__}, {built}, sees no CUDA device."
        raise Unsupported(message)
    name, capability = torch.cuda.get_device_name(), torch.cuda.get_device_capability()
    if precision in ("tf32", "bfloat16") and capability < (8, 0):
        message = (
            f"{name} has compute capability {capability[0]}.{capability[1]}; {precision} needs 8.0 or later."
        )
        raise Unsupported(message)


def versions() -> dict[str, str]:
    """Return the versions of torch and numpy."""
    return {"torch": str(torch.__version__), "numpy": np.__version__}


def devices() -> list[Device]:
    """Return the CUDA devices, if any, and the CPU."""
    found = []
    for index in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(index)
        found.append(Device("cuda", properties.name, properties.total_memory))
    return [*found, Device("cpu", "cpu")]


def build(job: Job, model: ModuleType) -> TorchProgram:
    """Build the model in channels_last memory, the optimizer over its parameters, and the loop.

    Raises:
        Unsupported: torch.compile cannot work here, or nothing is written for the job's variant, loss or optimizer.
    """
    _require_known(job)
    if job.variant == "compile" and (lacking := toolchain.missing(job.device)):
        raise Unsupported(lacking)
    torch.manual_seed(job.seed)
    network = model.build(**job.sizes)
    dtype = torch.float64 if job.precision == "float64" else torch.float32
    network.to(device=job.device, dtype=dtype, memory_format=torch.channels_last)  # 4-D parameters only
    return TorchProgram(
        network,
        _OPTIMIZERS[job.optimizer["kind"]](network, job),
        mixed=job.precision == "bfloat16",
        compiler=_COMPILERS[job.variant],
        label_smoothing=job.label_smoothing,
        clip_norm=job.optimizer.get("clip_norm"),
        schedule=_schedule(job),
    )


def _sgd(network: nn.Module, job: Job) -> torch.optim.Optimizer:
    return torch.optim.SGD(
        network.parameters(),
        lr=job.optimizer["learning_rate"],
        momentum=job.optimizer["momentum"],
        # on a CPU the fused kernel is slower for channels_last parameters, and wrong where a gradient's memory
        # is laid out otherwise than its parameter's (2.13)
        fused=job.device == "cuda",
    )


def _adamw(network: nn.Module, job: Job) -> torch.optim.Optimizer:
    return torch.optim.AdamW(
        network.parameters(),
        lr=job.optimizer["learning_rate"],
        betas=(job.optimizer["beta_1"], job.optimizer["beta_2"]),
        eps=job.optimizer["epsilon"],
        weight_decay=job.optimizer["weight_decay"],
        fused=job.device == "cuda",
    )


_OPTIMIZERS = {"sgd": _sgd, "adamw": _adamw}


def _schedule(job: Job) -> Schedule | None:
    milestones, gamma = job.optimizer.get("milestones"), job.optimizer.get("gamma", 1.0)
    if not milestones:
        return None
    return lambda optimizer: MultiStepLR(optimizer, milestones, gamma)


def _require_known(job: Job) -> None:
    asked = {"variant": job.variant, "loss": job.loss, "optimizer": job.optimizer["kind"]}
    known = {"variant": tuple(_COMPILERS), "loss": ("cross_entropy",), "optimizer": tuple(_OPTIMIZERS)}
    for what, name in asked.items():
        if name not in known[what]:
            message = f"The PyTorch adapter has no {what} {name!r}; it has {', '.join(known[what])}."
            raise Unsupported(message)


def _as_written(function: Function) -> Function:
    return function


def _compiled(function: Function) -> Function:
    try:
        return torch.compile(function)
    except RuntimeError as error:  # it only wraps here: this Python is too new for it, or has no GIL
        raise Unsupported(str(error)) from error


_COMPILERS = {"eager": _as_written, "compile": _compiled}
"""Variant -> what is done to the functions that the training loop calls."""


def out_of_memory(error: BaseException) -> bool:
    """Say whether the exception, or one that it was raised from, means that memory ran out."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, (MemoryError, torch.OutOfMemoryError)):
            return True
        if isinstance(seen, RuntimeError) and any(text in str(seen) for text in _OUT_OF_MEMORY):
            return True
        seen = seen.__cause__
    return False
