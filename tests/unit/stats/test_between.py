"""Does the interval of a change between two runs cover? By simulation, against wrong methods, and by hand."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from simulated_times import SCENARIOS, Array, simulate
from trivet.stats.between import log_change, log_mean_change
from trivet.stats.interval import MEMORY_PRIOR, START_UP_PRIOR, log_speed
from trivet.stats.verdict import NO_PRACTICAL_DIFFERENCE, UNDECIDED, judge

Method = Callable[[Array, Array], tuple[Array, Array]]
"""Log step times of two runs -> centre and half-width of the 95 % interval of the change of contestant 0."""

EDGE = np.log(1.05)


def ours(before: Array, after: Array) -> tuple[Array, Array]:
    estimate = log_change(before, 0, after, 0)
    return estimate.centre, estimate.half_width()


def rounds_as_replicates(before: Array, after: Array) -> tuple[Array, Array]:
    """Take every slice for a fresh process."""
    sides = [run[..., 0].reshape(len(run), -1) for run in (before, after)]
    centre = sides[0].mean(axis=1) - sides[1].mean(axis=1)
    error = np.sqrt(sum(side.var(axis=1, ddof=1) / side.shape[1] for side in sides))
    return centre, stats.t.ppf(0.975, sides[0].shape[1] + sides[1].shape[1] - 2) * error


def one_side_only(before: Array, after: Array) -> tuple[Array, Array]:
    """Take the earlier run for the truth."""
    old, new = log_speed(before, 0), log_speed(after, 0)
    return new.centre - old.centre, new.half_width()


def coverage(
    method: Method, scenario: str, generations: tuple[int, int], contestants: tuple[int, int] = (5, 5)
) -> float:
    """Return the share of pairs of runs, equal in truth, whose interval holds 0."""
    before, after = (
        simulate(SCENARIOS[scenario], generations=count, contestants=number, seed=seed)
        for seed, (count, number) in enumerate(zip(generations, contestants, strict=True))
    )
    centre, half = method(before, after)
    return float((np.abs(centre) <= half).mean())


@pytest.mark.parametrize("generations", [(1, 1), (3, 3), (4, 4), (6, 6), (3, 8), (1, 6)])
def test_a_change_between_runs_covers(generations: tuple[int, int]) -> None:
    assert coverage(ours, "base", generations) >= 0.945


@pytest.mark.parametrize(
    ("scenario", "least"),
    [("rough", 0.93), ("wild", 0.91), ("two kernels", 0.95), ("odd one out", 0.91), ("bursts", 0.95)],
)
def test_it_covers_where_the_model_is_off(scenario: str, least: float) -> None:
    assert coverage(ours, scenario, (4, 4)) >= least


def test_it_covers_for_runs_of_other_contestants() -> None:
    assert coverage(ours, "base", (4, 3), (5, 1)) >= 0.945


@pytest.mark.parametrize("wrong", [rounds_as_replicates, one_side_only])
def test_the_check_refuses_wrong_methods(wrong: Method) -> None:
    assert coverage(wrong, "base", (4, 4)) < 0.93


def test_equal_runs_are_seldom_called_different_and_real_changes_are_named() -> None:
    before, after = (simulate(SCENARIOS["base"], generations=4, seed=seed) for seed in (0, 1))
    centre, half = ours(before, after)
    assert ((np.abs(centre) - half) > EDGE).mean() <= 0.005
    assert ((centre + np.log(1.05) - half) > EDGE).mean() <= 0.03
    assert ((centre + np.log(1.25) - half) > EDGE).mean() >= 0.90


def test_by_hand() -> None:
    """Two sides of equal variance v and n generations: variance 2 v / n, twice the degrees."""
    run = np.random.default_rng(3).normal(0, 0.05, (4, 3, 1))
    alone, change = log_speed(run, 0), log_change(run, 0, run + np.log(2), 0)
    assert change.centre == pytest.approx(-np.log(2))
    assert change.degrees == pytest.approx(2 * alone.degrees)
    expected = stats.t.ppf(0.975, 2 * alone.degrees) * np.sqrt(2 * alone.variance / 4)
    assert change.half_width() == pytest.approx(expected)


def test_a_run_without_clean_slices_gives_nothing() -> None:
    run = np.zeros((3, 3, 1))
    assert int(log_change(np.full((3, 3, 1), np.nan), 0, run, 0).generations) == 0


def test_one_generation_shows_no_equality() -> None:
    calm = np.zeros((1, 3, 1))
    long = np.zeros((200, 3, 1))
    assert judge(log_change(calm, 0, long, 0), 0.5) == UNDECIDED
    assert judge(log_change(long, 0, long, 0), 0.05) == NO_PRACTICAL_DIFFERENCE


@pytest.mark.parametrize(
    ("share", "prior", "counts"), [(0.03, START_UP_PRIOR, (3, 4)), (0.015, MEMORY_PRIOR, (2, 3))]
)
def test_means_cover(share: float, prior: float, counts: tuple[int, int]) -> None:
    draw = np.random.default_rng(0)
    held = []
    for _ in range(2000):
        before, after = (7.0 * (1 + share * draw.standard_normal(count)) for count in counts)
        estimate = log_mean_change(before, after, prior)
        held.append(abs(float(estimate.centre)) <= float(estimate.half_width()))
    assert np.mean(held) >= 0.95
