import time
from types import SimpleNamespace

import pynvml
import pytest

from trivet.measure import gpu
from trivet.model.machine import Gpu


class FakeLibrary:
    """Two GPUs; the second has no power sensor."""

    NVML_CLOCK_SM = 1
    NVML_TEMPERATURE_GPU = 0

    def nvmlInit(self):  # noqa: N802 - the library's name
        pass

    nvmlShutdown = nvmlInit  # noqa: N815 - the library's name

    def __getattr__(self, name):
        answers = {
            "nvmlSystemGetDriverVersion": lambda: "580.1",
            "nvmlDeviceGetCount": lambda: 2,
            "nvmlDeviceGetHandleByIndex": lambda index: index,
            "nvmlDeviceGetHandleByUUID": lambda uuid: {"GPU-b": 1}[uuid],
            "nvmlDeviceGetName": lambda handle: f"GPU {handle}",
            "nvmlDeviceGetMemoryInfo": lambda handle: SimpleNamespace(total=100 + handle),
            "nvmlDeviceGetEnforcedPowerLimit": self._power,
            "nvmlDeviceGetPowerUsage": self._power,
            "nvmlDeviceGetClockInfo": lambda handle, kind: 1500 + handle,
            "nvmlDeviceGetTemperature": lambda handle, kind: 60,
            "nvmlDeviceGetComputeRunningProcesses": lambda handle: [
                SimpleNamespace(pid=10 + handle, usedGpuMemory=1000),
                SimpleNamespace(pid=20, usedGpuMemory=None),
            ],
        }
        return answers[name]

    @staticmethod
    def _power(handle):
        if handle:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)
        return 250_000


@pytest.fixture
def library(monkeypatch):
    fake = FakeLibrary()
    monkeypatch.setattr(gpu, "pynvml", fake)
    fake.NVMLError = pynvml.NVMLError
    monkeypatch.setattr(gpu, "_SAMPLE_SECONDS", 0.001)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return fake


def sampled():
    with gpu.Sampler() as sampler:
        deadline = time.monotonic() + 10
        while "temperature_celsius" not in sampler.readings() and time.monotonic() < deadline:
            time.sleep(0.001)
    return sampler.readings()


def test_devices(library):
    assert gpu.devices() == (
        Gpu(name="GPU 0", memory_bytes=100, driver="580.1", power_limit_watts=250.0),
        Gpu(name="GPU 1", memory_bytes=101, driver="580.1", power_limit_watts=None),
    )


def test_footprint_is_summed_over_the_processes_asked_for(library):
    assert gpu.footprint_bytes([10]) == 1000
    assert gpu.footprint_bytes([10, 11, 99]) == 2000
    assert gpu.footprint_bytes([20]) is None
    assert gpu.footprint_bytes([99]) is None


def test_sampler_reads_the_first_visible_gpu(library, monkeypatch):
    assert sampled() == {"clocks_mhz": 1500, "power_watts": 250.0, "temperature_celsius": 60}
    for visible in ("1", "GPU-b,0"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
        assert sampled() == {"clocks_mhz": 1501, "temperature_celsius": 60}


def test_what_the_driver_refuses_is_left_out(library, monkeypatch):
    def refuse(*_):
        raise pynvml.NVMLError(pynvml.NVML_ERROR_NO_PERMISSION)

    asked = ("nvmlDeviceGetMemoryInfo", "nvmlDeviceGetComputeRunningProcesses")
    for name in asked:
        monkeypatch.setattr(library, name, refuse, raising=False)
    assert [(device.name, device.memory_bytes) for device in gpu.devices()] == [
        ("GPU 0", None),
        ("GPU 1", None),
    ]
    assert gpu.footprint_bytes([10]) is None
    monkeypatch.setattr(library, "nvmlDeviceGetHandleByIndex", refuse, raising=False)
    with gpu.Sampler() as sampler:
        pass
    assert sampler.readings() == {}


def test_without_a_driver_there_is_nothing(monkeypatch):
    def missing():
        raise pynvml.NVMLError(pynvml.NVML_ERROR_LIBRARY_NOT_FOUND)

    monkeypatch.setattr(pynvml, "nvmlInit", missing)
    assert gpu.devices() == ()
    assert gpu.footprint_bytes([1]) is None
    with gpu.Sampler() as sampler:
        pass
    assert sampler.readings() == {}
