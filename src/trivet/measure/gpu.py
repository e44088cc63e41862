"""What NVIDIA's management library says about GPUs, without touching them. Without GPU or driver: nothing."""

from __future__ import annotations

import contextlib
import os
import statistics
import threading
from collections.abc import Collection, Iterator
from typing import Any, Self

import pynvml

from trivet.model.machine import Gpu

_SAMPLE_SECONDS = 0.2


@contextlib.contextmanager
def _library() -> Iterator[Any]:
    """Give the library, or None where there is none."""
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        yield None
        return
    try:
        yield pynvml
    finally:
        pynvml.nvmlShutdown()


def devices() -> tuple[Gpu, ...]:
    """Return the GPUs, in the driver's order."""
    with _library() as library:
        if library is None:
            return ()
        driver = library.nvmlSystemGetDriverVersion()
        handles = [library.nvmlDeviceGetHandleByIndex(index) for index in range(library.nvmlDeviceGetCount())]
        return tuple(
            Gpu(
                name=library.nvmlDeviceGetName(handle),
                memory_bytes=_memory_bytes(library, handle),
                driver=driver,
                power_limit_watts=_read(library.nvmlDeviceGetEnforcedPowerLimit, handle, scale=1e-3),
            )
            for handle in handles
        )


def footprint_bytes(processes: Collection[int]) -> int | None:
    """Return the GPU memory that processes hold, context and code included; None if the driver does not say.

    It does not in containers whose process ids differ from the host's.
    """
    with _library() as library:
        if library is None:
            return None
        found = [
            process.usedGpuMemory
            for index in range(library.nvmlDeviceGetCount())
            for process in _running(library, index)
            if process.pid in processes and process.usedGpuMemory is not None
        ]
    return sum(found) if found else None


class Sampler:
    """Reads clock, power and temperature of the first visible GPU while a contestant is timed.

    A thread of the coordinator does; it costs a few milliseconds of CPU time a second.
    """

    def __init__(self) -> None:
        self._samples: dict[str, list[float]] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="trivet-gpu", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def readings(self) -> dict[str, float]:
        """Return medians: ``clocks_mhz``, ``power_watts``, ``temperature_celsius``. Those that were read."""
        return {name: statistics.median(values) for name, values in self._samples.items()}

    def _sample(self) -> None:
        with _library() as library:
            if library is None:
                return
            try:
                handle = _first_visible(library)
            except pynvml.NVMLError:
                return
            while not self._ended.wait(_SAMPLE_SECONDS):
                for name, value in (
                    ("clocks_mhz", _read(library.nvmlDeviceGetClockInfo, handle, library.NVML_CLOCK_SM)),
                    ("power_watts", _read(library.nvmlDeviceGetPowerUsage, handle, scale=1e-3)),
                    (
                        "temperature_celsius",
                        _read(library.nvmlDeviceGetTemperature, handle, library.NVML_TEMPERATURE_GPU),
                    ),
                ):
                    if value is not None:
                        self._samples.setdefault(name, []).append(value)


def _first_visible(library: Any) -> Any:
    """Return the handle of the GPU that frameworks use by default."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip()
    if first and not first.isdigit():
        with contextlib.suppress(pynvml.NVMLError):
            return library.nvmlDeviceGetHandleByUUID(first)
    return library.nvmlDeviceGetHandleByIndex(int(first) if first.isdigit() else 0)


def _memory_bytes(library: Any, handle: Any) -> int | None:
    try:
        return int(library.nvmlDeviceGetMemoryInfo(handle).total)
    except pynvml.NVMLError:
        return None


def _running(library: Any, index: int) -> list[Any]:
    """Return the processes that compute on a GPU; none where the driver does not list them."""
    try:
        return list(library.nvmlDeviceGetComputeRunningProcesses(library.nvmlDeviceGetHandleByIndex(index)))
    except pynvml.NVMLError:
        return []


def _read(function: Any, *arguments: Any, scale: float = 1.0) -> float | None:
    """Return a reading, None where this GPU has none."""
    try:
        return float(function(*arguments)) * scale
    except pynvml.NVMLError:
        return None
