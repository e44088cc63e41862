"""Who is done first: conservative, edges exact, and *faster* only where the run itself says so."""

import dataclasses
import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_builder import FRAMEWORKS, MLP, RESNET, TODAY, measured
from trivet.decide.ready import known_of
from trivet.decide.rules import race
from trivet.decide.tree import Rule

TRAINING = Rule(
    kind="training",
    claim="performance.throughput",
    bands=((1.05, 1.0), (1.25, 2.0), (2.0, 3.0)),
    dimension="performance",
    roles=("build",),
)
SPEED = dataclasses.replace(TRAINING, kind="speed")


def known(evidence, frameworks=FRAMEWORKS):
    return known_of(evidence, frameworks=frameworks, today=TODAY)


def at(stretches, hours):
    return max((one for one in stretches if one.above <= hours), key=lambda one: one.above).effects


def points(effects):
    return {(effect.framework, effect.over): effect.points for effect in effects}


def by_hand(evidence, a, b, hours):
    """Return how many times sooner framework a is done than b, from the raw evidence, by trying all ends of all intervals."""
    found = {(one.claim, one.contestant, one.against): one for one in evidence}
    speeds = [one for one in evidence if one.claim == "performance.throughput"]
    items = hours * 3600 * speeds[0].value
    best = 0.0
    for ours in (one.contestant for one in speeds if one.framework == a):
        worst = math.inf
        for theirs in (one for one in speeds if one.framework == b):
            ratio = found["performance.ratio", ours, theirs.contestant]
            faster = found["performance.verdict", ours, theirs.contestant].value == "faster"
            start_a = found["performance.startup_cold", ours, ""].value
            start_b = found["performance.startup_cold", theirs.contestant, ""].value
            for speed, scale in itertools.product((ratio.low, ratio.high), (theirs.low, theirs.high)):
                allowed = speed if faster else min(speed, 1.05)
                worst = min(worst, (start_b + items / scale) / (start_a + items / scale / allowed))
        best = max(best, worst)
    return best


def expected(ratio):
    return 3.0 if ratio > 2 else 2.0 if ratio > 1.25 else 1.0 if ratio > 1.05 else 0.0


@pytest.mark.parametrize("speeds", [MLP, RESNET])
def test_points_are_those_of_the_worst_case_at_every_length(speeds):
    evidence = measured(speeds)
    found, filled = race.stretches(TRAINING, known(evidence))
    assert filled.missing == ()
    assert found[0].above == 0
    for hours in (10 ** (exponent / 50) for exponent in range(-300, 200)):
        if any(abs(hours / one.above - 1) < 1e-9 for one in found if one.above):
            continue
        seen = points(at(found, hours))
        for a, b in itertools.permutations(FRAMEWORKS, 2):
            assert seen.get((a, b), 0.0) == expected(by_hand(evidence, a, b, hours)), (a, b, hours)


@pytest.mark.parametrize("speeds", [MLP, RESNET])
def test_edges_are_where_bisection_finds_them(speeds):
    evidence = measured(speeds)
    found, _ = race.stretches(TRAINING, known(evidence))
    assert len(found) > 2

    def all_points(hours):
        return {
            pair: expected(by_hand(evidence, *pair, hours)) for pair in itertools.permutations(FRAMEWORKS, 2)
        }

    for one, following in itertools.pairwise(found):
        low = (one.above + following.above) / 2
        high = following.above * (1 + 1e-6)
        before = all_points(low)
        if all_points(high) == before:
            continue  # The same points, by another contestant.
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if all_points(middle) == before else (low, middle)
        assert high == pytest.approx(following.above, rel=1e-9)


def test_a_quick_start_wins_short_trainings_and_is_not_called_faster():
    evidence = measured(MLP)
    found, _ = race.stretches(TRAINING, known(evidence))
    short = {(one.framework, one.over): one for one in at(found, 1 / 3600)}
    effect = short["torch", "jax"]
    assert effect.points == 3.0
    assert effect.reason.text == (
        "PyTorch (torch:eager) is done sooner: JAX takes more than 2 times as long for a training of this length. "
        "It trains 0.493 (0.479–0.508) times as fast as jax:jit, and starts in 2.10 s, against 7.70 s (jax:jit)."
    )
    assert "faster" not in effect.reason.text
    assert "performance.startup_cold/torch:eager" in effect.reason.evidence
    long = {(one.framework, one.over): one for one in at(found, 100.0)}
    assert long["jax", "torch"].reason.text.startswith(
        "JAX (jax:jit) is faster: PyTorch takes more than 1.25 times"
    )
    assert long["jax", "torch"].reason.text.endswith(
        "It trains 2.03 (1.97–2.09) times as fast as torch:eager and 2.06 (2.00–2.12) times as fast as torch:compile."
    )
    assert set(long["jax", "torch"].reason.evidence) >= {
        "performance.ratio/jax:jit/torch:eager",
        "performance.ratio/jax:jit/torch:compile",
        "performance.verdict/jax:jit/torch:eager",
    }


def test_a_framework_must_beat_all_contestants_of_the_other():
    speeds = {"jax:jit": 120.0, "torch:eager": 100.0, "torch:compile": 119.0}
    evidence = measured(speeds, dict.fromkeys(speeds, 1.0), spread=0.01)
    found, _ = race.stretches(TRAINING, known(evidence, ("torch", "jax")))
    assert [points(one.effects) for one in found] == [{}]


def test_what_the_run_left_undecided_is_no_advantage_however_its_interval_lies():
    speeds = {"torch:eager": 100.0, "jax:jit": 120.0}
    starts = dict.fromkeys(speeds, 1.0)
    pair = ("jax:jit", "torch:eager")
    assert points(race.fill_speed(SPEED, known(measured(speeds, starts))).effects) == {("jax", "torch"): 1.0}
    undecided = measured(speeds, starts, verdicts={pair: "undecided"})
    assert race.fill_speed(SPEED, known(undecided)).effects == ()
    found, _ = race.stretches(TRAINING, known(undecided))
    assert [points(one.effects) for one in found] == [{}]


@given(
    speed=st.floats(0.2, 5.0),
    spread=st.floats(0.001, 0.3),
    starts=st.tuples(st.floats(0.1, 60.0), st.floats(0.1, 60.0)),
)
def test_an_interval_that_reaches_into_the_margin_never_yields_faster_nor_an_advantage_by_speed(
    speed, spread, starts
):
    speeds = {"torch:eager": 100.0, "jax:jit": 100.0 * speed}
    evidence = measured(speeds, dict(zip(speeds, starts, strict=True)), spread=spread)
    for framework, low in (("jax", speed * math.exp(-spread)), ("torch", math.exp(-spread) / speed)):
        by_speed = [
            one for one in race.fill_speed(SPEED, known(evidence)).effects if one.framework == framework
        ]
        found, _ = race.stretches(TRAINING, known(evidence))
        in_the_end = [one for one in found[-1].effects if one.framework == framework]
        everywhere = [one for stretch in found for one in stretch.effects if one.framework == framework]
        if low <= 1.05:
            assert by_speed == []
            assert not any("faster" in one.reason.text for one in everywhere)
        if low <= 1.05 - 1e-9:
            assert in_the_end == []
        if low > 1.05 + 1e-9:
            assert by_speed
            assert in_the_end


def test_the_check_above_can_fail(monkeypatch):
    """With the middle of the interval in place of its end, a ratio within the margin's reach is called an advantage."""
    monkeypatch.setattr(race, "_low", race._number)
    evidence = measured(
        {"torch:eager": 100.0, "jax:jit": 108.0}, spread=0.05, verdicts={("jax:jit", "torch:eager"): "faster"}
    )
    assert race.fill_speed(SPEED, known(evidence)).effects != ()


@pytest.mark.parametrize("claim", ["performance.throughput", "performance.startup_cold"])
def test_what_was_not_measured_is_missing_and_decides_nothing(claim):
    evidence = [one for one in measured(MLP) if not (one.claim == claim and one.framework == "jax")]
    found, filled = race.stretches(TRAINING, known(evidence))
    assert [(one.claim, one.frameworks) for one in filled.missing] == [(claim, ("jax",))]
    for stretch in found:
        assert not any("jax" in (one.framework, one.over) for one in stretch.effects)
    assert any(stretch.effects for stretch in found)


@pytest.mark.parametrize(
    "missing", ["performance.startup_cold/torch:compile", "performance.ratio/jax:jit/torch:compile"]
)
def test_nobody_beats_a_framework_of_which_one_contestant_is_not_known(missing):
    whole = measured(MLP)
    found, _ = race.stretches(TRAINING, known(whole))
    assert ("jax", "torch") in points(found[-1].effects)
    part = [one for one in whole if one.key != missing]
    found, filled = race.stretches(TRAINING, known(part))
    assert not any(("jax", "torch") in points(one.effects) for one in found)
    assert any(("torch", "jax") in points(one.effects) for one in found)
    assert [one.frameworks for one in filled.missing] == ([("torch",)] if "startup" in missing else [])


def test_without_any_run_there_is_one_stretch_without_effects():
    found, filled = race.stretches(TRAINING, known([]))
    assert [(one.above, one.effects) for one in found] == [(0.0, ())]
    assert {one.claim for one in filled.missing} == {"performance.throughput", "performance.startup_cold"}


def test_who_else_is_in_question_changes_nothing():
    evidence = measured(RESNET)
    all_three, _ = race.stretches(TRAINING, known(evidence))
    two, _ = race.stretches(TRAINING, known(evidence, ("tensorflow", "jax")))
    for hours in (10 ** (exponent / 10) for exponent in range(-60, 40)):
        both = {pair: value for pair, value in points(at(all_three, hours)).items() if "torch" not in pair}
        assert both == points(at(two, hours))
