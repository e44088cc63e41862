"""Which accelerator this machine has: what `auto` means, and what an environment is built for."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
from typing import Any

from trivet.errors import DeviceError

_SMI_SECONDS = 20


@dataclasses.dataclass(frozen=True, kw_only=True)
class Gpu:
    """An NVIDIA GPU.

    Attributes:
        name: such as "NVIDIA H200".
        memory_bytes: all of it; 0 where it cannot be read.
        driver: version of the driver.
    """

    name: str
    memory_bytes: int
    driver: str


def gpus() -> list[Gpu]:
    """Return the machine's NVIDIA GPUs; [] where there is no driver, or CUDA_VISIBLE_DEVICES hides them all."""
    if os.environ.get("CUDA_VISIBLE_DEVICES", "all").strip() in ("", "-1", "NoDevFiles"):
        return []
    return _by_library() or _by_program()


def default_accelerator() -> str:
    """Return "cuda" where an NVIDIA GPU is to be seen, else "cpu"."""
    return "cuda" if gpus() else "cpu"


def resolve_device(device: str) -> str:
    """Return "cpu" or "cuda" for what the user asked for.

    Args:
        device: "auto", "cpu" or "cuda".

    Raises:
        DeviceError: "cuda" was asked for, and no NVIDIA GPU is to be seen.
    """
    if device not in ("auto", "cuda"):
        return device
    found = default_accelerator()
    if device == "cuda" and found != "cuda":
        message = "--device cuda: no NVIDIA GPU is to be seen here"
        hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
        message += f" (CUDA_VISIBLE_DEVICES is {hidden!r})." if hidden is not None else "."
        raise DeviceError(message, "Check with nvidia-smi, or leave out --device; `trivet doctor` says more.")
    return found


def _by_library() -> list[Gpu]:
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return []
    try:
        driver = str(pynvml.nvmlSystemGetDriverVersion())
        handles = [pynvml.nvmlDeviceGetHandleByIndex(i) for i in range(pynvml.nvmlDeviceGetCount())]
        return [
            Gpu(name=str(pynvml.nvmlDeviceGetName(h)), memory_bytes=_memory_bytes(h), driver=driver)
            for h in handles
        ]
    except pynvml.NVMLError:
        return []
    finally:
        pynvml.nvmlShutdown()


def _memory_bytes(handle: Any) -> int:
    """Return a GPU's memory; 0 where we may not see it, as on some machines that share one out in slices."""
    import pynvml

    try:
        return int(pynvml.nvmlDeviceGetMemoryInfo(handle).total)
    except pynvml.NVMLError:
        return 0


def _by_program() -> list[Gpu]:
    """Ask nvidia-smi, which finds the driver in places where the library is not (WSL, some containers)."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    command = [program, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=_SMI_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    rows = [[cell.strip() for cell in line.split(",")] for line in answer.stdout.splitlines() if line.strip()]
    return [
        Gpu(name=name, memory_bytes=int(memory) * 2**20 if memory.isdigit() else 0, driver=driver)
        for name, memory, driver in (row for row in rows if len(row) == 3)
    ]
