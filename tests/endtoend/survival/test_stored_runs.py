"""Run files that are damaged, or of a newer trivet: named on one screen, other runs unharmed, nothing written over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from made_up import made_up_run
from trivet_command import trivet

DAMAGED = {
    "a line overwritten": ("events.jsonl", lambda data: data[:2000] + bytes(500) + data[2500:]),
    "a line cut out": ("events.jsonl", lambda data: data[:3000] + data[3400:]),
    "a block never written": ("run.json", lambda data: bytes(len(data))),
    "a newer format": ("run.json", lambda data: json.dumps({**json.loads(data), "format": 99}).encode()),
}
"""What happened -> which file, and what is in it afterwards."""


def contents(folder: Path) -> dict[str, bytes]:
    """Return what is in a run's files; the one that says who has the lock is nobody's loss."""
    files = (file for file in folder.iterdir() if file.is_file() and file.name not in ("writer", "lock"))
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.parametrize("what", DAMAGED)
def test_what_cannot_be_read_is_named_and_left_alone(tmp_path, what):
    sound = made_up_run(tmp_path / "runs", workloads=["mlp"], generations=2)
    hurt = made_up_run(tmp_path / "runs", workloads=["mlp"], generations=2, finished=False)
    name, damage = DAMAGED[what]
    path: Path = hurt.folder / name
    path.write_bytes(damage(path.read_bytes()))
    before = contents(hurt.folder)
    variables = {"TRIVET_RUNS": str(tmp_path / "runs")}
    for command in (("report", hurt.id), ("compare", "--resume", hurt.id)):
        refused = trivet(*command, **variables)
        assert refused.returncode == 5
        assert "Traceback" not in refused.stderr
        assert len(refused.stderr.splitlines()) < 20
        assert hurt.id in refused.stderr
        assert ("update this one" in refused.stderr) == (what == "a newer format")
    assert contents(hurt.folder) == before
    listed = trivet("runs", **variables)
    assert listed.returncode == 0
    assert f"{hurt.id}  damaged: " in listed.stdout
    assert f"{sound.id}  mlp; 2 generations; complete" in listed.stdout


def test_zeros_at_the_end_as_a_power_cut_leaves_them_cost_nothing_that_was_whole(tmp_path):
    run = made_up_run(tmp_path / "runs", workloads=["mlp"], generations=2, finished=False)
    with (run.folder / "events.jsonl").open("ab") as file:
        file.write(bytes(4096))
    shown = trivet("report", run.id, "--format", "json", TRIVET_RUNS=str(tmp_path / "runs"))
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["workloads"][0]["generations"] == 2
