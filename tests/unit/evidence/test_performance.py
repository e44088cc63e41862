import dataclasses

import pytest

from made_up import SPEEDS, made_up_run
from trivet.conclude import conclude
from trivet.evidence.performance import heaviest, of_result
from trivet.model.evidence import Evidence
from trivet.model.result import Result


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return conclude(made_up_run(tmp_path_factory.mktemp("runs")))


def by_key(pieces: list[Evidence]) -> dict[str, Evidence]:
    found = {piece.key: piece for piece in pieces}
    assert len(found) == len(pieces)
    return found


def test_speed_start_up_and_memory_of_every_contestant(result):
    found = by_key(of_result(result, "mlp"))
    for label in SPEEDS:
        one = next(entry for entry in result.workloads[0].contestants if entry.contestant == label)
        speed = found[f"performance.throughput/{label}"]
        assert (speed.value, speed.low, speed.high, speed.n, speed.unit) == (
            one.throughput.value,
            one.throughput.low,
            one.throughput.high,
            4,
            "examples/s",
        )
        assert speed.source == result.run
        assert speed.dated == result.created[:10]
        assert (speed.strength, speed.expires) == ("measured", None)
        assert found[f"performance.startup_cold/{label}"].value == one.startup_cold.value
        assert found[f"performance.startup_warm/{label}"].low == one.startup_warm.low
        assert found[f"performance.memory/{label}"].value == one.memory["host_peak_bytes"].value


def test_races_are_there_from_both_sides_and_only_between_frameworks(result):
    found = by_key(of_result(result, "mlp"))
    there = found["performance.ratio/jax:jit/torch:eager"]
    back = found["performance.ratio/torch:eager/jax:jit"]
    assert there.value == pytest.approx(1 / back.value)
    assert (there.low, there.high) == (pytest.approx(1 / back.high), pytest.approx(1 / back.low))
    assert "performance.ratio/torch:eager/torch:compile" not in found
    races = [piece for piece in found.values() if piece.claim == "performance.ratio"]
    assert len(races) == 2 * (2 * 2 + 2 * 1 + 2 * 1)


def test_verdicts_are_the_runs_own(result):
    found = by_key(of_result(result, "mlp"))
    words = {"a_faster": "faster", "b_faster": "slower", "no_practical_difference": "no practical difference"}
    frameworks = {one.contestant: one.framework for one in result.workloads[0].contestants}
    for pair in result.workloads[0].pairs:
        if frameworks[pair.a] != frameworks[pair.b]:
            verdict = found[f"performance.verdict/{pair.a}/{pair.b}"]
            assert verdict.value == words.get(pair.verdict, "undecided")
            opposite = {"faster": "slower", "slower": "faster"}.get(verdict.value, verdict.value)
            assert found[f"performance.verdict/{pair.b}/{pair.a}"].value == opposite


@pytest.mark.parametrize(
    ("verdict", "value"), [("undecided", "undecided"), ("no_practical_difference", "no practical difference")]
)
def test_a_changed_verdict_is_followed_though_the_ratio_says_otherwise(result, verdict, value):
    workload = result.workloads[0]
    pairs = tuple(dataclasses.replace(pair, verdict=verdict) for pair in workload.pairs)
    other = dataclasses.replace(result, workloads=(dataclasses.replace(workload, pairs=pairs),))
    values = {piece.value for piece in of_result(other) if piece.claim == "performance.verdict"}
    assert values == {value}


@pytest.mark.parametrize("kept_out", ["unequal", "disturbed"])
def test_only_ranked_contestants_speak(tmp_path, kept_out):
    run = made_up_run(tmp_path, workloads=["mlp"], **{kept_out: ["jax:jit"]})
    contestants = {piece.contestant for piece in of_result(conclude(run))}
    assert contestants == set(SPEEDS) - {"jax:jit"}
    assert not any(piece.against == "jax:jit" for piece in of_result(conclude(run)))


def test_a_copy_of_a_program_is_no_further_contestant(tmp_path):
    run = made_up_run(
        tmp_path, workloads=["mlp"], speeds={"torch:eager": 80, "torch:eager#2": 80, "jax:jit": 150}
    )
    assert {piece.contestant for piece in of_result(conclude(run))} == {"torch:eager", "jax:jit"}


def test_of_several_workloads_the_heaviest_counts(result):
    assert [one.workload for one in result.workloads] == ["mlp", "resnet18"]
    assert heaviest(result).workload == "resnet18"
    assert of_result(result) == of_result(result, "resnet18")
    assert of_result(result, "resnet50") == []


def test_quick_runs_say_that_they_are_provisional(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp"], generations=1, quick=True)
    found = by_key(of_result(conclude(run)))
    assert found["performance.throughput/jax:jit"].low is None
    race = found["performance.ratio/jax:jit/torch:eager"]
    assert race.n == 1
    assert "assumed" in race.text
    assert "provisionally" in found["performance.verdict/jax:jit/torch:eager"].text


def test_power_is_evidence_only_where_it_was_read(result):
    assert not any(piece.claim == "performance.power" for piece in of_result(result))
    workload = result.workloads[0]
    first, *rest = workload.contestants
    first = dataclasses.replace(first, gpu={"clocks_mhz": 1400.0, "power_watts": 312.0})
    workload = dataclasses.replace(workload, contestants=(first, *rest))
    found = by_key(of_result(dataclasses.replace(result, workloads=(workload,))))
    power = [piece for piece in found.values() if piece.claim == "performance.power"]
    assert [(piece.contestant, piece.value, piece.unit) for piece in power] == [("torch:eager", 312.0, "W")]


def test_sentences_hold_their_numbers(result):
    found = by_key(of_result(result, "mlp"))
    text = found["performance.ratio/jax:jit/torch:eager"].text
    assert text.startswith("JAX (jax:jit) trains mlp 1.")
    assert "times as fast as torch:eager (1." in text
    assert (
        "jax:jit is faster than torch:eager on mlp: 1."
        in found["performance.verdict/jax:jit/torch:eager"].text
    )
