import dataclasses
import json
import os

import pytest

from made_up import MACHINE, SPEEDS, made_up_run
from trivet.conclude import conclude
from trivet.decide import trees
from trivet.decide.decision import decide
from trivet.errors import StoreError
from trivet.evidence import runs
from trivet.evidence.cost import costs
from trivet.evidence.gather import Asked
from trivet.evidence.sources.runs import evidence
from trivet.measure.machine import read_machine
from trivet.report.files import write_files
from trivet.store.run import Run

TITLES = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}


@pytest.fixture(autouse=True)
def stored(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path))
    return tmp_path


def asked(**more: object) -> Asked:
    return Asked(titles=TITLES, today="2026-12-01", **more)


def test_without_runs_there_is_nothing_and_it_is_said():
    assert runs.newest_run() is None
    found = evidence(asked(workload="mlp"))
    assert found.evidence == ()
    assert "No stored run ranks two frameworks on mlp" in found.notes[0]


def test_the_newest_fitting_run_is_taken_and_the_older_ones_are_counted(stored):
    first = made_up_run(stored, workloads=["mlp"], seed=1)
    second = made_up_run(stored, workloads=["mlp"], seed=2)
    alone = made_up_run(stored, workloads=["mlp"], speeds={"torch:eager": 80.0, "torch:compile": 79.0})
    assert first.id < second.id < alone.id
    chosen = runs.newest_run()
    assert chosen.result.run == second.id
    assert chosen.older == 1
    found = evidence(asked())
    assert {piece.source for piece in found.evidence} == {second.id}
    assert f"in {second.id}: the newest run that ranks two frameworks; 1 older not used." in found.notes[0]


def test_the_asked_workload_decides(stored):
    older = made_up_run(stored, workloads=["resnet18"])
    made_up_run(stored, workloads=["mlp"])
    assert runs.newest_run("resnet18").result.run == older.id
    assert runs.newest_run("resnet50") is None


def test_a_quick_run_does_not_stand_before_a_full_one(stored):
    full = made_up_run(stored, workloads=["mlp"])
    quick = made_up_run(stored, workloads=["mlp"], generations=1, quick=True)
    assert runs.newest_run().result.run == full.id
    found = evidence(asked(run=quick.id))
    assert {piece.source for piece in found.evidence} == {quick.id}
    assert any("assumed" in note for note in found.notes)


def test_a_run_that_ranks_nobody_is_passed_over(stored):
    full = made_up_run(stored, workloads=["mlp"])
    made_up_run(stored, workloads=["mlp"], unequal=["tensorflow:graph", "tensorflow:xla", "jax:jit"])
    assert runs.newest_run().result.run == full.id


def test_damaged_runs_hide_no_other(stored):
    full = made_up_run(stored, workloads=["mlp"])
    torn = made_up_run(stored, workloads=["mlp"])
    (torn.folder / "events.jsonl").write_text("{}\n")
    header = made_up_run(stored, workloads=["mlp"])
    (header.folder / "run.json").write_text("nothing")
    assert runs.newest_run().result.run == full.id


def test_a_named_run_that_ranks_nobody_is_an_error(stored):
    run = made_up_run(stored, workloads=["mlp"], unequal=list(SPEEDS))
    with pytest.raises(StoreError, match="ranks no contestant"):
        runs.named_run(run.id)
    with pytest.raises(StoreError, match="ranks no contestant on resnet50"):
        runs.named_run(run.id, "resnet50")


def test_the_heaviest_workload_counts_and_the_others_are_named(stored):
    made_up_run(stored)
    notes = evidence(asked()).notes
    assert "Performance is that of resnet18" in notes[0]
    assert "mlp too; resnet18 counts" in notes[1]
    assert not any("too;" in note for note in evidence(asked(workload="mlp")).notes)


def test_written_conclusions_are_read_only_while_they_are_current(stored):
    run = made_up_run(stored, workloads=["mlp"])
    write_files(Run.open(run.folder), conclude(run))
    path = run.folder / "result.json"
    data = json.loads(path.read_text())
    data["command"] = "as it was written"
    path.write_text(json.dumps(data))
    assert runs.conclusions(run.folder).command == "as it was written"
    events = run.folder / "events.jsonl"
    later = path.stat().st_mtime_ns + 10**9
    os.utime(events, ns=(later, later))
    assert runs.conclusions(run.folder).command == "trivet compare"
    assert runs.conclusions(run.folder) == conclude(run)


@pytest.mark.parametrize("damage", ["cut", "other format", "other fields"])
def test_conclusions_that_cannot_be_used_are_drawn_anew(stored, damage):
    run = made_up_run(stored, workloads=["mlp"])
    write_files(Run.open(run.folder), conclude(run))
    path = run.folder / "result.json"
    data = json.loads(path.read_text())
    texts = {
        "cut": path.read_text()[:100],
        "other format": json.dumps({**data, "format": 99}),
        "other fields": json.dumps({**data, "unheard": 1}),
    }
    path.write_text(texts[damage])
    assert runs.conclusions(run.folder) == conclude(run)


def test_a_run_of_another_machine_is_said_to_be_so(stored):
    made_up_run(stored, workloads=["mlp"], machine=read_machine((0,)))
    assert not any("another machine" in note for note in evidence(asked()).notes)
    made_up_run(stored, workloads=["mlp"], machine=MACHINE)
    assert any("another machine: Made-up CPU 9000" in note for note in evidence(asked()).notes)


@pytest.mark.parametrize(
    ("hardware", "instead"),
    [
        ("gpu", "run `trivet compare` on yours."),
        ("tpu", "trivet does not measure on TPUs."),
        ("apple", "trivet does not measure on Apple GPUs."),
    ],
)
def test_a_run_on_a_cpu_says_nothing_of_other_hardware(stored, hardware, instead):
    made_up_run(stored, workloads=["mlp"])
    plain = evidence(asked())
    found = evidence(asked(hardware=hardware))
    assert {piece.key for piece in found.evidence} == {piece.key for piece in plain.evidence}
    assert {piece.value for piece in found.evidence} == {None}
    assert all(
        f"was measured on a CPU (Made-up CPU 9000) only; {instead}" in piece.text for piece in found.evidence
    )
    assert any("do not count, and no costs follow" in note for note in found.notes)
    assert costs(plain.evidence, training_hours=1.0, price_per_hour=3.0)
    assert costs(found.evidence, training_hours=1.0, price_per_hour=3.0) == ()


def test_a_run_on_the_hardware_in_question_counts_and_without_an_answer_the_device_is_named(stored):
    made_up_run(stored, workloads=["mlp"])
    same, plain = evidence(asked(hardware="cpu")), evidence(asked())
    assert same.evidence == plain.evidence
    assert None not in {piece.value for piece in plain.evidence}
    assert not any("It was measured on a CPU" in note for note in same.notes)
    assert any(
        "measured on a CPU (Made-up CPU 9000); what you train on is not" in note for note in plain.notes
    )


def test_a_decision_for_other_hardware_has_no_points_and_no_costs_from_a_run(stored):
    made_up_run(stored, workloads=["mlp"])
    tree = trees.load("trivet")
    answers = {"hardware": "cpu", "training_hours": 10.0, "price_per_hour": 3.0}
    here = decide(tree, answers, given="trivet", asked=asked(offline=True))
    there = decide(tree, {**answers, "hardware": "tpu"}, given="trivet", asked=asked(offline=True))
    assert here.costs
    assert any(piece.claim.startswith("performance.") for piece in here.used)
    assert there.costs == ()
    assert not any(piece.claim.startswith("performance.") for piece in there.used)
    assert "performance.throughput" in {gap.claim for gap in there.recommendation.gaps}


def test_a_run_on_the_hardware_in_question_is_preferred(stored):
    fitting = made_up_run(stored, workloads=["mlp"])
    newer = made_up_run(stored, workloads=["mlp"])
    header = newer.folder / "run.json"
    data = json.loads(header.read_text())
    data["question"]["device"] = "cuda"
    header.write_text(json.dumps(data))
    assert runs.newest_run().result.run == newer.id
    assert runs.newest_run(hardware="cpu").result.run == fitting.id


def test_the_machine_of_a_run_is_read_back_whole(stored):
    run = made_up_run(stored, workloads=["mlp"])
    result = conclude(run)
    assert runs.machine_of(result) == MACHINE
    stored_form = json.loads(json.dumps(result.machine))
    assert runs.machine_of(dataclasses.replace(result, machine=stored_form)).digest == MACHINE.digest
    assert runs.machine_of(dataclasses.replace(result, machine={"cpu": "?"})) is None
