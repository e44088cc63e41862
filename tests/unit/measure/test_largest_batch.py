import sys
import time
from pathlib import Path

import pytest

from numpy_contestants import numpy_entry, numpy_staged
from trivet.measure import largest_batch
from trivet.measure.entry import Setting
from trivet.measure.largest_batch import LARGEST, RESOLUTION, memory_limit, next_batch, try_batch
from trivet.model.measurement import MEASURED, BatchAttempt
from trivet_worker.protocol import OUT_OF_MEMORY, TIMED_OUT


def search(start: int, fits: int) -> list[BatchAttempt]:
    """Search where batches up to `fits` train."""
    attempts: list[BatchAttempt] = []
    while (batch := next_batch(start, attempts)) is not None:
        outcome = MEASURED if batch <= fits else OUT_OF_MEMORY
        attempts.append(BatchAttempt(batch=batch, outcome=outcome, message="", peak_bytes=1, limit_bytes=1))
        assert len(attempts) < 100
    return attempts


@pytest.mark.parametrize("start", [1, 8, 32, 256])
@pytest.mark.parametrize("fits", [1, 2, 3, 7, 8, 31, 100, 1000, 123_456])
def test_the_search_closes_in_on_the_largest(start, fits):
    attempts = search(start, fits)
    value = max(one.batch for one in attempts if one.outcome == MEASURED)
    failed = min(one.batch for one in attempts if one.outcome == OUT_OF_MEMORY)
    assert value <= fits < failed
    assert failed - value <= max(1, RESOLUTION * value)
    assert len({one.batch for one in attempts}) == len(attempts), "a batch was tried twice"


def test_it_doubles_and_then_halves_the_gap():
    assert [one.batch for one in search(8, 100)] == [8, 16, 32, 64, 128, 96, 112, 104]


def test_nothing_may_fit_and_everything_may():
    assert [one.batch for one in search(8, 0)] == [8, 4, 2, 1]
    assert search(8, 10**9)[-1].batch == LARGEST


def test_another_failure_ends_the_search():
    slow = BatchAttempt(batch=16, outcome=TIMED_OUT, message="", peak_bytes=None, limit_bytes=1)
    assert next_batch(8, [slow]) is None


def test_the_limit_leaves_the_machine_some(monkeypatch):
    class Memory:
        available = 1000

    monkeypatch.setattr(largest_batch.psutil, "virtual_memory", Memory)
    monkeypatch.setattr(largest_batch.limits, "memory_limit_bytes", lambda: None)
    assert memory_limit("cpu", None) == 800
    monkeypatch.setattr(largest_batch.limits, "memory_limit_bytes", lambda: 500)
    assert memory_limit("cpu", None) == 400
    assert memory_limit("cuda", 80) == 80
    assert memory_limit("cuda", None) is None


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    return numpy_staged(tmp_path_factory.mktemp("staged"))


@pytest.fixture
def setting(staged, tmp_path: Path) -> Setting:
    return Setting(
        workload="mlp-batch",
        number=0,
        staged=staged,
        cpus=(),
        run=tmp_path / "run",
        caches=tmp_path / "caches",
        scratch=tmp_path / "scratch",
        began=time.monotonic(),
    )


@pytest.mark.skipif(sys.platform != "linux", reason="needs prlimit")
def test_a_process_is_held_to_its_limit_and_says_that_memory_ran_out(setting):
    limit = 2**29
    small = try_batch(numpy_entry(), setting, 64, limit)
    assert (small.outcome, small.message, small.limit_bytes) == (MEASURED, "", limit)
    assert 2**20 < small.peak_bytes < limit
    large = try_batch(numpy_entry(), setting, 2**22, limit)  # half a GiB of inputs alone
    assert (large.outcome, large.peak_bytes) == (OUT_OF_MEMORY, None)
    assert "allocate" in large.message


def test_a_contestant_that_dies_is_no_sign_of_memory(setting):
    attempt = try_batch(numpy_entry("numpy:crash", crash_at_step=1), setting, 64, 2**30)
    assert attempt.outcome == "failed"
    assert "SIGSEGV" in attempt.message
