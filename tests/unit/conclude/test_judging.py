"""The rules: each verdict for each kind of claim."""

import pytest

from trivet.conclude.judging import judge_figure, judge_order, judge_ratio, times
from trivet.conclude.verdicts import _why_speed
from trivet.model.against import Ratio, Row
from trivet.model.result import Estimate, Pair

A = Row(framework="jax", title="JAX")
B = Row(framework="torch", title="PyTorch")


def ratio(value, low=None, high=None):
    return Ratio(a=A, b=B, value=value, low=low or value, high=high or value)


def pair(low, high, verdict):
    return Pair(
        a="jax:jit",
        b="torch:eager",
        ratio=(low * high) ** 0.5,
        low=low,
        high=high,
        generations=(),
        verdict=verdict,
        provisional=False,
        unguarded=False,
        more_minutes=None,
        break_even_items={},
    )


def estimate(value, low=None, high=None):
    return Estimate(value=value, low=low, high=high, n=1 if low is None else 3, unit="s")


@pytest.mark.parametrize(
    ("claimed", "low", "high", "run", "verdict"),
    [
        (1.07, 1.06, 1.12, "a_faster", "holds"),
        (1.07, 1.10, 1.20, "a_faster", "holds"),  # within the margin of the interval
        (1.07, 1.13, 1.20, "a_faster", "does not hold here"),  # in order, not in size
        (1.50, 1.06, 1.12, "a_faster", "does not hold here"),
        (1.07, 0.50, 0.60, "b_faster", "does not hold here"),
        (1.07, 0.97, 1.04, "no_practical_difference", "does not hold here"),
        (1.03, 0.97, 1.04, "no_practical_difference", "holds"),
        (1.07, 0.98, 1.12, "undecided", "undecided"),
        (1.50, 0.98, 1.12, "undecided", "does not hold here"),  # undecided who, but not by that much
    ],
)
def test_a_claimed_ratio_of_speeds(claimed, low, high, run, verdict):
    assert judge_ratio(ratio(claimed), pair(low, high, run), 0.05) == verdict


@pytest.mark.parametrize(
    ("claimed", "words"),
    [
        (ratio(1.19), "; in which 1.19x fits."),
        (ratio(1.08), "; within the 5 % margin of which 1.08x lies."),
        (ratio(1.40, 1.25, 1.60), "; which the interval of 1.40x reaches."),
    ],
)
def test_only_what_lies_in_the_interval_fits_in_it(claimed, words):
    measured = pair(1.11, 1.28, "a_faster")
    assert judge_ratio(claimed, measured, 0.05) == "holds"
    assert _why_speed(claimed, measured, "holds", 0.05).endswith(words)


def test_a_claimed_interval_agrees_where_it_overlaps():
    assert judge_ratio(ratio(1.5, 1.3, 1.7), pair(1.25, 1.28, "a_faster"), 0.05) == "holds"
    assert judge_ratio(ratio(1.5, 1.4, 1.7), pair(1.25, 1.28, "a_faster"), 0.05) == "does not hold here"


@pytest.mark.parametrize(
    ("claimed", "low", "high", "verdict"),
    [
        (17.4, 2.8, 4.9, "holds"),  # order alone counts
        (17.4, 0.2, 0.4, "does not hold here"),
        (17.4, 0.97, 1.04, "does not hold here"),
        (17.4, 0.9, 1.4, "undecided"),
        (1.03, 0.97, 1.04, "holds"),
        (1.03, 1.10, 1.20, "does not hold here"),
        (1.03, 0.99, 1.20, "undecided"),
    ],
)
def test_a_claimed_order(claimed, low, high, verdict):
    here = times(estimate(1.0, 1.0, 1.0), estimate(1.0, 1.0, 1.0), 0.05)
    assert judge_order(claimed, type(here)(value=1.0, low=low, high=high, assumed=False), 0.05) == verdict


def test_a_ratio_of_means_goes_from_end_to_end():
    found = times(estimate(8.0, 7.0, 9.0), estimate(2.0, 1.8, 2.2), 0.05)
    assert (found.value, found.assumed) == (4.0, False)
    assert (found.low, found.high) == pytest.approx((7.0 / 2.2, 9.0 / 1.8))


def test_a_single_process_has_an_assumed_interval():
    found = times(estimate(8.0), estimate(2.0), 0.05)
    assert found.assumed
    assert (found.low, found.high) == pytest.approx((4 * 0.861 / 1.139, 4 * 1.139 / 0.861), rel=1e-3)


@pytest.mark.parametrize(
    ("claimed", "low", "high", "verdict"),
    [
        (1850, 1800, 1900, "holds"),
        (1850, 1900, 1950, "holds"),
        (1850, 2400, 2500, "does not hold here"),
        (1850, None, None, "undecided"),
    ],
)
def test_a_figure_in_its_own_setting(claimed, low, high, verdict):
    assert judge_figure(claimed, estimate(1850, low, high), 0.05) == verdict
