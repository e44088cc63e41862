"""How well trivet's intervals cover and how its verdicts err, by simulation with known truths.

Prints the tables that `docs/intervals.md` holds. It runs the code of `trivet.stats` on the made-up times of
`tests/simulated_times.py`; `tests/unit/stats/test_coverage.py` is the same in small. About two minutes on one core::

    python benchmarks/intervals/coverage.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from simulated_times import SCENARIOS, Array, simulate
from trivet.stats.between import log_change
from trivet.stats.interval import START_UP_PRIOR, log_ratio, log_speed, mean_interval
from trivet.stats.stopping import FEWEST_GENERATIONS, NARROW, STOPPING_CONFIDENCE

SETS = 10_000
EDGE = np.log(1.05)
GENERATIONS = (1, 2, 3, 4, 5, 6, 8, 10)


def main() -> None:
    """Print all tables."""
    coverage("Ratio of two contestants", ratio)
    rejected()
    coverage("A contestant's speed by itself", speed)
    between_runs()
    start_up()
    verdicts()
    false_faster()
    stopping()


def ratio(times: Array, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return centre and half-width of the log ratio of two equal contestants, (sets,) each."""
    estimate = log_ratio(times, 0, 1)
    return estimate.centre, estimate.half_width(confidence)


def speed(times: Array) -> tuple[Array, Array]:
    """Return centre and half-width of a log speed whose truth is 0, (sets,) each."""
    estimate = log_speed(times, 0)
    return estimate.centre, estimate.half_width()


def coverage(title: str, method: Callable[[Array], tuple[Array, Array]]) -> None:
    """Print coverage and median half-width by scenario and generations."""

    def cell(times: Array) -> str:
        centre, half = method(times)
        return f"{100 * (np.abs(centre) <= half).mean():.0f} / {100 * np.median(half):.1f}"

    by_scenario(f"{title}: coverage in % / median half-width in %", cell)


def by_scenario(title: str, cell: Callable[[Array], str]) -> None:
    """Print a table of what is said of the times of each scenario, by generations."""
    print(f"\n### {title}\n")
    print(row("scenario", [f"G={count}" for count in GENERATIONS]))
    print(row("---", ["---:"] * len(GENERATIONS)))
    for name, scenario in SCENARIOS.items():
        print(row(name, [cell(simulate(scenario, generations=count, sets=SETS)) for count in GENERATIONS]))


def rejected() -> None:
    """Print how methods that are often used do on the base scenario."""
    print("\n### Methods not taken, base: coverage in % / median half-width in %\n")
    counts = (3, 4, 6, 10)
    print(row("method", [f"G={count}" for count in counts]))
    print(row("---", ["---:"] * len(counts)))
    methods = {
        "t over generations, no prior": plain_t,
        "percentile bootstrap over generations": bootstrap,
        "t over all rounds": rounds_as_replicates,
    }
    for name, method in methods.items():
        cells = []
        for count in counts:
            centre, half = method(simulate(SCENARIOS["base"], generations=count, sets=SETS))
            cells.append(f"{100 * (np.abs(centre) <= half).mean():.0f} / {100 * np.median(half):.1f}")
        print(row(name, cells))
    times = simulate(SCENARIOS["base"], generations=8, sets=SETS)
    used = np.zeros(len(times), dtype=bool)
    covered = np.zeros(len(times), dtype=bool)
    for count in range(FEWEST_GENERATIONS, 9):
        centre, half = plain_t(times[:, :count])
        fresh = ((half < NARROW) | (count == 8)) & ~used
        covered[fresh] = (np.abs(centre) <= half)[fresh]
        used |= fresh
    print(f"\nWithout prior, stopped as soon as the half-width is under 3 %: {100 * covered.mean():.0f} %.")


def plain_t(times: Array) -> tuple[Array, Array]:
    """Return centre and half-width of the t-interval over generation medians."""
    return t_interval(np.median(times[..., 1] - times[..., 0], axis=-1))


def rounds_as_replicates(times: Array) -> tuple[Array, Array]:
    """Return centre and half-width of the t-interval over all rounds, as if each were a fresh process."""
    return t_interval((times[..., 1] - times[..., 0]).reshape(len(times), -1))


def t_interval(values: Array) -> tuple[Array, Array]:
    """Return mean and half-width over the last axis."""
    count = values.shape[-1]
    reach = stdtrit(count - 1, 0.975)
    return values.mean(axis=-1), reach * values.std(axis=-1, ddof=1) / np.sqrt(count)


def bootstrap(times: Array) -> tuple[Array, Array]:
    """Return centre and half-width of a percentile bootstrap over generation medians."""
    centres = np.median(times[..., 1] - times[..., 0], axis=-1)
    picks = np.random.default_rng(1).integers(0, centres.shape[1], (400, centres.shape[1]))
    low, high = np.quantile(centres[:, picks].mean(axis=-1), [0.025, 0.975], axis=1)
    return (low + high) / 2, (high - low) / 2


def between_runs() -> None:
    """Print how well the interval of a change between two runs covers, whose processes are all different."""
    shapes = ((1, 1), (3, 3), (4, 4), (6, 6), (10, 10), (3, 8))
    print("\n### A contestant in two runs: coverage in % / median half-width in %\n")
    print(row("scenario", [f"G={old} and {new}" for old, new in shapes]))
    print(row("---", ["---:"] * len(shapes)))
    for name, scenario in SCENARIOS.items():
        cells = []
        for old, new in shapes:
            before = simulate(scenario, generations=old, sets=SETS, seed=1)
            estimate = log_change(before, 0, simulate(scenario, generations=new, sets=SETS, seed=2), 0)
            half = estimate.half_width()
            cells.append(
                f"{100 * (np.abs(estimate.centre) <= half).mean():.0f} / {100 * np.median(half):.1f}"
            )
        print(row(name, cells))


def start_up() -> None:
    """Print the coverage of start-up times over warm generations, whose true mean is 1."""
    draw = np.random.default_rng(0)
    print("\n### Start-up over n warm processes: coverage in %, by spread between processes\n")
    counts = (2, 3, 4, 5, 8)
    print(row("spread", [f"n={count}" for count in counts]))
    print(row("---", ["---:"] * len(counts)))
    for spread in (0.01, 0.03, 0.06):
        cells = []
        for count in counts:
            found = [mean_interval(one, START_UP_PRIOR) for one in draw.normal(1, spread, (2000, count))]
            cells.append(f"{100 * np.mean([low <= 1 <= high for _, low, high in found]):.0f}")
        print(row(f"{100 * spread:.0f} %", cells))


def verdicts() -> None:
    """Print how often the truly faster contestant is named, and how often equals are seen to be equal."""
    truths = (1.00, 1.03, 1.05, 1.07, 1.10, 1.15, 1.20, 1.30)
    print(
        "\n### *Faster* in % of runs by true ratio, and *no practical difference* at 1.00; base, margin 5 %\n"
    )
    print(row("generations", [*(f"{truth:.2f}" for truth in truths), "same"]))
    print(row("---", ["---:"] * (len(truths) + 1)))
    for count in GENERATIONS:
        centre, half = ratio(simulate(SCENARIOS["base"], generations=count, sets=SETS))
        named = [
            max(
                (centre + np.log(truth) - half > EDGE).mean(),
                # Which of two equals is named does not matter, so both directions count there.
                (centre - np.log(truth) + half < -EDGE).mean(),
            )
            for truth in truths
        ]
        same = (np.abs(centre) + half <= EDGE).mean() if count > 1 else 0.0
        print(row(str(count), [*(f"{100 * share:.1f}" for share in named), f"{100 * same:.0f}"]))


def false_faster() -> None:
    """Print how often one of two equals is named, in either direction, on every kind of machine."""

    def cell(times: Array) -> str:
        centre, half = ratio(times)
        return f"{100 * (np.abs(centre) - half > EDGE).mean():.1f}"

    by_scenario("*Faster* in % of runs though both are equal, margin 5 %", cell)


def stopping() -> None:
    """Print coverage and generations used where a run stops by the rule, at least 3 and at most 8."""
    truths = (1.00, 1.03, 1.05, 1.07, 1.10, 1.15, 1.20, 1.50)
    print("\n### With the stop rule, 3 to 8 generations: coverage in % / mean generations used\n")
    print(row("scenario", [f"{truth:.2f}" for truth in truths]))
    print(row("---", ["---:"] * len(truths)))
    for name in ("base", "rough", "wild", "two kernels", "odd one out"):
        times = simulate(SCENARIOS[name], generations=8, sets=SETS)
        print(row(name, [stopped(times, truth) for truth in truths]))


def stopped(times: Array, truth: float) -> str:
    """Return coverage and generations used at a true ratio."""
    most = times.shape[1]
    used = np.zeros(len(times))
    covered = np.zeros(len(times), dtype=bool)
    for count in range(FEWEST_GENERATIONS, most + 1):
        centre, wide = ratio(times[:, :count], STOPPING_CONFIDENCE)
        _, half = ratio(times[:, :count])
        seen = np.abs(centre + np.log(truth))
        settled = (seen - wide > EDGE) | (seen + wide <= EDGE) | (half < NARROW) | (count == most)
        fresh = settled & (used == 0)
        used[fresh] = count
        covered[fresh] = (np.abs(centre) <= half)[fresh]
    return f"{100 * covered.mean():.1f} / {used.mean():.1f}"


def row(head: str, cells: list[str]) -> str:
    """Return a line of a Markdown table."""
    return f"| {' | '.join([head, *cells])} |"


if __name__ == "__main__":
    main()
