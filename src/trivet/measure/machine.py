"""Reads the facts about this machine."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Sequence
from pathlib import Path

import psutil

from trivet.measure import gpu, limits
from trivet.model.machine import Machine

_FEATURES = (
    "avx2", "fma", "avx512f", "avx512_bf16", "avx512_fp16", "avx512_vnni", "amx_tile", "amx_bf16", "asimd", "sve",
    "sve2", "bf16", "i8mm",
)  # fmt: skip

_CONTAINER_FILES = {"/.dockerenv": "docker", "/run/.containerenv": "podman", "/.singularity.d": "apptainer"}


def read_machine(cpus: Sequence[int]) -> Machine:
    """Return the facts about this machine.

    Args:
        cpus: the mask that contestants run on.
    """
    info = _cpu_info()
    first = cpus[0] if cpus else 0
    flags = set((info.get("flags") or info.get("Features") or "").split())
    return Machine(
        cpu=info.get("model name") or platform.processor() or platform.machine(),
        features=tuple(feature for feature in _FEATURES if feature in flags),
        architecture=platform.machine(),
        physical_cores=psutil.cpu_count(logical=False),
        logical_cpus=psutil.cpu_count() or 1,
        cpus=tuple(cpus),
        memory_bytes=psutil.virtual_memory().total,
        cpu_quota=limits.cpu_quota(),
        memory_limit_bytes=limits.memory_limit_bytes(),
        system=_system(),
        kernel=platform.release(),
        virtual=_virtual(flags),
        governor=_text(f"/sys/devices/system/cpu/cpu{first}/cpufreq/scaling_governor"),
        clock_mhz=_clock_mhz(first, info),
        load=os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        gpus=gpu.devices(),
    )


def _cpu_info() -> dict[str, str]:
    """Return the first CPU's entry in /proc/cpuinfo."""
    entry = {}
    for line in _text("/proc/cpuinfo").splitlines():
        if not line.strip():
            break
        name, _, value = line.partition(":")
        entry[name.strip()] = value.strip()
    return entry


def _system() -> str:
    with contextlib.suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return f"{platform.system()} {platform.mac_ver()[0]}".strip()


def _virtual(flags: set[str]) -> str:
    """Return what hints there are that this is a container, a batch job or a virtual machine."""
    hints = [name for path, name in _CONTAINER_FILES.items() if Path(path).exists()]
    if "KUBERNETES_SERVICE_HOST" in os.environ:
        hints.append("kubernetes")
    if "SLURM_JOB_ID" in os.environ:
        hints.append("slurm job")
    if "microsoft" in platform.release().lower():
        hints.append("WSL")
    elif "hypervisor" in flags:
        hints.append(f"virtual machine {_text('/sys/class/dmi/id/sys_vendor')}".strip())
    return ", ".join(hints)


def _clock_mhz(cpu: int, info: dict[str, str]) -> float | None:
    with contextlib.suppress(ValueError):
        return int(_text(f"/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq")) / 1000
    with contextlib.suppress(ValueError):
        return float(info.get("cpu MHz", ""))
    return None


def _text(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace").strip()
    except OSError:
        return ""
