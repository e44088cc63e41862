from __future__ import annotations

import os
import sys

import pytest

from trivet import lock
from trivet.environments import command
from trivet.environments.command import Command


def python(code, **more):
    return Command(arguments=(sys.executable, "-c", code), **more)


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command under a lock, and what it printed line by line."""

    def run_it(call, on_line=lambda line: None):
        with lock.held(tmp_path / "a.lock", what="works", report=lambda line: None) as descriptor:
            return command.run(call, log=tmp_path / "a.log", lock=descriptor, on_line=on_line)

    return run_it


def test_status_output_and_log(run, tmp_path):
    lines = []
    status, output = run(
        python("print('one'); print('https://me:secret@mirror.example'); raise SystemExit(3)"), lines.append
    )
    assert status == 3
    assert output.split() == lines == ["one", "https://me:secret@mirror.example"]
    text = (tmp_path / "a.log").read_text()
    assert text.startswith(f"$ {sys.executable}")
    assert "https://***@mirror.example" in text


def test_variables_and_folder(run, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("UV_PYTHON", "3.9")
    code = "import os; print(os.environ.get('PYTHONPATH'), os.environ.get('UV_PYTHON'), os.environ['MORE'], os.getcwd())"
    _, output = run(python(code, variables={"MORE": "yes"}, removed=("UV_PYTHON",), folder=tmp_path))
    assert output.split() == ["None", "None", "yes", os.fspath(tmp_path)]


def test_the_lock_is_held_until_the_command_has_ended(tmp_path):
    """Even if trivet has let go of it, as it does when it is killed."""
    path = tmp_path / "a.lock"
    held_without_us = []
    with lock.held(path, what="works", report=lambda line: None) as descriptor:

        def let_go(line):
            os.dup2(os.open(os.devnull, os.O_RDONLY), descriptor)
            held_without_us.append(lock.is_held(path))

        command.run(python("print('working')"), log=tmp_path / "a.log", lock=descriptor, on_line=let_go)
    assert held_without_us == [True]
    assert not lock.is_held(path)
