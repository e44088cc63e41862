"""A contestant whose loss becomes NaN is said to, and one that prints megabytes, forks and leaves a child behind is measured."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from background import start
from trivet_command import trivet

CONTESTANTS = ("numpy:plain", "numpy:diverging", "numpy:unruly")


def marked(text: str) -> set[int]:
    """Return the processes that were started with this text in a variable, whoever their parent is by now."""
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state = (path / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
            if state != "Z" and text.encode() in (path / "environ").read_bytes():
                found.add(int(path.name))
        except OSError:
            continue
    return found


def orphans(pids: set[int]) -> set[int]:
    """Return those of them that lead a session and whose parent is none of them."""
    found = set()
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        parent, session = int(fields[1]), int(fields[3])
        if parent not in pids and session not in pids:
            found.add(pid)
    return found


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return the runs' folder, the conclusions, and the children that were seen left behind while it ran."""
    runs = tmp_path_factory.mktemp("unruly") / "runs"
    process = start(runs, "--quick", "--format", "json", contestants=CONTESTANTS)
    left_behind: set[int] = set()
    while process.poll() is None:
        left_behind |= orphans(marked(str(runs)))
        time.sleep(0.2)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    (workload,) = json.loads(output)["workloads"]
    return runs, {one["contestant"]: one for one in workload["contestants"]}, left_behind


def test_a_loss_that_becomes_nan_is_said_wherever_it_is_ranked(finished):
    runs, contestants, _ = finished
    diverging = contestants["numpy:diverging"]
    assert "not_finite" in {flag["code"] for flag in diverging["flags"]}
    assert diverging["loss"]["losses"][-1] is None
    assert diverging["loss"]["falls"] is False
    assert "Its loss does not fall" in diverging["reason"]
    for form in ("table", "markdown"):
        shown = " ".join(trivet("report", "--format", form, TRIVET_RUNS=str(runs)).stdout.split())
        assert "numpy:diverging: Its loss became NaN or infinite while it was timed" in shown
    for label in ("numpy:plain", "numpy:unruly"):
        assert "not_finite" not in {flag["code"] for flag in contestants[label]["flags"]}


def test_one_that_prints_megabytes_is_measured(finished):
    runs, contestants, _ = finished
    unruly = contestants["numpy:unruly"]
    assert unruly["status"] in ("measured", "disturbed")  # the latter where other work used the machine
    assert unruly["parity"]["equal"] is True
    assert unruly["startup_cold"]["value"] > 0
    (log,) = runs.glob("*/logs/linear-0-numpy-unruly.txt")
    assert log.stat().st_size > 8_000_000
    assert sum(child["count"] for child in unruly["children"]) == 2


def test_nothing_of_it_is_left(finished):
    runs, _, left_behind = finished
    assert left_behind, "no child was ever left behind, so this test shows nothing"
    assert not marked(str(runs))
