"""The clock on the wall is set back by an hour in the middle: nothing that is measured or said of order hangs on it."""

from __future__ import annotations

import datetime as dt
import json
import os
import sys

from background import events, start, wait_until
from trivet.store.run import Run
from trivet_command import trivet

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


def test_a_clock_set_back_in_the_middle(tmp_path):
    runs, switch = tmp_path / "runs", tmp_path / "back"
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SITE.format(switch=str(switch)))
    clock = {"PYTHONPATH": str(tmp_path / "site")}
    process = start(
        runs,
        *("--quick", "--format", "json", "--python", f"numpy={sys.executable}"),
        workloads=("linear", "mlp"),
        contestants=("numpy:plain",),
        **clock,
    )
    wait_until(lambda: any(event["kind"] == "generation" for event in events(runs)), process)
    switch.touch()
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    first, second = (event["generation"] for event in events(runs) if event["kind"] == "generation")
    for generation in (first, second):
        assert 0 < generation["seconds"] < 300
        for startup in generation["startups"].values():
            assert startup["total_seconds"] > 0
            assert all(seconds >= 0 for seconds in startup["phases"].values())
        assert all(taken["seconds"] > 0 for taken in generation["slices"])
    began = [taken["started"] for taken in (*first["slices"], *second["slices"])]
    assert began == sorted(began), "later slices are later in the run"
    assert 0 < began[0] < began[-1] < 600
    assert [workload["generations"] for workload in json.loads(output)["workloads"]] == [1, 1]

    refused = trivet("compare", "linear", "-c", "numpy:plain", "--python", f"numpy={os.devnull}", "--quick",
                     TRIVET_RUNS=str(runs), **clock)  # fmt: skip
    assert refused.returncode == 3
    newest = max(runs.iterdir(), key=lambda folder: folder.stat().st_mtime)
    assert Run.open(newest).header.created < Run.open(min(runs.iterdir())).header.created
    last = trivet("report", "last", "--format", "json", TRIVET_RUNS=str(runs), **clock)
    assert json.loads(last.stdout)["run"] == newest.name, "the last run is the one that was begun last"
    assert dt.datetime.fromisoformat(json.loads(last.stdout)["created"]).tzinfo is not None
