"""The looser gate: losses of the first steps in the precision that is timed."""

import dataclasses
import math
from pathlib import Path

import pytest

from made_up import SPEEDS, made_up_generation, made_up_run
from trivet.conclude import conclude
from trivet.conclude.headline import headline
from trivet.conclude.losses import LIMITS, departures
from trivet.model.contestant import parse_contestant
from trivet.model.result import ContestantResult, Result

FIVE = tuple(SPEEDS)
MLP = [3.1755, 2.8600, 2.6413, 0.005]

RESNET18_BFLOAT16 = {
    "torch:eager": [3.035092830657959, 3.3205766677856445, 0.8933863043785095, 0.1],
    "torch:compile": [3.031830310821533, 3.318903923034668, 0.9015392065048218, 0.1],
    "tensorflow:graph": [3.0316035747528076, 3.324239730834961, 0.8992058038711548, 0.1],
    "tensorflow:xla": [3.0308687686920166, 3.3242745399475098, 0.8963803052902222, 0.1],
    "jax:jit": [3.0363545417785645, 3.3199968338012695, 0.8976671695709229, 0.1],
}
RESNET50_FLOAT32 = {
    "torch:eager": [7.95918083190918, 7.871761322021484, 3.7453091144561768, 5.5],
    "torch:compile": [7.959236145019531, 7.934823036193848, 3.743514060974121, 3.6],
    "tensorflow:graph": [7.959242820739746, 7.9625139236450195, 3.6336121559143066, 2.6],
    "tensorflow:xla": [7.959251403808594, 7.965237617492676, 3.790996551513672, 3.7],
    "jax:jit": [7.959230422973633, 7.942784786224365, 3.733564615249634, 2.5],
}


def apart(losses, precision="float32"):
    generation = made_up_generation(dict.fromkeys(losses, 100.0), losses=losses)
    return departures([parse_contestant(label) for label in losses], [generation], precision)


def of(result: Result, label: str) -> ContestantResult:
    return next(one for one in result.workloads[0].contestants if one.contestant == label)


@pytest.mark.parametrize(
    ("losses", "precision"), [(RESNET18_BFLOAT16, "bfloat16"), (RESNET50_FLOAT32, "float32")]
)
def test_rounding_as_it_was_measured_raises_no_alarm(losses, precision):
    assert apart(losses, precision) == {}


@pytest.mark.parametrize("precision", list(LIMITS))
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_loss_beyond_the_limit_of_its_step_is_found_and_one_within_it_is_not(precision, step):
    limit = LIMITS[precision][0 if step == 1 else 1]
    for factor, found in ((0.9, set()), (1.2, {"torch:eager"})):
        faulty = list(MLP)
        faulty[step - 1] -= factor * limit * MLP[0]
        losses = dict.fromkeys(FIVE, MLP) | {"torch:eager": faulty}
        departed = apart(losses, precision)
        assert set(departed) == found
        if found:
            one = departed["torch:eager"]
            assert (one.step, one.median, one.limit) == (step, MLP[step - 1], limit)


def test_where_two_differ_nobody_is_right():
    departed = apart({"torch:eager": [3.0, 2.9, 2.8, 1.0], "jax:jit": [3.3, 2.9, 2.8, 1.0]})
    assert set(departed) == {"torch:eager", "jax:jit"}
    assert departed["jax:jit"].median is None
    assert departed["jax:jit"].theirs == {"torch:eager": 3.0}


def test_a_loss_that_is_not_finite_on_one_side_differs_and_on_all_sides_does_not():
    lost = [3.1755, math.nan, math.inf, math.nan]
    assert set(apart(dict.fromkeys(FIVE, MLP) | {"jax:jit": lost})) == {"jax:jit"}
    assert apart(dict.fromkeys(FIVE, lost)) == {}


def test_one_that_departs_in_a_later_generation_only_is_found():
    sound = made_up_generation(dict.fromkeys(FIVE, 100.0), losses=dict.fromkeys(FIVE, MLP))
    odd = dataclasses.replace(sound, losses={**sound.losses, "jax:jit": [4.0, 2.9, 2.6, 0.1]})
    assert set(departures([parse_contestant(label) for label in FIVE], [sound, odd], "float32")) == {
        "jax:jit"
    }


def test_it_is_not_ranked_and_the_reason_names_step_losses_and_limit(tmp_path: Path):
    losses = dict.fromkeys(FIVE, MLP) | {"torch:eager": [2.4, 2.3, 2.2, 0.5]}
    result = conclude(made_up_run(tmp_path, losses=losses))
    one = of(result, "torch:eager")
    assert one.status == "not_equal"
    assert one.parity["equal"] is True
    for words in ("loss of step 1 is 2.4", "in float32", "is 3.1755", "limit 1e-03"):
        assert words in one.reason
    assert [flag.code for flag in one.flags if flag.code == "loss_differs"] == ["loss_differs"]
    assert not any("torch:eager" in (pair.a, pair.b) for pair in result.workloads[0].pairs)
    assert len(result.workloads[0].pairs) == 6
    assert "torch:eager is not ranked, because losses differ in float32." in result.workloads[0].headline
    assert headline(result.workloads[0].contestants, result.workloads[0].pairs)
    assert of(result, "jax:jit").loss["reference"] == "torch:compile"
    assert of(result, "jax:jit").status == "measured"


def test_on_a_tie_neither_is_ranked(tmp_path: Path):
    speeds = {"torch:eager": 80.0, "jax:jit": 150.0}
    losses = {"torch:eager": [3.0, 2.9, 2.8, 1.0], "jax:jit": [3.3, 2.9, 2.8, 1.0]}
    result = conclude(made_up_run(tmp_path, speeds=speeds, losses=losses))
    assert [one.status for one in result.workloads[0].contestants] == ["not_equal", "not_equal"]
    assert "no side outweighs the other" in of(result, "jax:jit").reason
    assert result.workloads[0].pairs == ()
