from __future__ import annotations

import fcntl
import subprocess
import sys

import pytest

from trivet import lock
from trivet.errors import BrokenEnvironment


def test_it_is_held_inside_and_free_after(tmp_path):
    said = []
    path = tmp_path / "a.lock"
    assert not lock.is_held(path)
    with lock.held(path, what="works", report=said.append):
        assert lock.is_held(path)
    assert not lock.is_held(path)
    assert said == []


def test_a_child_that_was_handed_the_lock_keeps_it(tmp_path):
    path = tmp_path / "a.lock"
    with lock.held(path, what="works", report=print) as descriptor:
        child = subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=(descriptor,)
        )
    assert lock.is_held(path)
    child.communicate(b"\n", timeout=60)
    assert not lock.is_held(path)


def test_a_file_system_that_cannot_lock_is_named(tmp_path, monkeypatch):
    def refuse(descriptor, operation):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with (
        pytest.raises(BrokenEnvironment, match="cannot lock files") as raised,
        lock.held(tmp_path / "a.lock", what="works", report=print),
    ):
        pass
    assert "TRIVET_CACHE" in raised.value.remedy
