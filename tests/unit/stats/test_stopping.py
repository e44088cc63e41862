import dataclasses

import numpy as np
import pytest

from made_up import made_up_generation
from trivet.stats.interval import LogEstimate
from trivet.stats.samples import Samples, collect
from trivet.stats.stopping import more_generations, settled, unsettled
from trivet.stats.verdict import compare, judge

SPEEDS = {"a:x": 10.0, "b:x": 10.2, "c:x": 40.0}


def samples(count: int, speeds: dict[str, float] = SPEEDS, process_sd: float = 0.005) -> Samples:
    generations = [
        made_up_generation(speeds, number=number, process_sd=process_sd, noise_sd=0.002)
        for number in range(count)
    ]
    return collect(generations, list(speeds))


def test_never_before_three_generations() -> None:
    assert set(unsettled(samples(2, {"a:x": 1.0, "b:x": 99.0}), 0.05)) == {"a:x", "b:x"}
    assert unsettled(samples(3, {"a:x": 1.0, "b:x": 99.0}), 0.05) == ()


def test_the_one_far_behind_may_leave_and_the_close_race_goes_on() -> None:
    assert unsettled(samples(3), 0.05) == ("a:x", "b:x")


def test_a_narrow_interval_ends_a_close_race() -> None:
    many = samples(9)
    comparison = compare(many, "a:x", "b:x", 0.05)
    assert comparison is not None
    assert float(comparison.estimate.half_width()) < 0.03
    assert settled(comparison.estimate, 0.05)
    assert unsettled(many, 0.05) == ()


def test_without_clean_rounds_there_is_more_to_do() -> None:
    speeds = {"a:x": 1.0, "b:x": 99.0}
    generations = [made_up_generation(speeds, number=number, disturbed=list(speeds)) for number in range(3)]
    assert unsettled(collect(generations, list(speeds)), 0.05) == ("a:x", "b:x")
    assert unsettled(collect(generations, ["a:x"]), 0.05) == ("a:x",)


def test_a_single_contestant_needs_three_generations() -> None:
    assert unsettled(samples(2, {"a:x": 10.0}), 0.05) == ("a:x",)
    assert unsettled(samples(3, {"a:x": 10.0}), 0.05) == ()


@pytest.mark.parametrize("speed", [10.1, 10.9])
def test_more_generations_decide_if_nothing_changes(speed: float) -> None:
    speeds = {"a:x": 10.0, "b:x": speed}
    few = compare(samples(3, speeds, process_sd=0.0), "a:x", "b:x", 0.05)
    assert few is not None
    assert few.verdict == "undecided"
    more = more_generations(few.estimate, 0.05)
    assert more is not None
    then = compare(samples(3 + more, speeds, process_sd=0.0), "a:x", "b:x", 0.05)
    assert then is not None
    assert then.verdict != "undecided"


def test_more_generations_is_the_first_number_that_decides() -> None:
    estimate = LogEstimate(
        centre=np.log(1.10), variance=np.asarray(0.04**2), degrees=np.asarray(6), generations=np.asarray(3)
    )
    more = more_generations(estimate, 0.05)
    assert more is not None
    for count in (more - 1, more):
        later = dataclasses.replace(
            estimate, degrees=np.asarray(6 + count), generations=np.asarray(3 + count)
        )
        assert (judge(later, 0.05) == "undecided") == (count < more)


def test_after_one_generation_at_least_two_more() -> None:
    estimate = LogEstimate(
        centre=np.log(1.165), variance=np.asarray(0.04**2), degrees=np.asarray(4), generations=np.asarray(1)
    )
    assert judge(estimate, 0.05) == "undecided"
    assert more_generations(estimate, 0.05) == 2


def test_a_ratio_at_the_margin_is_not_promised_anything() -> None:
    edge = compare(samples(3, {"a:x": 10.0, "b:x": 10.5}, process_sd=0.0), "a:x", "b:x", 0.05)
    assert edge is not None
    assert edge.verdict == "undecided"
    assert more_generations(edge.estimate, 0.05) is None


def test_a_decided_pair_needs_nothing() -> None:
    far = compare(samples(3, {"a:x": 10.0, "b:x": 20.0}), "a:x", "b:x", 0.05)
    assert far is not None
    assert more_generations(far.estimate, 0.05) is None
