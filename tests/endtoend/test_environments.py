"""Real installers build a real, small environment: numpy's, the framework of the tests."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trivet_command import EXTENSIONS, trivet

pytestmark = pytest.mark.real


@pytest.fixture
def cache(tmp_path) -> Path:
    return tmp_path / "cache"


def create(cache, **variables):
    return trivet("env", "create", "numpy", TRIVET_CACHE=str(cache), **variables)


def start(cache, **variables):
    """Start a trivet that builds, in a session of its own."""
    environment = {
        **os.environ,
        "TRIVET_EXTENSIONS": str(EXTENSIONS),
        "TRIVET_CACHE": str(cache),
        **variables,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "trivet", "env", "create", "numpy"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def folder(cache):
    """Return the environment's folder, or None before it is there."""
    return next((path for path in (cache / "environments").glob("numpy-*") if path.is_dir()), None)


def writers(cache):
    """Return the processes that were told to write into the cache."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if str(cache).encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_an_environment_works_and_is_compiled_whoever_builds_it(cache, installer):
    done = create(cache, TRIVET_INSTALLER=installer, PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 0, done.stderr
    python = done.stdout.split()[-1]
    shown = subprocess.run(
        [python, "-I", "-c", "import numpy; print(numpy.__cached__)"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert Path(shown.stdout.strip()).exists()
    assert f"{installer}, index" in trivet("env", "list", TRIVET_CACHE=str(cache)).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("installer", ["uv", pytest.param("pip", marks=pytest.mark.full)])
def test_a_build_killed_in_the_middle_is_repaired(cache, installer):
    """Killed with SIGKILL as soon as anything is installed; nobody writes on, and the next run builds afresh."""
    building = start(cache, TRIVET_INSTALLER=installer, UV_LINK_MODE="copy")
    until = time.monotonic() + 120
    while not (made := folder(cache)) or not list(made.glob("lib/python*/site-packages/numpy*")):
        assert time.monotonic() < until, "nothing was ever installed"
        assert building.poll() is None, "it was done before it could be killed"
        time.sleep(0.005)
    building.send_signal(signal.SIGKILL)
    building.communicate(timeout=60)
    until = time.monotonic() + 30
    while writers(cache):
        assert time.monotonic() < until, "an installer outlived its trivet"
        time.sleep(0.05)
    assert not (made / "environment.json").exists()
    (made / "left-over").write_text("")

    again = create(cache)
    assert again.returncode == 0, again.stderr
    assert "building numpy" in again.stderr
    assert not (made / "left-over").exists()
    python = again.stdout.split()[-1]
    assert subprocess.run([python, "-I", "-c", "import numpy"], check=False).returncode == 0


def test_two_at_once_build_once(cache):
    both = [start(cache) for _ in range(2)]
    outputs = [process.communicate(timeout=300)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert sum("building numpy" in output for output in outputs) == 1


def test_an_interrupt_leaves_nothing(cache):
    building = start(cache, TRIVET_INSTALLER="pip")
    until = time.monotonic() + 120
    while folder(cache) is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    building.send_signal(signal.SIGINT)
    output, _ = building.communicate(timeout=60)
    assert building.returncode == 130, output
    assert folder(cache) is None
    assert not writers(cache)


def test_an_unreachable_index_is_a_clear_error(cache, tmp_path):
    done = create(
        cache,
        UV_CACHE_DIR=str(tmp_path / "uv"),
        UV_DEFAULT_INDEX="http://127.0.0.1:9/simple",
        UV_HTTP_RETRIES="0",
        PIP_CONFIG_FILE=os.devnull,
        PIP_INDEX_URL="http://127.0.0.1:9/simple",
        PIP_NO_CACHE_DIR="1",
    )
    assert done.returncode == 4
    assert "a package index cannot be reached" in done.stderr
    assert len(done.stderr.splitlines()) < 24
    assert folder(cache) is None


def test_a_version_that_does_not_exist_is_a_clear_error(cache):
    done = trivet("env", "create", "numpy@0.0.99", TRIVET_CACHE=str(cache))
    assert done.returncode == 2
    assert "numpy 0.0.99 does not exist" in done.stderr


def test_the_cache_is_used_without_a_network(cache):
    assert create(cache).returncode == 0
    without = create(cache, UV_OFFLINE="1", PIP_NO_INDEX="1", UV_DEFAULT_INDEX="http://127.0.0.1:9/simple")
    assert without.returncode == 0
    assert "building" not in without.stderr
    shutil.rmtree(cache)
