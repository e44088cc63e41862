from __future__ import annotations

import pynvml
import pytest

from trivet.environments import accelerator
from trivet.environments.accelerator import default_accelerator, resolve_device
from trivet.errors import DeviceError


@pytest.fixture(autouse=True)
def no_gpu(tmp_path, monkeypatch):
    monkeypatch.setattr(accelerator, "_library_sees_one", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


def smi(tmp_path, text):
    path = tmp_path / "nvidia-smi"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_without_a_gpu_it_is_the_cpu():
    assert default_accelerator() == "cpu"
    assert resolve_device("auto") == "cpu"
    assert resolve_device("cpu") == "cpu"
    with pytest.raises(DeviceError, match="no NVIDIA GPU is to be seen"):
        resolve_device("cuda")


def test_the_library_or_the_program_may_see_one(tmp_path, monkeypatch):
    smi(tmp_path, "echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)'")
    assert default_accelerator() == resolve_device("auto") == resolve_device("cuda") == "cuda"
    smi(tmp_path, "echo 'No devices found.'; exit 6")
    assert default_accelerator() == "cpu"
    monkeypatch.setattr(accelerator, "_library_sees_one", lambda: True)
    assert default_accelerator() == "cuda"
    assert resolve_device("cpu") == "cpu"


@pytest.mark.parametrize("hidden", ["", "-1"])
def test_a_hidden_gpu_is_none(monkeypatch, hidden):
    monkeypatch.setattr(accelerator, "_library_sees_one", lambda: True)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", hidden)
    assert default_accelerator() == "cpu"
    with pytest.raises(DeviceError, match="CUDA_VISIBLE_DEVICES is"):
        resolve_device("cuda")


@pytest.mark.parametrize(("count", "seen"), [(0, False), (2, True)])
def test_the_library_counts(monkeypatch, count, seen):
    monkeypatch.undo()
    monkeypatch.setattr(pynvml, "nvmlInit", lambda: None)
    monkeypatch.setattr(pynvml, "nvmlShutdown", lambda: None)
    monkeypatch.setattr(pynvml, "nvmlDeviceGetCount", lambda: count)
    assert accelerator._library_sees_one() is seen
