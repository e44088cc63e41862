import numpy as np
import pytest

from made_up import made_up_generation
from trivet.stats.interval import LogEstimate
from trivet.stats.samples import collect
from trivet.stats.verdict import compare, judge


def estimate(ratio: float, half: float, generations: int = 4) -> LogEstimate:
    """Return an estimate whose 95 % interval has the given half-width on the log scale."""
    narrow = LogEstimate(
        centre=np.log(ratio),
        variance=np.asarray(1.0),
        degrees=np.asarray(7),
        generations=np.asarray(generations),
    )
    scale = (half / float(narrow.half_width())) ** 2
    return LogEstimate(
        centre=narrow.centre,
        variance=np.asarray(scale),
        degrees=narrow.degrees,
        generations=narrow.generations,
    )


@pytest.mark.parametrize(
    ("ratio", "half", "verdict"),
    [
        (1.20, 0.05, "a_faster"),
        (1 / 1.20, 0.05, "b_faster"),
        (1.01, 0.03, "no_practical_difference"),
        (0.99, 0.03, "no_practical_difference"),
        (1.03, 0.03, "undecided"),
        (1.10, 0.06, "undecided"),
        (1.00, 0.06, "undecided"),
    ],
)
def test_the_whole_interval_decides(ratio: float, half: float, verdict: str) -> None:
    assert judge(estimate(ratio, half), 0.05) == verdict


def test_one_generation_never_shows_equality_but_may_show_a_large_difference() -> None:
    assert judge(estimate(1.0, 0.01, generations=1), 0.05) == "undecided"
    assert judge(estimate(1.5, 0.12, generations=1), 0.05) == "a_faster"


def test_one_generation_is_provisional_and_needs_about_eighteen_percent() -> None:
    def quick(ratio: float) -> tuple[str, bool]:
        generation = made_up_generation({"a:x": 10.0 * ratio, "b:x": 10.0}, process_sd=0, noise_sd=0)
        comparison = compare(collect([generation], ["a:x", "b:x"]), "a:x", "b:x", 0.05)
        assert comparison is not None
        return comparison.verdict, comparison.provisional

    assert quick(1.19) == ("a_faster", True)
    assert quick(1.16) == ("undecided", True)
    assert quick(1 / 1.19) == ("b_faster", True)


def test_ratio_is_throughput_of_a_over_b_with_each_generation_beside_it() -> None:
    speeds = {"a:x": 24.0, "b:x": 12.0}
    generations = [made_up_generation(speeds, number=number) for number in range(4)]
    comparison = compare(collect(generations, list(speeds)), "a:x", "b:x", 0.05)
    assert comparison is not None
    low, high = comparison.interval()
    assert low < 2.0 < high
    assert comparison.ratio == pytest.approx(float(np.exp(np.mean(np.log(comparison.generations)))))
    assert len(comparison.generations) == 4
    assert comparison.verdict == "a_faster"


def test_no_generation_in_common_is_no_comparison() -> None:
    samples = collect([made_up_generation({"a:x": 10.0})], ["a:x", "b:x"])
    assert compare(samples, "a:x", "b:x", 0.05) is None
