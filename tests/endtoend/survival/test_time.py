"""A comparison in which everything stands still now and then, and the clock on the wall is set back by an hour.

As on a laptop that is closed, opened again, and corrects its clock.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import time

import psutil
import pytest

from background import events, kinds, start, wait_until, workers_of
from trivet.store.run import Run
from trivet_command import trivet

STOPPED_SECONDS = 1.2
OWN = ("--python", f"numpy={sys.executable}")

SITE = """
import datetime, os, time
wall = time.time
def back():
    return 3600 if os.path.exists({switch!r}) else 0
time.time = lambda: wall() - back()
time.time_ns = lambda: int(time.time() * 1e9)
class Earlier(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) - datetime.timedelta(seconds=back())
datetime.datetime = Earlier
"""
"""A module that Python imports first, in coordinator and workers: while the file is there, it is an hour earlier."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return the runs' folder, the variables that set the clock back, the conclusions, the generation, and its delay."""
    folder = tmp_path_factory.mktemp("time")
    runs, switch = folder / "runs", folder / "back"
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(SITE.format(switch=str(switch)))
    clock = {"PYTHONPATH": str(folder / "site")}
    process = start(runs, "--quick", "--format", "json", *OWN, contestants=("numpy:plain",), **clock)
    wait_until(lambda: "environment" in kinds(runs), process)
    began = time.monotonic()
    switch.touch()
    stand_still(process)
    wait_until(lambda: bool(list(runs.glob("*/logs/linear-0-*.txt"))), process)
    delay_seconds = time.monotonic() - began
    for _ in range(3):  # the warm-up takes a second or so: what falls into it hits no slice
        time.sleep(1.0)
        stand_still(process)
    output, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    (generation,) = (event["generation"] for event in events(runs) if event["kind"] == "generation")
    return runs, clock, json.loads(output), generation, delay_seconds


def stand_still(process: subprocess.Popen[str]) -> None:
    """Stop a coordinator and all its workers for a while."""
    everybody = [psutil.Process(process.pid), *workers_of(process)]
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for one in everybody:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.send_signal(number)
        if number == signal.SIGSTOP:
            time.sleep(STOPPED_SECONDS)


def test_slices_that_stood_still_do_not_count(finished):
    _, _, result, generation, _ = finished
    hit = [taken for taken in generation["slices"] if taken["seconds"] > 0.9 + STOPPED_SECONDS]
    assert hit, "no stop ever hit a slice"
    assert not any(taken["clean"] for taken in hit)
    assert all(taken["foreign_share"] > 0.3 for taken in hit)
    (workload,) = result["workloads"]
    (contestant,) = workload["contestants"]
    assert contestant["status"] in ("measured", "disturbed")  # the latter where other work used the machine
    assert contestant["rejected_slices"] >= len(hit)
    if contestant["status"] == "measured":
        clean = [taken for taken in generation["slices"] if taken["clean"]]
        speed = statistics.median(workload["batch"] * taken["steps"] / taken["seconds"] for taken in clean)
        assert abs(contestant["throughput"]["value"] / speed - 1) < 0.05


def test_no_time_hangs_on_the_clock_on_the_wall(finished):
    *_, generation, delay_seconds = finished
    assert 0 < generation["seconds"] < 300
    (startup,) = generation["startups"].values()
    assert startup["total_seconds"] > 0
    assert all(seconds >= 0 for seconds in startup["phases"].values())
    assert all(taken["seconds"] > 0 for taken in generation["slices"])
    began = [taken["started"] for taken in generation["slices"]]
    assert began == sorted(began)
    assert delay_seconds > STOPPED_SECONDS
    assert delay_seconds < began[0] < began[-1] < 300, (
        "slices tell when they were taken, from the run's begin"
    )


def test_the_last_run_is_the_one_that_was_begun_last(finished):
    runs, clock, result, *_ = finished
    no_python = ("--python", f"numpy={os.devnull}")
    failed = trivet("compare", "linear", "-c", "numpy:plain", *no_python, TRIVET_RUNS=str(runs), **clock)
    assert failed.returncode == 3
    last = trivet("report", "last", "--format", "json", TRIVET_RUNS=str(runs), **clock)
    shown = json.loads(last.stdout)
    assert shown["run"] != result["run"]
    assert shown["created"] < result["created"], "it says when it was begun, by that clock"
    assert Run.open(runs / shown["run"]).id > result["run"]
