"""For all tests: no test writes into the user's runs, and none sees the user's extensions."""

from __future__ import annotations

import signal

import pytest


def pytest_configure():
    """Let commands be stopped although a shell that starts tests in the background, or nohup, has them ignore signals."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def own_runs(tmp_path, monkeypatch):
    """Keep runs in the test's own folder. The cache stays the user's: environments are built once."""
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path / "runs"))
    monkeypatch.delenv("TRIVET_EXTENSIONS", raising=False)
