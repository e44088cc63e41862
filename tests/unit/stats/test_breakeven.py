import pytest

from trivet.stats.breakeven import break_even


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
