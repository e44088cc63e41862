from __future__ import annotations

import platform
import sys

import pytest

from trivet.environments import interpreter
from trivet.environments.interpreter import NoInterpreter, ask


def script(tmp_path, text):
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_an_interpreter_says_what_it_is():
    found = ask(sys.executable, modules=["numpy", "no_such_module"])
    assert found.version == platform.python_version()
    assert found.modules == {"numpy": True, "no_such_module": False}
    assert "numpy" in found.packages
    assert all(name == name.lower() and "_" not in name for name in found.packages)


def test_a_wrapper_with_banners_is_understood(tmp_path):
    path = script(tmp_path, f'echo "loading modules"; {sys.executable} "$@"; echo bye')
    assert ask(path).version == platform.python_version()


def test_what_lies_where_the_user_stands_is_no_package(tmp_path, monkeypatch):
    (tmp_path / "torch.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert ask(sys.executable, modules=["torch"], own=True).modules == {"torch": False}


def test_the_users_own_python_keeps_its_pythonpath(tmp_path, monkeypatch):
    (tmp_path / "cluster_module.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert ask(sys.executable, modules=["cluster_module"], own=True).modules == {"cluster_module": True}
    assert ask(sys.executable, modules=["cluster_module"]).modules == {"cluster_module": False}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("echo broken library >&2; exit 127", "ended with status 127: broken library"),
        ("exit 0", "ended with status 0"),
    ],
)
def test_what_does_not_answer_is_no_interpreter(tmp_path, text, problem):
    with pytest.raises(NoInterpreter, match=problem):
        ask(script(tmp_path, text))


def test_a_file_that_cannot_be_started(tmp_path):
    path = tmp_path / "python"
    path.write_text("")
    with pytest.raises(NoInterpreter, match="cannot be started: Permission denied"):
        ask(path)


def test_one_that_hangs_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(interpreter, "_SECONDS", 0.2)
    with pytest.raises(NoInterpreter, match="did not answer"):
        ask(script(tmp_path, "exec sleep 60"))
