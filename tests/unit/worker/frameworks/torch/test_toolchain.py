"""What torch.compile needs from the machine is asked for before it fails in the middle of a step."""

from __future__ import annotations

import sysconfig

import pytest

from trivet_worker.frameworks.torch import toolchain


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with headers and no compiler; programs can be put on its PATH."""
    headers = tmp_path / "include"
    headers.mkdir()
    (headers / "Python.h").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(headers))
    monkeypatch.setattr(toolchain.sys, "platform", "linux")
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("CXX", raising=False)
    return tmp_path


def install(machine, name):
    program = machine / "bin" / name
    program.touch()
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(("device", "name"), [("cpu", "g++"), ("cuda", "gcc"), ("cuda", "clang")])
def test_a_compiler_on_the_path_is_enough(machine, device, name):
    install(machine, name)
    assert toolchain.missing(device) == ""


@pytest.mark.parametrize(
    ("device", "sought"), [("cpu", "g++ was not found"), ("cuda", "gcc or clang was not found")]
)
def test_no_compiler(machine, device, sought):
    assert sought in toolchain.missing(device)


def test_a_c_compiler_does_not_build_c_plus_plus(machine):
    install(machine, "gcc")
    assert "a C++ compiler" in toolchain.missing("cpu")


def test_the_named_compiler_counts_alone(machine, monkeypatch):
    mine = install(machine, "my-c++")
    monkeypatch.setenv("CXX", str(mine))
    assert toolchain.missing("cpu") == ""
    install(machine, "g++")
    mine.unlink()
    assert f"CXX={mine} was not found" in toolchain.missing("cpu")


def test_no_headers(machine):
    install(machine, "g++")
    (machine / "include" / "Python.h").unlink()
    message = toolchain.missing("cpu")
    assert "Python.h" in message
    assert "python3-dev" in message
