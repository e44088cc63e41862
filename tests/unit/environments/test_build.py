"""Environments are built once, by one, and are never half-made: with processes that are really killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trivet import catalog, lock
from trivet.environments import build, cache
from trivet.environments.build import ensure
from trivet.environments.failures import InstallFailed
from trivet.environments.plan import plan_for
from trivet.errors import BrokenEnvironment

BUILDER = """
from trivet import catalog
from trivet.environments import settings
from trivet.environments.build import ensure
from trivet.environments.installers import uv
from trivet.environments.plan import plan_for
uv.program = lambda: {program!r}
settings.pip_settings = dict
plan = plan_for(catalog.framework("jax"), version=None, accelerator="cpu")
ensure(plan, report=print)
"""
"""Another trivet, with the same fake uv."""


def plan():
    return plan_for(catalog.framework("jax"), version=None, accelerator="cpu")


def start(fakes):
    """Start another trivet that builds the same environment."""
    code = BUILDER.format(program=str(fakes.program))
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def wait_for(condition, what):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.02)


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_whole_environment_is_used_again(fakes, said):
    first = ensure(plan(), report=said.append)
    again = ensure(plan(), report=said.append)
    assert len(fakes.installs) == 1
    assert first.seconds > 0
    assert again.seconds == 0
    assert (again.python, again.packages, again.plan) == (first.python, first.packages, first.plan)
    assert Path(again.python).exists()


def test_using_it_is_noted(fakes, said):
    ensure(plan(), report=said.append)
    marker = cache.folder_of(plan()) / "environment.json"
    os.utime(marker, (1, 1))
    ensure(plan(), report=said.append)
    assert marker.stat().st_mtime > 1


@pytest.mark.parametrize("harm", ["no marker", "cut short", "other format", "no python"])
def test_what_is_not_whole_is_built_anew(fakes, said, harm):
    ensure(plan(), report=said.append)
    folder = cache.folder_of(plan())
    marker = folder / "environment.json"
    (folder / "left-over").write_text("")
    if harm == "no marker":
        marker.unlink()
    elif harm == "cut short":
        marker.write_text(marker.read_text()[:100])
    elif harm == "other format":
        marker.write_text(marker.read_text().replace('"format": 1', '"format": 99'))
    else:
        (folder / "bin" / "python").unlink()
    ensure(plan(), report=said.append)
    assert len(fakes.installs) == 2
    assert not (folder / "left-over").exists()


def test_a_failure_leaves_nothing_but_its_log(fakes, said):
    fakes.tell("uv", "install", "error: broke")
    fakes.tell("pip", "install", "error: broke")
    with pytest.raises(InstallFailed):
        ensure(plan(), report=said.append)
    folder = cache.folder_of(plan())
    assert not folder.exists()
    assert "error: broke" in cache.log_of(folder).read_text()


def test_an_interrupt_ends_the_installer_and_leaves_nothing(fakes, said, monkeypatch):
    fakes.tell("uv", "pip install", "Downloading jaxlib (82.4MiB)", seconds=60)

    def interrupt(line):
        if line.startswith("downloading"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ensure(plan(), report=interrupt)
    assert not runs(fakes.calls[-1]["pid"])
    assert not cache.folder_of(plan()).exists()
    assert not lock.is_held(cache.lock_of(cache.folder_of(plan())))


def test_killed_in_the_middle_the_next_run_repairs_it(fakes, said):
    fakes.tell("uv", "pip install", "working", seconds=60)
    other = start(fakes)
    wait_for(lambda: len(fakes.installs) == 1, "the other trivet never began to install")
    installer = fakes.installs[0]["pid"]
    assert cache.read(cache.folder_of(plan())) is None
    assert [entry.building for entry in cache.entries()] == [True]

    other.send_signal(signal.SIGKILL)
    other.communicate(timeout=60)
    wait_for(lambda: not runs(installer), "the installer outlived its trivet")
    wait_for(lambda: not cache.entries()[0].building, "the lock was never freed")
    assert cache.entries()[0].environment is None

    (fakes.folder / "rules.json").unlink()
    (cache.folder_of(plan()) / "left-over").write_text("")
    assert ensure(plan(), report=said.append).packages["jax"] == plan().version
    assert not (cache.folder_of(plan()) / "left-over").exists()


def test_two_at_once_build_once(fakes, said, monkeypatch):
    monkeypatch.setattr(lock, "SAY_AFTER_SECONDS", 0.1)
    fakes.tell("uv", "pip install", "working", status=0, seconds=1)
    other = start(fakes)
    wait_for(lambda: len(fakes.installs) == 1, "the other trivet never began to install")
    environment = ensure(plan(), report=said.append)
    output, _ = other.communicate(timeout=60)
    assert other.returncode == 0, output
    assert len(fakes.installs) == 1
    assert environment.seconds == 0
    assert said == [f"waiting for another trivet that builds this environment (pid {other.pid})"]


def test_a_cache_that_cannot_be_written_is_named(fakes, said, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "file"))
    with pytest.raises(BrokenEnvironment, match=r"cache folder .* cannot be used") as raised:
        ensure(plan(), report=said.append)
    assert "TRIVET_CACHE" in raised.value.remedy


def test_an_environment_whose_python_does_not_run_is_not_kept(fakes, said, monkeypatch):
    def refuse(python):
        problem = "it ended with status 1"
        raise build.interpreter.NoInterpreter(problem)

    monkeypatch.setattr(build.interpreter, "ask", refuse)
    with pytest.raises(InstallFailed, match="its Python does not run"):
        ensure(plan(), report=said.append)
    assert not cache.folder_of(plan()).exists()


def test_removing_takes_the_folder_and_the_log(fakes, said):
    ensure(plan(), report=said.append)
    folder = cache.folder_of(plan())
    build.remove(folder, report=said.append)
    assert not folder.exists()
    assert not cache.log_of(folder).exists()
    assert cache.entries() == []


def test_the_list_shows_size_and_state(fakes, said):
    ensure(plan(), report=said.append)
    (cache.folder_of(plan()).parent / "half-made").mkdir()
    half, whole = cache.entries()
    assert (half.name, half.environment, half.building) == ("half-made", None, False)
    assert whole.environment is not None
    assert whole.size_bytes > 1000


def test_a_removal_that_is_cut_short_leaves_nothing_usable(fakes, said, monkeypatch):
    ensure(plan(), report=said.append)

    def refuse(folder):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cache.shutil, "rmtree", refuse)
    with pytest.raises(BrokenEnvironment, match="cannot be removed"):
        build.remove(cache.folder_of(plan()), report=said.append)
    assert cache.read(cache.folder_of(plan())) is None
