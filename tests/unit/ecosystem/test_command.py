"""`trivet needs` as a user types it, against the loopback index."""

import json
import socket
import time

import pytest

from trivet_command import trivet


def run(*arguments):
    return trivet("needs", *arguments, "--python-version", "3.11", extensions=None)


@pytest.fixture
def libraries(index):
    """One library of each kind."""
    index.add("torch-only", needs=["torch"])
    index.add("tf-only", needs=["tensorflow"])
    index.add("jax-only", needs=["jax"])
    index.add("plain")
    index.add("several", extras=["torch", "jax"], needs=['torch; extra == "torch"', 'jax; extra == "jax"'])
    index.add("new-lib", needs=["torch"])
    index.add("old-lib", needs=["new-lib"], summary="old-lib has been renamed to NewLib.")
    index.add("gone", yanked="broken")
    return index


KINDS = ("torch-only", "tf-only", "jax-only", "several", "plain", "old-lib", "gone", "nowhere")


def test_the_table_fits_80_columns_without_colour(libraries):
    shown = run(*KINDS)
    assert shown.returncode == 0, shown.stderr
    assert max(len(line) for line in shown.stdout.splitlines()) <= 80
    assert "\x1b" not in shown.stdout
    lines = shown.stdout.splitlines()
    rows = {line.split()[0]: line.split() for line in lines[1 : 1 + len(KINDS)]}
    assert rows["torch-only"] == ["torch-only", "1.0", "2026-10-01", "no", "no", "always", "yes"]
    assert rows["several"][3:] == ["by", "extra", "no", "by", "extra", "yes"]
    assert rows["nowhere"][:2] == ["nowhere", "unknown"]
    flat = " ".join(shown.stdout.split())
    assert "old-lib 1.0 brings PyTorch along. Its authors have renamed it to new-lib." in flat
    assert "gone: yanked. Its authors have withdrawn every release that would do (broken)." in flat
    assert "nowhere: unknown. The index has no library of this name." in flat


def test_json_says_the_same(libraries):
    shown = json.loads(run(*KINDS, "--format", "json").stdout)
    states = {need["name"]: need["state"] for need in shown["needs"]}
    assert states == {**dict.fromkeys(KINDS[:6], "answered"), "gone": "yanked", "nowhere": "unknown"}
    ways = {
        need["name"]: {(way["framework"], way["extra"]) for way in need["ways"]} for need in shown["needs"]
    }
    assert ways["tf-only"] == {("tensorflow", "")}
    assert ways["several"] == {("torch", "torch"), ("jax", "jax")}
    assert shown["frameworks"] == []


def test_a_library_that_is_a_framework(libraries):
    flat = " ".join(run("torch", "jax", "keras").stdout.split())
    assert "torch 1.0 is a package of PyTorch itself." in flat
    assert "jax 1.0 is a package of JAX itself." in flat
    assert "keras 1.0 runs on several frameworks and brings none along" in flat


def test_frameworks_are_shown_and_kept(libraries):
    live = run("plain", "--frameworks")
    assert live.returncode == 0, live.stderr
    assert "The newest release of PyTorch is 1.0." in live.stdout
    libraries.status = 503
    kept = run("plain", "--frameworks")
    assert kept.returncode == 0, kept.stderr
    flat = " ".join(kept.stdout.split())
    assert "plain: a kept answer of" in flat
    assert "This is a kept answer of" in flat
    assert "The newest release of PyTorch is 1.0." in flat
    offline = run("plain", "--frameworks", "--offline")
    assert offline.returncode == 0, offline.stderr
    assert "days old" in offline.stdout
    assert max(len(line) for line in offline.stdout.splitlines()) <= 80


def test_an_index_that_does_not_answer_is_said_within_ten_seconds(index, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        started = time.monotonic()
        shown = run("a", "b", "c", "--frameworks")
        assert time.monotonic() - started < 10
    assert shown.returncode == 4
    flat = " ".join(shown.stdout.split())
    assert "a: unreachable. The package index cannot be reached" in flat
    assert "Check the network" in flat
    assert flat.count("PyTorch") == 2  # a column, and one heading with the reason below


@pytest.mark.parametrize("python", ["3", "abc", "2.7", "3.x"])
def test_a_python_that_is_none(index, python):
    shown = trivet("needs", "lib", "--python-version", python, extensions=None)
    assert shown.returncode == 2
    assert f"{python!r} is no version of Python 3" in shown.stderr
