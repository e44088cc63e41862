"""Full and read-only disks under the runs and under the cache: said on one screen, nothing lost, --resume goes on."""

from __future__ import annotations

import json
import sys

import pytest

from background import kinds, start, wait_until
from small_disk import change, fill, small_disk
from trivet_command import trivet

OWN = ("--python", f"numpy={sys.executable}")
"""Needs no environment in the cache."""
ALONE = ("numpy:plain",)
CROWD = (*ALONE, "numpy:crash", "numpy:crash#2", "numpy:ended", "numpy:ended#2", "numpy:greedy")
"""What is told of so many does not fit into the rest of a block, and those that fail take no time."""


def assert_says(errors: str, *words: str) -> None:
    """Fail unless an error is said in few words, these among them."""
    said = errors[f"\n{errors}".rindex("\nError: ") :]
    assert len(said.splitlines()) < 10
    assert "Traceback" not in said
    for word in words:
        assert word in " ".join(said.split())


def test_runs_on_a_disk_that_fills_up_and_then_the_cache(tmp_path):
    with small_disk(tmp_path / "runs", "8m") as runs, small_disk(tmp_path / "cache", "700m") as cache:
        variables = {"TRIVET_RUNS": str(runs), "TRIVET_CACHE": str(cache)}
        asked = (*OWN, "--quick")
        process = start(runs, *asked, workloads=("linear", "mlp"), contestants=CROWD, TRIVET_CACHE=str(cache))
        wait_until(lambda: "generation" in kinds(runs), process)
        filler = fill(runs)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 74
        assert_says(errors, "No space left on device", "trivet compare --resume")
        before = kinds(runs)
        assert before.count("generation") == 1

        page = tmp_path / "page.html"
        shown = trivet("report", "--format", "json", "--page", str(page), **variables)
        assert shown.returncode == 0, shown.stderr
        assert json.loads(shown.stdout)["workloads"][0]["generations"] == 1
        assert page.is_file()
        assert "1 generations; not complete, --resume goes on" in trivet("runs", **variables).stdout
        without_room = trivet("report", **variables)
        assert without_room.returncode == 74
        assert "numpy:plain" in without_room.stdout, "the table is shown, though the page cannot be written"
        assert_says(without_room.stderr, "No space left on device")

        filler.unlink()
        resuming = start(runs, "--resume", "last", workloads=(), contestants=(), TRIVET_CACHE=str(cache))
        wait_until(lambda: kinds(runs).count("gate") == 2, resuming)
        filler = fill(cache)
        _, errors = resuming.communicate(timeout=60)
        assert resuming.returncode == 74, "whether those that fail are to blame cannot be told"
        assert_says(errors, str(cache), "No space left on device", "trivet compare --resume")

        filler.unlink()
        resumed = trivet("compare", "--resume", "last", **variables)
        assert resumed.returncode == 0, resumed.stderr
        assert "numpy:plain" in resumed.stdout
        after = kinds(runs)
        assert after[: len(before)] == before
        assert after.count("generation") == 2
        assert "finished" in after


def test_no_new_run_on_a_full_disk(tmp_path):
    with small_disk(tmp_path / "runs", "1m") as runs:
        fill(runs)
        refused = trivet("compare", "linear", "-c", *ALONE, *OWN, TRIVET_RUNS=str(runs))
        assert refused.returncode == 74
        assert_says(refused.stderr, "No run can be stored", "No space left on device", "TRIVET_RUNS")
        assert not list(runs.glob("*/run.json"))


def test_a_cache_on_a_disk_without_room_for_the_gate(tmp_path):
    runs = tmp_path / "runs"
    with small_disk(tmp_path / "cache", "4m") as cache:
        variables = {"TRIVET_RUNS": str(runs), "TRIVET_CACHE": str(cache)}
        refused = trivet("compare", "linear", "-c", *ALONE, *OWN, "--quick", **variables)
        assert refused.returncode == 74
        assert_says(refused.stderr, "are free", "TRIVET_CACHE")
        assert "gate" not in kinds(runs), "a full disk is no verdict"
        change(cache, "size=300m")
        process = start(runs, "--resume", "last", workloads=(), contestants=(), TRIVET_CACHE=str(cache))
        wait_until(lambda: "gate" in kinds(runs), process)
        process.kill()
        process.communicate()


def test_a_cache_that_is_full_before_anything_is_in_it(tmp_path):
    with small_disk(tmp_path / "cache", "1m") as cache:
        fill(cache)
        refused = trivet("compare", "linear", "-c", *ALONE, *OWN, TRIVET_CACHE=str(cache))
        assert refused.returncode == 4
        assert_says(refused.stderr, "No space left on device", "TRIVET_CACHE")


@pytest.mark.parametrize("used_before", [False, True])
def test_a_read_only_cache(tmp_path, used_before):
    runs = tmp_path / "runs"
    with small_disk(tmp_path / "cache", "4m" if used_before else "1m") as cache:
        variables = {"TRIVET_RUNS": str(runs), "TRIVET_CACHE": str(cache)}
        if used_before:  # up to the gate, for which there is no room
            trivet("compare", "linear", "-c", *ALONE, *OWN, "--quick", **variables)
        change(cache, "ro")
        refused = trivet("compare", "linear", "-c", *ALONE, *OWN, "--quick", **variables)
        assert refused.returncode == (74 if used_before else 4)
        assert_says(refused.stderr, "Read-only file system", str(cache), "TRIVET_CACHE")
        listed = trivet("runs", **variables)
        assert listed.returncode == 0
        # The environments' list only reads.
        assert trivet("env", "list", **variables).returncode == 0
