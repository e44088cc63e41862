import pytest

from trivet.parity.tracing import AT_A_TIME, shares


@pytest.mark.parametrize("cpus", [(0, 1), (2, 3, 7), tuple(range(64))])
def test_traces_at_a_time_share_no_cpu(cpus):
    masks = shares(cpus)
    assert len(masks) == AT_A_TIME
    assert sorted(cpu for mask in masks for cpu in mask) == sorted(cpus)
    assert all(masks)


@pytest.mark.parametrize("cpus", [(), (5,)])
def test_too_few_cpus_are_shared_whole(cpus):
    assert shares(cpus) == [cpus] * AT_A_TIME
