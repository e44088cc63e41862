import pytest

from trivet.launch.patience import GLANCE_SECONDS, Patience


def test_it_ends_when_the_time_is_over():
    now = 100.0
    patience = Patience(1.2, clock=lambda: now)
    assert patience.left() == GLANCE_SECONDS
    now += 0.4
    assert patience.left() == GLANCE_SECONDS
    now += 0.5
    assert patience.left() == pytest.approx(0.3)
    now += 0.3
    assert patience.left() <= 1e-9


def test_time_in_which_nobody_looked_hardly_counts():
    now = 100.0
    patience = Patience(10.0, clock=lambda: now)
    now += 3600.0
    for _ in range(5):
        assert patience.left() == GLANCE_SECONDS
        now += GLANCE_SECONDS
