from pathlib import Path

import pytest

from trivet.measure.limits import cpu_quota, memory_limit_bytes


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def groups(tmp_path: Path) -> Path:
    return tmp_path / "cgroup"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


def test_version_2_the_tightest_of_all_levels_holds(groups, own):
    write(own, "0::/batch/job\n")
    write(groups / "batch" / "job" / "cpu.max", "max 100000\n")
    write(groups / "batch" / "job" / "memory.max", "max\n")
    write(groups / "batch" / "cpu.max", "250000 100000\n")
    write(groups / "batch" / "memory.max", "1000\n")
    assert cpu_quota(groups, own) == 2.5
    assert memory_limit_bytes(groups, own) == 1000


def test_version_1(groups, own):
    write(own, "9:name=systemd:/\n5:cpu,cpuacct:/job\n4:memory:/job\n")
    write(groups / "cpu,cpuacct" / "job" / "cpu.cfs_quota_us", "150000\n")
    write(groups / "cpu,cpuacct" / "job" / "cpu.cfs_period_us", "100000\n")
    write(groups / "memory" / "job" / "memory.limit_in_bytes", "2000\n")
    assert cpu_quota(groups, own) == 1.5
    assert memory_limit_bytes(groups, own) == 2000


def test_version_1_unlimited(groups, own):
    write(own, "5:cpu:/\n4:memory:/\n")
    write(groups / "cpu" / "cpu.cfs_quota_us", "-1\n")
    write(groups / "cpu" / "cpu.cfs_period_us", "100000\n")
    write(groups / "memory" / "memory.limit_in_bytes", "9223372036854771712\n")
    assert cpu_quota(groups, own) is None
    assert memory_limit_bytes(groups, own) is None


def test_within_a_container_only_the_mount_may_be_there(groups, own):
    write(own, "0::/kubepods/pod1\n")
    write(groups / "cpu.max", "50000 100000\n")
    assert cpu_quota(groups, own) == 0.5


def test_without_control_groups_there_is_no_limit(groups, own):
    assert cpu_quota(groups, own) is None
    assert memory_limit_bytes(groups, own) is None
