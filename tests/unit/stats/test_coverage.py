"""Does the interval cover, and are verdicts as rarely wrong as docs/intervals.md says? 2,000 data sets of known truth.

Each check is also given the wrong methods that it exists to keep out, and must refuse them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from simulated_times import SCENARIOS, Array, simulate
from trivet.stats import stopping
from trivet.stats.interval import LogEstimate, log_ratio, log_speed
from trivet.stats.stopping import FEWEST_GENERATIONS, NARROW, STOPPING_CONFIDENCE

MARGIN = 0.05
EDGE = np.log1p(MARGIN)
Method = Callable[[Array], tuple[Array, Array]]
"""Log step times (sets, G, R, P) -> centre and half-width of the 95 % interval of contestant 0 over 1, (sets,) each."""


def ours(log_seconds: Array) -> tuple[Array, Array]:
    estimate = log_ratio(log_seconds, 0, 1)
    return estimate.centre, estimate.half_width()


def alone(log_seconds: Array) -> tuple[Array, Array]:
    estimate = log_speed(log_seconds, 0)
    return estimate.centre, estimate.half_width()


def paired(log_seconds: Array) -> Array:
    return log_seconds[..., 1] - log_seconds[..., 0]


def rounds_as_replicates(log_seconds: Array) -> tuple[Array, Array]:
    every = paired(log_seconds).reshape(len(log_seconds), -1)
    count = every.shape[1]
    return every.mean(axis=1), stats.t.ppf(0.975, count - 1) * every.std(axis=1, ddof=1) / np.sqrt(count)


def percentile_bootstrap(log_seconds: Array) -> tuple[Array, Array]:
    centres = np.median(paired(log_seconds), axis=-1)
    draw = np.random.default_rng(1)
    picks = draw.integers(0, centres.shape[1], (400, centres.shape[1]))
    low, high = np.quantile(centres[:, picks].mean(axis=-1), [0.025, 0.975], axis=1)
    return (low + high) / 2, (high - low) / 2


def coverage(method: Method, scenario: str, generations: int, **shape: int) -> float:
    """Return the share of data sets whose interval holds the truth, 0."""
    centre, half = method(simulate(SCENARIOS[scenario], generations=generations, **shape))
    return float((np.abs(centre) <= half).mean())


def false_faster(method: Method, truth: float, generations: int, scenario: str = "base") -> float:
    """Return how often the faster one is named although the truth is within the margin, in the worse direction."""
    centre, half = method(simulate(SCENARIOS[scenario], generations=generations))
    up = (centre + np.log(truth) - half > EDGE).mean()
    down = (centre - np.log(truth) + half < -EDGE).mean()
    return float(max(up, down))


@pytest.mark.parametrize(
    ("scenario", "generations", "least"),
    [
        ("base", 3, 0.955),
        ("base", 4, 0.955),
        ("base", 6, 0.955),
        ("wild", 4, 0.93),
        ("two kernels", 4, 0.96),
        ("odd one out", 4, 0.91),
        ("bursts", 4, 0.955),
    ],
)
def test_ratio_interval_covers(scenario: str, generations: int, least: float) -> None:
    assert coverage(ours, scenario, generations) >= least


@pytest.mark.parametrize(
    ("wrong", "generations"),
    [(percentile_bootstrap, 4), (rounds_as_replicates, 3), (rounds_as_replicates, 6)],
)
def test_the_coverage_check_refuses_wrong_methods(wrong: Method, generations: int) -> None:
    assert coverage(wrong, "base", generations) < 0.955


@pytest.mark.parametrize("generations", [2, 3, 4, 6])
@pytest.mark.parametrize("contestants", [1, 3, 5])
def test_a_speed_by_itself_covers_though_the_machine_drifts(generations: int, contestants: int) -> None:
    assert coverage(alone, "base", generations, contestants=contestants) >= 0.93


def test_the_check_of_a_speed_refuses_rounds_as_replicates() -> None:
    def wrong(log_seconds: Array) -> tuple[Array, Array]:
        against_the_truth = np.stack([log_seconds[..., 0], np.zeros_like(log_seconds[..., 0])], axis=-1)
        return rounds_as_replicates(against_the_truth)

    assert coverage(wrong, "base", 3) < 0.93


@pytest.mark.parametrize("generations", [1, 3, 4, 6])
def test_equals_and_the_edge_are_seldom_called_faster(generations: int) -> None:
    assert false_faster(ours, 1.00, generations) <= 0.005
    assert false_faster(ours, 1.05, generations) <= 0.03


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_equals_are_seldom_called_faster_on_any_machine(scenario: str) -> None:
    assert false_faster(ours, 1.00, FEWEST_GENERATIONS, scenario) <= 0.01


@pytest.mark.parametrize("wrong", [percentile_bootstrap, rounds_as_replicates])
def test_that_check_refuses_wrong_methods_too(wrong: Method) -> None:
    assert false_faster(wrong, 1.00, FEWEST_GENERATIONS, "wild") > 0.01


@pytest.mark.parametrize("wrong", [percentile_bootstrap, rounds_as_replicates])
def test_the_edge_check_refuses_wrong_methods(wrong: Method) -> None:
    assert false_faster(wrong, 1.05, 4) > 0.03


def test_real_differences_are_named() -> None:
    assert false_faster(ours, 1.20, 3) >= 0.93
    assert false_faster(ours, 1.10, 6) >= 0.50


def stop_early(
    log_seconds: Array,
    truth: float,
    *,
    confidence: float = STOPPING_CONFIDENCE,
    narrow: float = NARROW,
    method: Callable[[Array], LogEstimate] = lambda data: log_ratio(data, 0, 1),
) -> float:
    """Return the coverage of the 95 % interval printed where the rule stops, at a true ratio.

    `trivet.stats.stopping.settled`, for all data sets at once (`test_the_rule_is_the_one_in_use` holds them together).
    """
    sets, most = log_seconds.shape[:2]
    stopped = np.zeros(sets, dtype=bool)
    covered = np.zeros(sets, dtype=bool)
    for generations in range(FEWEST_GENERATIONS, most + 1):
        estimate = method(log_seconds[:, :generations])
        now = _settled(estimate, truth, confidence, narrow) | (generations == most)
        fresh = now & ~stopped
        covered[fresh] = (np.abs(estimate.centre) <= estimate.half_width())[fresh]
        stopped |= now
    return float(covered.mean())


def _settled(estimate: LogEstimate, truth: float, confidence: float, narrow: float) -> Array:
    centre, half = estimate.centre + np.log(truth), estimate.half_width(confidence)
    decides = (np.abs(centre) - half > EDGE) | (np.abs(centre) + half <= EDGE)
    return decides | (estimate.half_width() < narrow)


def without_prior(log_seconds: Array) -> LogEstimate:
    centres = np.median(paired(log_seconds), axis=-1)
    count = centres.shape[1]
    return LogEstimate(
        centre=centres.mean(axis=1),
        variance=centres.var(axis=1, ddof=1),
        degrees=np.full(len(centres), count - 1),
        generations=np.full(len(centres), count),
    )


@pytest.fixture(scope="module")
def eight_generations() -> Array:
    return simulate(SCENARIOS["base"], generations=8)


@pytest.mark.parametrize(("truth", "least"), [(1.00, 0.945), (1.05, 0.945), (1.07, 0.935), (1.20, 0.945)])
def test_stopping_early_keeps_the_coverage(eight_generations: Array, truth: float, least: float) -> None:
    assert stop_early(eight_generations, truth) >= least


def test_the_stopping_check_refuses_the_printed_interval_as_the_rule(eight_generations: Array) -> None:
    assert stop_early(eight_generations, 1.05, confidence=0.95) < 0.945


def test_the_stopping_check_refuses_an_interval_without_prior(eight_generations: Array) -> None:
    assert stop_early(eight_generations, 2.0, confidence=1 - 1e-12, method=without_prior) < 0.935


def test_the_rule_is_the_one_in_use(eight_generations: Array) -> None:
    for truth in (1.0, 1.05, 1.12, 1.5):
        estimate = log_ratio(eight_generations[:200, :4], 0, 1)
        expected = _settled(estimate, truth, STOPPING_CONFIDENCE, NARROW)
        for number in range(200):
            one = LogEstimate(
                centre=estimate.centre[number] + np.log(truth),
                variance=estimate.variance[number],
                degrees=estimate.degrees[number],
                generations=estimate.generations[number],
            )
            assert stopping.settled(one, MARGIN) == expected[number]
