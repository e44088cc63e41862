import math

import numpy as np
import pytest
from scipy import stats

from simulated_times import SCENARIOS, Scenario, simulate
from trivet.stats.interval import log_ratio, log_speed, mean_interval, median, process_sd


def by_hand(log_seconds: np.ndarray, a: int, b: int) -> tuple[float, float]:
    """Compute centre and half-width for complete data with plain loops, as docs/intervals.md has it."""
    generations, rounds, contestants = log_seconds.shape
    centres, deviations = [], []
    for generation in log_seconds:
        ratios = [one[b] - one[a] for one in generation]
        centres.append(float(np.median(ratios)))
        deviations.append(float(np.median([abs(ratio - centres[-1]) for ratio in ratios])))
    prior = 0.04**2 + 3.5 / rounds * (1 + 1.2 / rounds) * np.mean(deviations) ** 2
    if generations > 1:
        table = [
            [float(np.median(generation[:, p])) for p in range(contestants)] for generation in log_seconds
        ]
        squares = 0.0
        for g in range(generations):
            for p in range(contestants):
                row = np.mean(table[g])
                column = np.mean([table[k][p] for k in range(generations)])
                squares += (table[g][p] - row - column + np.mean(table)) ** 2
        prior = max(prior, (4 * prior + 2 * squares) / (4 + (generations - 1) * (contestants - 1)))
    centre = float(np.mean(centres))
    degrees = 4 + generations - 1
    variance = (4 * prior + sum((one - centre) ** 2 for one in centres)) / degrees
    return centre, float(stats.t.ppf(0.975, degrees)) * math.sqrt(variance / generations)


@pytest.mark.parametrize("scenario", ["base", "wild", "bursts"])
@pytest.mark.parametrize("generations", [1, 2, 3, 6])
@pytest.mark.parametrize("rounds", [3, 4])
def test_agrees_with_a_plain_computation(scenario: str, generations: int, rounds: int) -> None:
    data = simulate(SCENARIOS[scenario], generations=generations, rounds=rounds, sets=20)
    estimate = log_ratio(data, 1, 3)
    for number, one in enumerate(data):
        centre, half = by_hand(one, 1, 3)
        assert estimate.centre[number] == pytest.approx(centre)
        assert estimate.half_width()[number] == pytest.approx(half)


def test_one_generation_has_the_assumed_interval() -> None:
    steady = np.zeros((1, 3, 2))
    steady[..., 1] = math.log(2)
    estimate = log_ratio(steady, 0, 1)
    assert float(estimate.centre) == pytest.approx(math.log(2))
    assert float(estimate.half_width()) == pytest.approx(float(stats.t.ppf(0.975, 4)) * 0.04)


def test_unequal_rounds_use_what_both_have() -> None:
    data = simulate(SCENARIOS["calm"], generations=4, rounds=5, contestants=3, sets=1)[0]
    data[0, 3:, 0] = np.nan  # contestant 0 has three rounds in generation 0
    data[2, 0, 1] = np.nan
    estimate = log_ratio(data, 0, 1)
    assert int(estimate.generations) == 4
    paired = data[..., 1] - data[..., 0]
    expected = np.mean([np.median(one[np.isfinite(one)]) for one in paired])
    assert float(estimate.centre) == pytest.approx(expected)
    assert np.isfinite(estimate.half_width())


def test_a_generation_without_one_of_the_pair_is_left_out_for_that_pair_only() -> None:
    data = simulate(SCENARIOS["base"], generations=5, contestants=3, sets=1)[0]
    data[1, :, 0] = np.nan
    assert int(log_ratio(data, 0, 1).generations) == 4
    assert int(log_ratio(data, 1, 2).generations) == 5
    kept = np.delete(data, 1, axis=0)
    assert float(log_ratio(data, 0, 1).half_width()) == pytest.approx(
        float(log_ratio(kept, 0, 1).half_width())
    )


def test_a_contestant_that_left_early_changes_nothing_for_the_others() -> None:
    data = simulate(SCENARIOS["base"], generations=5, contestants=3, sets=1)[0]
    data[3:, :, 2] = np.nan
    assert float(log_ratio(data, 0, 1).half_width()) == pytest.approx(
        float(log_ratio(data[..., :2], 0, 1).half_width())
    )


def test_no_common_generation_leaves_nothing() -> None:
    data = np.zeros((2, 3, 2))
    data[0, :, 0] = np.nan
    data[1, :, 1] = np.nan
    assert int(log_ratio(data, 0, 1).generations) == 0


def test_an_unruly_run_raises_the_prior_and_a_steady_one_does_not_lower_it() -> None:
    steady = np.zeros((3, 3, 5))
    floor = float(stats.t.ppf(0.975, 6)) * math.sqrt(4 / 6 * 0.04**2 / 3)
    assert float(log_ratio(steady, 0, 1).half_width()) == pytest.approx(floor)
    unruly = steady.copy()
    unruly[..., 2:] += simulate(SCENARIOS["wild"], generations=3, contestants=3, sets=1)[0] * 2
    assert float(log_ratio(unruly, 0, 1).half_width()) > 1.2 * floor


def test_a_speed_by_itself() -> None:
    data = np.full((3, 3, 1), math.log(0.02))
    estimate = log_speed(data, 0)
    assert math.exp(float(estimate.centre)) == pytest.approx(50.0)
    assert float(estimate.half_width()) == pytest.approx(
        float(stats.t.ppf(0.975, 6)) * math.sqrt(4 / 6 * 0.04**2 / 3)
    )


def test_mean_interval() -> None:
    mean, low, high = mean_interval([2.0, 2.2, 2.4], 0.03)
    assert mean == pytest.approx(2.2)
    variance = (4 * (0.03 * 2.2) ** 2 + 0.08) / 6
    assert high - mean == pytest.approx(float(stats.t.ppf(0.975, 6)) * math.sqrt(variance / 3))
    assert low == pytest.approx(2 * mean - high)
    assert mean_interval([0.01, 9.0], 0.03)[1] == 0.0


def test_process_sd_is_that_of_a_ratio() -> None:
    data = simulate(Scenario(bursts=0), generations=400, contestants=5, sets=1)[0]
    assert process_sd(data) == pytest.approx(
        0.0435, abs=0.003
    )  # 4 % between processes, and noise left in medians
    assert process_sd(data[:1]) is None
    assert process_sd(data[..., :1]) is None


def test_median_without_missing_values() -> None:
    nan = np.nan
    values = np.array([[3.0, nan, 1.0, 2.0], [4.0, nan, 1.0, nan], [nan, nan, nan, nan]])
    np.testing.assert_array_equal(median(values), [2.0, 2.5, nan])


def test_process_sd_needs_two_generations_and_two_contestants() -> None:
    log_seconds = np.random.default_rng(0).normal(size=(4, 3, 2))
    assert process_sd(log_seconds) is not None
    assert process_sd(log_seconds[:1]) is None
    assert process_sd(log_seconds[..., :1]) is None
    assert process_sd(np.full((1, 3, 2), np.nan)) is None
