import os

import pytest

from trivet.errors import UsageError
from trivet.measure import cpus
from trivet.measure.cpus import choose, spread


@pytest.fixture
def machine(monkeypatch):
    """Four cores of two CPUs each, of which this process may use three and a half."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 4, 5, 6, 7}, raising=False)
    monkeypatch.setattr(cpus, "_siblings", lambda cpu: f"{cpu % 4},{cpu % 4 + 4}")
    monkeypatch.setattr(cpus, "cpu_quota", lambda: None)


@pytest.mark.usefixtures("machine")
class TestChoose:
    def test_default_is_one_for_each_core(self):
        assert choose(None) == (0, 1, 2, 7)

    def test_siblings_come_last(self):
        assert choose(2) == (0, 1)
        assert choose(5) == (0, 1, 2, 4, 7)
        assert choose(7) == (0, 1, 2, 4, 5, 6, 7)

    def test_more_than_there_are_is_refused_with_the_number(self):
        with pytest.raises(
            UsageError, match="--threads is 8, but this process may use only 7 CPUs"
        ) as caught:
            choose(8)
        assert "one per physical core (4)" in caught.value.remedy

    def test_a_containers_quota_bounds_the_default_only(self, monkeypatch):
        monkeypatch.setattr(cpus, "cpu_quota", lambda: 2.5)
        assert choose(None) == (0, 1)
        assert choose(3) == (0, 1, 2)
        monkeypatch.setattr(cpus, "cpu_quota", lambda: 0.5)
        assert choose(None) == (0,)


def test_where_there_are_no_masks_none_is_chosen(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert choose(None) == ()
    assert choose(3) == ()


def test_spread_puts_other_cores_first():
    assert spread([0, 1, 2, 3], ["0-1", "0-1", "2-3", "2-3"]) == ([0, 2, 1, 3], 2)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no masks here")
def test_this_machines_choice_is_allowed():
    chosen = choose(None)
    assert chosen
    assert set(chosen) <= os.sched_getaffinity(0)
