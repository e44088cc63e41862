"""The gate over real processes of the framework on plain numpy."""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from numpy_contestants import EXTENSIONS, SIZES, numpy_staged, this_environment
from trivet import catalog
from trivet.errors import DiskError
from trivet.launch.stage import Staged
from trivet.model.contestant import parse_contestant
from trivet.parity import tracing
from trivet.parity.gate import run_gate
from trivet.parity.tracing import Entrant


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Staged:
    return numpy_staged(tmp_path_factory.mktemp("staged"))


@pytest.fixture
def gate(staged: Staged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRIVET_EXTENSIONS", str(EXTENSIONS))
    workload = dataclasses.replace(catalog.workload("mlp"), sizes=SIZES)
    # The faults strike in the timed step, of which the gate takes two.
    options = {name: {f"{name}_at_step": 1} for name in ("crash", "hang", "greedy")}
    known = catalog.framework("numpy")
    framework = dataclasses.replace(known, options={**known.options, **options})

    def run(*labels: str, said=None, seed: int = 0):
        entrants = [
            Entrant(contestant=parse_contestant(label), framework=framework, environment=this_environment())
            for label in labels
        ]
        return run_gate(
            workload,
            entrants,
            staged,
            folder=tmp_path / "gates",
            logs=tmp_path / "logs",
            seed=seed,
            report=said or (lambda text: None),
        )

    return run


def leftovers(folder: Path) -> list[Path]:
    return list((folder / "gates").glob("scratch*"))


def test_one_failure_does_not_stop_the_others(gate, tmp_path):
    report = gate("numpy:plain", "numpy:crash", "numpy:garbage", "numpy:greedy")
    assert report.reference == ("numpy:plain", "numpy:garbage")
    assert list(report.verdicts) == ["numpy:plain", "numpy:crash", "numpy:garbage", "numpy:greedy"]
    crash, greedy = report.verdicts["numpy:crash"], report.verdicts["numpy:greedy"]
    assert crash.equal is greedy.equal is None
    assert (crash.failure.status, crash.failure.stage) == ("failed", "parity")
    assert greedy.failure.status == "out_of_memory"
    assert (tmp_path / crash.failure.log).is_file()
    assert not leftovers(tmp_path)
    assert not gate("numpy:plain", "numpy:crash", "numpy:garbage", "numpy:greedy").cached


def test_a_copy_is_traced_once_and_equal_under_its_own_name(gate, tmp_path):
    said = []
    report = gate("numpy:plain", "numpy:plain#2", said=said.append)
    assert report.reference == ("numpy:plain", "numpy:plain#2")
    assert said[0].endswith("0 of 1 traced, missing numpy:plain")
    assert "numpy contestants only" in report.verdicts["numpy:plain"].note


def test_a_report_is_reused_until_something_changes(gate, monkeypatch):
    first = gate("numpy:plain")
    assert not first.cached
    assert gate("numpy:plain").cached
    assert not gate("numpy:plain", seed=1).cached
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert not gate("numpy:plain").cached


def test_a_hanging_trace_times_out(gate, monkeypatch):
    monkeypatch.setattr(tracing, "TRACE_SECONDS", 3.0)
    report = gate("numpy:plain", "numpy:hang")
    assert report.verdicts["numpy:plain"].equal
    assert report.verdicts["numpy:hang"].failure.status == "timed_out"


def test_a_full_disk_is_no_verdict(gate, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1))
    with pytest.raises(DiskError, match="GB are needed"):
        gate("numpy:plain", "numpy:crash")


def test_an_interrupt_leaves_no_worker_and_no_array(gate, tmp_path):
    over = threading.Event()

    def workers() -> list[psutil.Process]:
        """Return the living workers of this process."""
        return [
            child
            for child in psutil.Process().children()
            if child.status() != psutil.STATUS_ZOMBIE
            and any(part.endswith("bootstrap.py") for part in child.cmdline())
        ]

    def interrupt() -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and len(workers()) < 2:
            time.sleep(0.02)
        time.sleep(0.5)
        if not over.is_set():
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            gate("numpy:hang", "numpy:hang@2", "numpy:plain")
    finally:
        over.set()
        thread.join()
    assert not workers()
    assert not leftovers(tmp_path)
