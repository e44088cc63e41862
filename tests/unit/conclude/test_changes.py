"""What changed between two made-up runs of known truth."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from made_up import MACHINE, SPEEDS, VERSIONS, made_up_generation, made_up_run
from trivet.conclude import conclude
from trivet.conclude.changes import compare_runs
from trivet.conclude.differences import differences
from trivet.model.diff import ContestantChange, RunDiff
from trivet.store import codec
from trivet.store.events import Measured
from trivet.store.run import Run

FASTER = {**SPEEDS, "jax:jit": 2 * SPEEDS["jax:jit"]}


def run(folder: Path, **shape: Any) -> Run:
    return made_up_run(folder, **{"workloads": ["mlp"], "process_sd": 0.01, **shape})


def change(diff: RunDiff, label: str) -> ContestantChange:
    return next(one for one in diff.workloads[0].contestants if one.contestant == label)


def facts(diff: RunDiff) -> dict[tuple[str, str], tuple[str | None, str | None]]:
    return {(one.where, one.name): (one.before, one.after) for one in diff.differences}


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunDiff, Run, Run]:
    folder = tmp_path_factory.mktemp("runs")
    before = run(folder)
    after = run(folder, speeds=FASTER, seed=1, versions={**VERSIONS, "jax": "0.11.0"})
    return compare_runs(before, after), before, after


def test_the_interval_holds_the_truth_and_the_verdict_follows(upgraded: tuple[RunDiff, Run, Run]) -> None:
    diff, before, after = upgraded
    found = change(diff, "jax:jit")
    assert found.throughput.low
    assert found.throughput.high
    assert found.throughput.low < 2.0 < found.throughput.high
    assert found.verdict == "faster"
    assert found.versions == ("0.10.2", "0.11.0")
    assert found.parity == (True, True)
    assert change(diff, "torch:eager").verdict in ("undecided", "no_practical_difference")
    old, new = conclude(before).workloads[0].contestants[-1], conclude(after).workloads[0].contestants[-1]
    assert (found.throughput.before, found.throughput.after) == (old.throughput, new.throughput)
    assert old.throughput
    assert new.throughput
    assert found.throughput.ratio == pytest.approx(new.throughput.value / old.throughput.value)


def test_seen_the_other_way_round_it_is_slower(upgraded: tuple[RunDiff, Run, Run]) -> None:
    diff, before, after = upgraded
    back, there = change(compare_runs(after, before), "jax:jit"), change(diff, "jax:jit")
    assert back.verdict == "slower"
    assert back.throughput.ratio
    assert there.throughput.ratio
    assert back.throughput.ratio == pytest.approx(1 / there.throughput.ratio)
    assert back.throughput.low == pytest.approx(1 / (there.throughput.high or 0))


def test_start_up_and_memory_change_too(upgraded: tuple[RunDiff, Run, Run]) -> None:
    diff, _, _ = upgraded
    found = change(diff, "tensorflow:graph")
    assert found.startup_cold.ratio
    assert found.startup_cold.low is None  # a run has one cold start
    for part in (found.startup_warm, found.memory["host_peak_bytes"]):
        assert part.ratio
        assert part.low
        assert part.high
        assert part.low < 1.0 < part.high
        assert part.before
        assert part.after
        assert part.ratio == pytest.approx(part.after.value / part.before.value)


def test_the_facts_that_differ_are_named_once(upgraded: tuple[RunDiff, Run, Run]) -> None:
    diff, _, _ = upgraded
    assert facts(diff) == {
        ("versions", "jax"): ("0.10.2", "0.11.0"),
    }
    assert all(one.of == ("jax:jit",) for one in diff.differences)
    assert diff.notes == ()


def test_a_run_against_itself(tmp_path: Path) -> None:
    same = run(tmp_path)
    diff = compare_runs(same, same)
    assert diff.differences == ()
    assert diff.same_machine
    for found in diff.workloads[0].contestants:
        assert found.throughput.ratio == 1.0
        assert found.verdict in ("undecided", "no_practical_difference")


def test_a_change_for_which_nothing_is_known_to_differ_is_the_machines(tmp_path: Path) -> None:
    slow = {label: speed / 1.5 for label, speed in SPEEDS.items()}
    diff = compare_runs(run(tmp_path), run(tmp_path, speeds=slow, seed=1))
    assert {one.verdict for one in diff.workloads[0].contestants} == {"slower"}
    assert "its change is the machine's" in " ".join(diff.notes)


def test_another_machine_is_named(tmp_path: Path) -> None:
    other = dataclasses.replace(MACHINE, cpu="Made-up CPU 9001", load=3.0)
    diff = compare_runs(run(tmp_path), run(tmp_path, machine=other))
    assert facts(diff) == {("machine", "cpu"): ("Made-up CPU 9000", "Made-up CPU 9001")}
    assert not diff.same_machine
    assert "different machines" in diff.notes[0]


def test_other_work_is_not_set_against_each_other(tmp_path: Path) -> None:
    diff = compare_runs(run(tmp_path), run(tmp_path, batch=64))
    assert facts(diff)["work", "batch"] == ("256", "64")
    assert not diff.workloads[0].same_work
    for found in diff.workloads[0].contestants:
        assert found.withheld == "not the same work"
        assert found.verdict is None
        assert found.throughput.ratio is None
        assert found.startup_warm.ratio is None


@pytest.mark.parametrize("side", ["before", "after"])
def test_what_is_not_equal_gets_no_ratio(tmp_path: Path, side: str) -> None:
    runs = {"before": run(tmp_path), "after": run(tmp_path, seed=1)}
    runs[side] = run(tmp_path, unequal=["torch:compile"], seed=2)
    diff = compare_runs(runs["before"], runs["after"])
    found = change(diff, "torch:compile")
    assert found.withheld == f"the parity gate found a difference {side}"
    assert found.parity == ((False, True) if side == "before" else (True, False))
    assert change(diff, "torch:eager").throughput.ratio is not None


def test_a_disturbed_run_decides_nothing(tmp_path: Path) -> None:
    diff = compare_runs(run(tmp_path), run(tmp_path, speeds=FASTER, disturbed=["jax:jit"], seed=1))
    found = change(diff, "jax:jit")
    assert found.verdict in (None, "undecided")


def test_one_generation_is_provisional(tmp_path: Path) -> None:
    diff = compare_runs(run(tmp_path, quick=True, generations=1), run(tmp_path, seed=1))
    assert all(one.provisional for one in diff.workloads[0].contestants)
    assert any("assumed" in note for note in diff.notes)


def test_those_in_one_run_only_are_listed(tmp_path: Path) -> None:
    fewer = {label: speed for label, speed in SPEEDS.items() if label != "jax:jit"}
    before = run(tmp_path, speeds=fewer, workloads=["mlp", "linear"])
    diff = compare_runs(before, run(tmp_path, workloads=["mlp", "resnet18"]))
    assert diff.workloads[0].only_after == ("jax:jit",)
    assert (diff.only_before, diff.only_after) == (("linear",), ("resnet18",))


def test_as_json(upgraded: tuple[RunDiff, Run, Run]) -> None:
    diff, _, _ = upgraded
    shown = json.loads(codec.encode(diff))
    assert shown["workloads"][0]["contestants"][0]["contestant"] == "torch:eager"
    assert set(shown) == {field.name for field in dataclasses.fields(RunDiff)}


def test_the_runs_own_folders_are_no_settings(tmp_path: Path) -> None:
    results = []
    for number in (1, 2):
        result = conclude(run(tmp_path))
        workload = result.workloads[0]
        settings = {"TRITON_CACHE_DIR": f"/cache/compile/{result.run}/triton", "OMP_NUM_THREADS": str(number)}
        first = dataclasses.replace(workload.contestants[0], settings=settings)
        workload = dataclasses.replace(workload, contestants=(first,))
        results.append(dataclasses.replace(result, workloads=(workload,)))
    found = differences(*results)
    assert [(one.where, one.name, one.before, one.after) for one in found] == [
        ("settings", "OMP_NUM_THREADS", "1", "2")
    ]


def test_start_ups_that_others_disturbed_are_told_with_their_run(tmp_path: Path) -> None:
    quiet = run(tmp_path, generations=2)
    busy = run(tmp_path, generations=0, finished=False)
    generation = made_up_generation(SPEEDS, number=0)
    startups = {
        label: dataclasses.replace(one, foreign_share=0.57) for label, one in generation.startups.items()
    }
    with Run.open(busy.folder, writable=True) as more:
        more.append(Measured(generation=dataclasses.replace(generation, startups=startups)))
    notes = compare_runs(quiet, Run.open(busy.folder)).notes
    told = [note for note in notes if "57 % of the CPUs during start-ups" in note]
    assert len(told) == 1
    assert told[0].startswith(busy.id)
