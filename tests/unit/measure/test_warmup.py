from collections.abc import Iterable

import pytest

from trivet.measure.warmup import LONGEST_SECONDS, steps_per_slice, warm_up


class Contestant:
    """Takes steps that last as a script says, on a clock of its own."""

    def __init__(self, step_seconds: Iterable[float]) -> None:
        self.step_seconds = iter(step_seconds)
        self.now = 0.0
        self.blocks: list[int] = []

    def run(self, steps: int) -> float:
        seconds = steps * next(self.step_seconds)
        self.blocks.append(steps)
        self.now += seconds
        return seconds

    def clock(self) -> float:
        return self.now


def test_it_ends_when_two_successive_blocks_agree():
    contestant = Contestant([0.02, 0.012, 0.0101, 0.01])
    found = warm_up(contestant.run, 0.02, contestant.clock)
    assert found.settled
    assert found.step_seconds == 0.01
    assert len(contestant.blocks) == 4


def test_blocks_take_about_as_long_however_fast_a_step_is():
    contestant = Contestant([0.001, 0.001])
    warm_up(contestant.run, 0.1, contestant.clock)
    assert contestant.blocks == [4, 400]


def test_a_slow_step_is_a_block():
    contestant = Contestant([2.0, 2.05])
    assert warm_up(contestant.run, 3.0, contestant.clock).settled
    assert contestant.blocks == [1, 1]


def test_it_gives_up_and_says_so():
    contestant = Contestant(1.0 if number % 2 else 1.5 for number in range(100))
    found = warm_up(contestant.run, 1.5, contestant.clock)
    assert not found.settled
    assert LONGEST_SECONDS <= contestant.now < LONGEST_SECONDS + 1.5


def test_the_fastest_block_counts_so_that_a_disturbance_makes_no_short_slices():
    contestant = Contestant([0.01, 0.2, 0.2])
    assert warm_up(contestant.run, 0.02, contestant.clock).step_seconds == 0.01


@pytest.mark.parametrize(("step", "steps"), [(0.01, 110), (0.3, 4), (0.4, 3), (5.0, 3), (0.0, 1_100_000_000)])
def test_steps_per_slice(step, steps):
    assert steps_per_slice(step) == steps
