import pytest

from trivet.stats.breakeven import break_even, wall_seconds


def test_the_faster_makes_up_for_its_slower_start() -> None:
    items = break_even(start_a=8.7, start_b=0.5, throughput_b=1850.0, ratio=1980 / 1850)
    assert items is not None
    assert 8.7 + items / 1980 == pytest.approx(0.5 + items / 1850)


def test_it_is_the_same_whoever_is_named_first() -> None:
    forward = break_even(start_a=8.7, start_b=0.5, throughput_b=1850.0, ratio=1980 / 1850)
    backward = break_even(start_a=0.5, start_b=8.7, throughput_b=1980.0, ratio=1850 / 1980)
    assert forward == pytest.approx(backward)


def test_ahead_from_the_start() -> None:
    assert break_even(start_a=1.0, start_b=2.0, throughput_b=10.0, ratio=1.5) == 0.0
    assert break_even(start_a=2.0, start_b=1.0, throughput_b=10.0, ratio=0.5) == 0.0
    assert break_even(start_a=1.0, start_b=1.0, throughput_b=10.0, ratio=1.5) == 0.0


def test_equal_speeds_never_cross() -> None:
    assert break_even(start_a=1.0, start_b=2.0, throughput_b=10.0, ratio=1.0) is None


def test_in_wall_time_both_are_as_far() -> None:
    items = break_even(start_a=8.7, start_b=0.5, throughput_b=1850.0, ratio=1980 / 1850)
    ours = wall_seconds(items, start=8.7, throughput=1980.0)
    assert ours == pytest.approx(wall_seconds(items, start=0.5, throughput=1850.0))
    assert ours == pytest.approx(125.4, abs=0.1)


def test_never_and_from_the_start_are_so_in_wall_time_too() -> None:
    assert wall_seconds(None, start=1.0, throughput=10.0) is None
    assert wall_seconds(0.0, start=1.0, throughput=10.0) == 0.0
