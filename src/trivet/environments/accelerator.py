"""Which accelerator this machine has: what `auto` means, and what an environment is built for."""

from __future__ import annotations

import os
import shutil
import subprocess

from trivet.errors import DeviceError

_SMI_SECONDS = 20


def default_accelerator() -> str:
    """Return "cuda" where a process started here would see an NVIDIA GPU, else "cpu"."""
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES", "all").strip() in ("", "-1", "NoDevFiles")
    return "cuda" if not hidden and (_library_sees_one() or _program_sees_one()) else "cpu"


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
        visible = os.environ.get("CUDA_VISIBLE_DEVICES")
        hint = f" (CUDA_VISIBLE_DEVICES is {visible!r})" if visible is not None else ""
        message = f"--device cuda: no NVIDIA GPU is to be seen here{hint}."
        raise DeviceError(message, "Check with nvidia-smi, or leave out --device; `trivet doctor` says more.")
    return found


def _library_sees_one() -> bool:
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return False
    try:
        return bool(pynvml.nvmlDeviceGetCount())
    except pynvml.NVMLError:
        return False
    finally:
        pynvml.nvmlShutdown()


def _program_sees_one() -> bool:
    """Ask nvidia-smi, which finds the driver in places where the library does not (WSL, some containers)."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return False
    try:
        answer = subprocess.run(
            [program, "--list-gpus"], capture_output=True, text=True, timeout=_SMI_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return "GPU " in answer.stdout
