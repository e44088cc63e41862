import dataclasses
import json
import math
from pathlib import Path

import pytest

from made_up import MACHINE, SPEEDS, made_up_gate, made_up_generation, made_up_run
from trivet.conclude import conclude
from trivet.conclude.words import parity_words
from trivet.model.contestant import parse_contestant
from trivet.model.measurement import Failure
from trivet.model.question import Question
from trivet.model.result import ContestantResult, Pair, Result, WorkloadResult
from trivet.parity.judge import ALONE
from trivet.store import codec
from trivet.store.events import Failed, Finished, Gated, Measured
from trivet.store.run import Run

OUT_OF_MEMORY = Failure(status="out_of_memory", stage="start", message="Memory ran out.", log="logs/x.txt")


def contestant(result: Result | WorkloadResult, label: str) -> ContestantResult:
    workload = result.workloads[0] if isinstance(result, Result) else result
    return next(one for one in workload.contestants if one.contestant == label)


def pair(result: Result, a: str, b: str) -> Pair:
    found = next(one for one in result.workloads[0].pairs if {one.a, one.b} == {a, b})
    return found.seen_from(a)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return conclude(made_up_run(tmp_path_factory.mktemp("runs")))


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path))
    return tmp_path


def test_intervals_hold_the_truth_they_were_made_from(usual: Result) -> None:
    for label, speed in SPEEDS.items():
        throughput = contestant(usual, label).throughput
        assert throughput is not None
        assert throughput.low is not None
        assert throughput.high is not None
        assert throughput.low < 256 * speed < throughput.high
        assert throughput.n == 4
        assert throughput.unit == "examples/s"
    found = pair(usual, "jax:jit", "torch:eager")
    assert found.low < 150 / 80 < found.high
    assert found.verdict == "a_faster"
    assert not found.provisional
    assert len(found.generations) == 4


def test_every_pair_once_in_the_order_asked(usual: Result) -> None:
    labels = list(SPEEDS)
    expected = [(a, b) for place, a in enumerate(labels) for b in labels[place + 1 :]]
    assert [(one.a, one.b) for one in usual.workloads[0].pairs] == expected


def test_start_up_cold_once_and_warm_with_an_interval_and_phases_that_add_up(usual: Result) -> None:
    one = contestant(usual, "jax:jit")
    cold, warm = one.startup_cold, one.startup_warm
    assert cold is not None
    assert warm is not None
    assert (cold.n, cold.low, cold.high) == (1, None, None)
    assert warm.n == 3
    assert warm.low is not None
    assert warm.high is not None
    assert warm.low < 2.9 < warm.high
    assert cold.value == pytest.approx(3 * 2.9, rel=0.1)
    for start in (cold, warm):
        assert sum(start.phases.values()) == pytest.approx(start.value)
        assert list(start.phases) == ["import", "build", "compile", "first_step"]


def test_memory_is_that_of_warm_processes(usual: Result) -> None:
    memory = contestant(usual, "torch:eager").memory
    assert set(memory) == {"host_peak_bytes", "host_peak_above_import_bytes"}
    assert memory["host_peak_bytes"].n == 3
    assert memory["host_peak_bytes"].value == pytest.approx(600 * 2**20, rel=0.03)


def test_break_even_is_where_the_lines_cross(usual: Result) -> None:
    found = pair(usual, "jax:jit", "torch:eager")
    a, b = contestant(usual, "jax:jit"), contestant(usual, "torch:eager")
    items = found.break_even_items["cold"]
    assert items
    assert a.startup_cold
    assert b.startup_cold
    assert b.throughput
    assert a.throughput
    speed_b = math.sqrt(a.throughput.value * b.throughput.value / found.ratio)
    assert speed_b == pytest.approx(b.throughput.value, rel=0.02)
    assert a.startup_cold.value + items / (speed_b * found.ratio) == pytest.approx(
        b.startup_cold.value + items / speed_b
    )
    seconds = found.break_even_seconds["cold"]
    assert seconds == pytest.approx(a.startup_cold.value + items / (speed_b * found.ratio))
    assert found.seen_from("torch:eager").break_even_seconds["cold"] == seconds
    assert pair(usual, "jax:jit", "torch:compile").break_even_items == {"cold": 0.0, "warm": 0.0}
    assert pair(usual, "jax:jit", "torch:compile").break_even_seconds == {"cold": 0.0, "warm": 0.0}


def test_facts_of_environment_catalog_and_question_come_along(usual: Result) -> None:
    one = contestant(usual, "jax:jit")
    assert (one.framework, one.variant, one.version, one.precision) == ("jax", "jit", "0.10.2", "float32")
    assert one.settings["variant"]
    assert usual.question["contestants"] == list(SPEEDS)
    assert usual.environments["jax:jit"]["packages"]["jax"] == "0.10.2"
    assert usual.machine["cpu"] == MACHINE.cpu
    assert usual.workloads[0].settings["sizes"]["hidden"] == 1024
    assert usual.complete
    assert usual.notes == ()


def test_one_generation_is_provisional_and_gives_no_interval_of_a_speed(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, generations=1, quick=True))
    one = contestant(result, "jax:jit")
    assert one.throughput is not None
    assert (one.throughput.n, one.throughput.low, one.throughput.high) == (1, None, None)
    assert one.startup_warm is None
    assert one.memory["host_peak_bytes"].n == 1
    found = pair(result, "jax:jit", "torch:eager")
    assert (found.verdict, found.provisional) == ("a_faster", True)
    assert set(found.break_even_items) == {"cold"}
    close = pair(result, "torch:eager", "torch:compile")
    assert close.verdict == "undecided"
    assert close.more_minutes is not None
    assert result.workloads[0].process_sd is None
    assert "Provisionally" in result.workloads[0].headline
    assert any("One generation" in note for note in result.notes)


def test_a_contestant_that_is_not_equal_is_not_ranked(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, unequal=["jax:jit"]))
    one = contestant(result, "jax:jit")
    assert one.status == "not_equal"
    assert one.parity["equal"] is False
    assert one.parity["first_difference"]["where"] == "stem.norm"
    assert "stem.norm" in one.reason
    assert "epsilon" in one.reason
    assert not [found for found in result.workloads[0].pairs if "jax:jit" in (found.a, found.b)]
    assert "jax:jit is not ranked" in result.workloads[0].headline
    assert result.workloads[0].headline.startswith("tensorflow:xla is faster than")


def test_a_disturbed_contestant_is_undecided_and_has_no_sure_number(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, disturbed=["jax:jit"]))
    one = contestant(result, "jax:jit")
    assert one.status == "disturbed"
    assert one.throughput is None
    assert one.rejected_slices == 8
    assert "8 of its 12 slices" in one.reason
    assert "no generation had 2 clean rounds" in one.reason
    assert "jax:jit is without a result, because other processes" in result.workloads[0].headline


def test_whose_turn_never_came_is_not_told_of_slices_of_others(tmp_path: Path) -> None:
    run = made_up_run(tmp_path, workloads=["mlp"], generations=0, finished=False)
    generation = made_up_generation(SPEEDS, number=0, disturbed=list(SPEEDS))
    left = tuple(one for one in generation.slices if one.contestant != "jax:jit")
    with Run.open(run.folder, writable=True) as more:
        more.append(Measured(generation=dataclasses.replace(generation, slices=left)))
    one = contestant(conclude(Run.open(run.folder)), "jax:jit")
    assert (one.status, one.rejected_slices) == ("disturbed", 0)
    assert "before its own turn came" in one.reason
    assert "rejected" not in one.reason


def test_who_has_nobody_to_be_equal_to_is_alone(tmp_path: Path) -> None:
    one = contestant(conclude(made_up_run(tmp_path, workloads=["mlp"])), "jax:jit")
    assert parity_words(one) == "equal"
    assert parity_words(dataclasses.replace(one, parity={**one.parity, "note": ALONE})) == "alone"
    assert parity_words(dataclasses.replace(one, parity={**one.parity, "equal": False})) == "not equal"


def test_a_quick_run_speaks_of_assumed_intervals_only_where_there_are_some(tmp_path: Path) -> None:
    ranked = conclude(made_up_run(tmp_path, workloads=["mlp"], generations=1, quick=True))
    assert any("assumed, not measured" in note for note in ranked.notes)
    alone = made_up_run(tmp_path, workloads=["mlp"], generations=1, quick=True, speeds={"jax:jit": 90.0})
    assert not any("assumed, not measured" in note for note in conclude(alone).notes)


def test_a_partly_disturbed_contestant_stays_undecided_against_everybody(tmp_path: Path) -> None:
    run = made_up_run(tmp_path, workloads=["mlp"], generations=3, finished=False)
    with Run.open(run.folder, writable=True) as more:
        more.append(Measured(generation=made_up_generation(SPEEDS, number=2, disturbed=["jax:jit"])))
    result = conclude(more)
    assert contestant(result, "jax:jit").status == "disturbed"
    found = pair(result, "jax:jit", "torch:eager")
    assert found.ratio > 1.7
    assert (found.verdict, found.more_minutes) == ("undecided", None)
    assert pair(result, "tensorflow:xla", "torch:eager").verdict == "a_faster"


def test_one_lost_generation_of_four_is_no_disturbance(tmp_path: Path) -> None:
    run = made_up_run(tmp_path, workloads=["mlp"], generations=3, finished=False)
    with Run.open(run.folder, writable=True) as more:
        more.append(Measured(generation=made_up_generation(SPEEDS, number=3, disturbed=["jax:jit"])))
    result = conclude(more)
    assert contestant(result, "jax:jit").status == "measured"
    assert pair(result, "jax:jit", "torch:eager").verdict == "a_faster"
    assert len(pair(result, "jax:jit", "torch:eager").generations) == 3


def test_failures_in_every_stage_are_outcomes(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, failures={"torch:compile": OUT_OF_MEMORY}))
    one = contestant(result, "torch:compile")
    assert (one.status, one.reason, one.log) == ("out_of_memory", "Memory ran out.", "logs/x.txt")
    assert one.throughput is None
    assert "torch:compile is without a result, because memory ran out" in result.workloads[0].headline

    run = made_up_run(tmp_path, finished=False)
    failure = Failure(status="failed", stage="probe", message="It does not import.")
    gate = made_up_gate("mlp", list(SPEEDS))
    late = Failure(status="timed_out", stage="parity", message="It took too long.")
    unchecked = dataclasses.replace(gate.verdicts["jax:jit"], equal=None, failure=late)
    with Run.open(run.folder, writable=True) as more:
        more.append(Failed(contestant="torch:eager", workload="", failure=failure))
        more.append(Gated(report=dataclasses.replace(gate, verdicts={**gate.verdicts, "jax:jit": unchecked})))
    result = conclude(more)
    assert contestant(result, "torch:eager").status == "failed"
    assert contestant(result.workloads[1], "torch:eager").status == "failed"
    assert contestant(result, "jax:jit").status == "timed_out"
    assert contestant(result.workloads[1], "jax:jit").status == "measured"


def test_a_crash_in_one_of_five_generations_is_a_remark(tmp_path: Path) -> None:
    run = made_up_run(tmp_path, workloads=["mlp"], finished=False)
    crash = Failure(status="failed", stage="measure", message="It was killed.", log="logs/y.txt")
    with Run.open(run.folder, writable=True) as more:
        more.append(Measured(generation=made_up_generation(SPEEDS, number=4, failures={"jax:jit": crash})))
    one = contestant(conclude(more), "jax:jit")
    assert (one.status, one.reason, one.log) == (
        "measured",
        "In 1 of 5 generations: It was killed.",
        "logs/y.txt",
    )


def test_what_left_early_because_it_was_settled_is_measured(tmp_path: Path) -> None:
    run = made_up_run(tmp_path, workloads=["mlp"], generations=3, finished=False)
    rest = {label: speed for label, speed in SPEEDS.items() if label.startswith("torch")}
    with Run.open(run.folder, writable=True) as more:
        for number in (3, 4, 5):
            more.append(Measured(generation=made_up_generation(rest, number=number)))
    result = conclude(more)
    assert contestant(result, "jax:jit").status == "measured"
    assert len(pair(result, "torch:eager", "torch:compile").generations) == 6
    assert len(pair(result, "jax:jit", "torch:eager").generations) == 3


def test_a_run_that_was_stopped_says_what_is_missing(tmp_path: Path) -> None:
    question = Question(
        workloads=("mlp", "resnet18"),
        contestants=tuple(parse_contestant(label) for label in SPEEDS),
        cpus=(0,),
    )
    with Run.create(question, MACHINE) as run:
        assert conclude(run).workloads == ()
        run.append(Gated(report=made_up_gate("mlp", list(SPEEDS))))
    result = conclude(run)
    assert [one.status for one in result.workloads[0].contestants] == ["pending"] * 5
    assert result.workloads[0].headline == "Nothing is measured yet."
    assert not result.complete
    assert any("resnet18 was not reached" in note and "--resume" in note for note in result.notes)


def test_unguarded_is_said_everywhere(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, guarded=False))
    assert all(one.unguarded for one in result.workloads[0].pairs)
    assert "unguarded" in result.workloads[0].headline
    assert any(note.startswith("Unguarded") for note in result.notes)


def test_an_unsteady_run_is_warned_of(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, process_sd=0.09, generations=6))
    spread = result.workloads[0].process_sd
    assert spread is not None
    assert spread > 0.06
    assert any("vary by" in note for note in result.notes)


def test_losses_in_the_timed_precision(tmp_path: Path) -> None:
    losses = {
        "torch:eager": [2.0, 1.9, 1.8, 0.5],
        "jax:jit": [2.0, 1.9, 1.818, 0.6],
        "torch:compile": [2.0, 1.9, 1.8, math.nan],
        "tensorflow:xla": [2.0, 2.1, 2.2, 2.3],
    }
    result = conclude(made_up_run(tmp_path, losses=losses))
    assert contestant(result, "torch:eager").loss == {
        "losses": (2.0, 1.9, 1.8, 0.5),
        "falls": True,
        "reference": "torch:eager",
        "distance": 0.0,
    }
    assert contestant(result, "jax:jit").loss["distance"] == pytest.approx(0.01)
    assert contestant(result, "torch:compile").loss["losses"][-1] is None
    for label in ("torch:compile", "tensorflow:xla"):
        assert contestant(result, label).loss["falls"] is False
        assert "loss does not fall" in contestant(result, label).reason


def test_no_practical_difference_takes_many_steady_generations(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, workloads=["mlp"], generations=9, process_sd=0.005))
    found = pair(result, "torch:eager", "torch:compile")
    assert found.verdict == "no_practical_difference"
    assert found.more_minutes is None


def test_a_single_contestant_has_a_speed_and_no_ranking(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, workloads=["mlp"], speeds={"jax:jit": 150.0}))
    assert result.workloads[0].pairs == ()
    assert result.workloads[0].headline.startswith("jax:jit runs at 3")
    assert result.workloads[0].process_sd is None


def test_a_workload_unknown_here_can_still_be_concluded(tmp_path: Path) -> None:
    run = made_up_run(tmp_path, workloads=["mlp"])
    for name in ("run.json", "events.jsonl"):
        path = run.folder / name
        path.write_text(path.read_text().replace('"mlp"', '"elsewhere"').replace("jax", "newton"))
    result = conclude(Run.open(run.folder))
    assert result.workloads[0].workload == "elsewhere"
    assert contestant(result, "newton:jit").version == "0.10.2"


def test_the_result_survives_json(usual: Result) -> None:
    text = codec.encode(usual)
    assert codec.encode(codec.decode_result(json.loads(text), "here")) == text
    assert "NaN" not in text


def test_finished_twice_is_finished(tmp_path: Path) -> None:
    run = made_up_run(tmp_path)
    with Run.open(run.folder, writable=True) as more:
        more.append(Measured(generation=made_up_generation(SPEEDS, number=4)))
        assert not conclude(more).complete
        more.append(Finished())
        assert conclude(more).complete


def test_a_headline_begins_as_a_sentence_but_leaves_labels_as_they_are(tmp_path: Path, usual: Result) -> None:
    assert usual.workloads[0].headline.startswith("jax:jit is faster")
    close = made_up_run(tmp_path / "close", workloads=("mlp",), speeds={"torch:eager": 80.0, "jax:jit": 85.0})
    assert conclude(close).workloads[0].headline.startswith(("It is undecided", "There is no practical"))


def test_a_result_that_was_written_before_there_were_flags_can_be_read(usual: Result) -> None:
    value = json.loads(codec.encode(usual))
    for workload in value["workloads"]:
        del workload["flops_per_item"], workload["peak"]
        for one in workload["contestants"]:
            del one["utilisation"], one["flags"], one["largest_batch"]
        for found in workload["pairs"]:
            del found["break_even_seconds"]
    read = codec.decode_result(value, "here")
    assert read.workloads[0].peak is None
    assert read.workloads[0].contestants[0].flags == ()
    assert read.workloads[0].pairs[0].break_even_seconds == {}
