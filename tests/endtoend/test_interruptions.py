"""A comparison that is stopped at any point: nothing stored is lost, nobody is left behind, --resume goes on."""

from __future__ import annotations

import json
import signal

import pytest

from background import CONTESTANTS, assert_gone, kinds, start, wait_until, workers_of
from trivet.store.run import Run
from trivet_command import trivet

STAGES = {
    "created": lambda runs: bool(list(runs.glob("*/run.json"))),
    "environment": lambda runs: "environment" in kinds(runs),
    "probe": lambda runs: "probe" in kinds(runs),
    "gate": lambda runs: "gate" in kinds(runs),
    "generation": lambda runs: "generation" in kinds(runs),
}


OTHERWISE_LIKE = ("created", "environment", "probe")
"""Stages whose neighbours show the same; the full matrix has them too."""


@pytest.mark.parametrize(
    "stage",
    [pytest.param(name, marks=pytest.mark.full if name in OTHERWISE_LIKE else ()) for name in STAGES],
)
def test_a_killed_comparison_is_resumed(tmp_path, stage):
    runs = tmp_path / "runs"
    generations = 3 if stage == "generation" else 1
    process = start(runs, *(["--budget", "0.01"] if generations == 3 else ["--quick"]))
    wait_until(lambda: STAGES[stage](runs), process)
    workers = workers_of(process)
    before = kinds(runs)
    process.kill()
    process.communicate()
    assert_gone(workers)
    result = trivet("compare", "--resume", "last", "--format", "json", TRIVET_RUNS=str(runs))
    assert result.returncode == 0, result.stderr
    after = kinds(runs)
    assert after[: len(before)] == before, "what was stored is still there, in its order"
    assert after.count("generation") == generations
    shown = json.loads(result.stdout)
    assert shown["complete"]
    assert shown["workloads"][0]["generations"] == generations


def test_a_torn_last_line_is_dropped(tmp_path):
    runs = tmp_path / "runs"
    result = trivet("compare", "linear", "-c", ",".join(CONTESTANTS), "--quick", TRIVET_RUNS=str(runs))
    assert result.returncode == 0, result.stderr
    events = next(runs.glob("*/events.jsonl"))
    data = events.read_bytes()
    events.write_bytes(data[: len(data) - 40])
    assert not Run.open(events.parent).complete
    result = trivet("compare", "--resume", "last", TRIVET_RUNS=str(runs))
    assert result.returncode == 0, result.stderr
    assert Run.open(events.parent).complete


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.full)]
)
def test_a_signal_ends_at_once_and_it_is_said_how_to_go_on(tmp_path, number):
    runs = tmp_path / "runs"
    process = start(runs, "--budget", "0.01")
    wait_until(lambda: "gate" in kinds(runs), process)
    wait_until(lambda: bool(workers_of(process)), process)
    workers = workers_of(process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    run = next(runs.glob("*/run.json")).parent.name
    assert f"`trivet compare --resume {run}` goes on" in errors.replace("\n", " ")
    assert ("Stopped by " + number.name in errors) == (number != signal.SIGINT)
    assert "Traceback" not in errors
    assert_gone(workers)


def test_two_comparisons_at_once_take_turns(tmp_path):
    first = start(tmp_path / "first", "--quick")
    wait_until(lambda: "gate" in kinds(tmp_path / "first"), first)
    second = start(tmp_path / "second", "--quick")
    first.communicate(timeout=240)
    assert first.returncode == 0
    _, errors = second.communicate(timeout=240)
    assert second.returncode == 0
    assert "waiting" in errors
    assert Run.open(next((tmp_path / "second").glob("*/run.json")).parent).complete
