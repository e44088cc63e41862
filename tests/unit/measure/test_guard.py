import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trivet.measure import guard as guard_module
from trivet.measure.guard import (
    UNKNOWN,
    Counters,
    Disturbance,
    Guard,
    disturbance,
    parse_counters,
    tree_seconds,
)

STAT = """\
cpu  40 0 20 600 4 2 2 12 0 0
cpu0 10 0 10 300 2 1 1 6 3 0
cpu1 30 0 10 300 2 1 1 6 0 0
intr 12345 0 0
"""
TICKS = os.sysconf("SC_CLK_TCK")


def counters(at: float, idle: float, steal: float = 0.0, total: float | None = None) -> Counters:
    return Counters(at=at, idle=idle, steal=steal, total=at * 2 if total is None else total)


def test_counters_of_the_mask_alone_are_read():
    found = parse_counters(STAT, (1,), at=5.0)
    assert found == Counters(at=5.0, idle=302 / TICKS, steal=6 / TICKS, total=350 / TICKS)
    both = parse_counters(STAT, (0, 1), at=5.0)
    assert both is not None
    assert both.idle == pytest.approx(604 / TICKS)
    assert both.total == pytest.approx(680 / TICKS)  # guest time is in user already


def test_a_cpu_that_is_not_listed_cannot_be_judged():
    assert parse_counters(STAT, (0, 7), at=0.0) is None
    assert parse_counters("", (0,), at=0.0) is None


def test_others_are_what_is_neither_idle_nor_own():
    # one second on two CPUs: 0.3 idle, 1.5 by the worker, so 0.2 by others
    found = disturbance(counters(10, 1.0), counters(11, 1.3), own_seconds=1.5, cpus=2)
    assert found.foreign_share == pytest.approx(0.1)
    assert not found.clean


def test_rounding_below_zero_is_zero():
    found = disturbance(counters(10, 1.0), counters(11, 1.01), own_seconds=2.0, cpus=2)
    assert found.foreign_share == 0.0
    assert found.clean


@pytest.mark.parametrize(
    ("foreign", "steal", "clean"), [(0.039, 0.019, True), (0.041, 0.0, False), (0.03, 0.021, False)]
)
def test_both_limits_hold(foreign, steal, clean):
    assert Disturbance(foreign_share=foreign, steal_share=steal).clean is clean


def test_steal_is_foreign_and_told_apart():
    found = disturbance(counters(10, 1.0), counters(11, 1.0, steal=0.1), own_seconds=1.9, cpus=2)
    assert found.steal_share == pytest.approx(0.05)
    assert found.foreign_share == pytest.approx(0.05)


@pytest.mark.parametrize("counted", [0.0, 0.9, 4.0])
def test_counters_that_do_not_keep_pace_with_the_clock_are_not_believed(counted):
    before, after = counters(10, 0.0, total=7.0), counters(11, 0.0, total=7.0 + counted)
    assert disturbance(before, after, own_seconds=0.0, cpus=2) == UNKNOWN


def test_what_cannot_be_judged_counts_but_is_known_to_be_unknown():
    assert UNKNOWN.clean
    assert not UNKNOWN.known


def test_without_a_mask_nothing_is_known_and_nobody_waits():
    guard = Guard(())
    assert guard.close(guard.open(None), None) == UNKNOWN
    assert guard.wait_for_quiet(30)


def test_without_counters_nothing_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr(guard_module, "_PROC", tmp_path)
    guard = Guard((0,))
    assert guard.close(guard.open(None), None) == UNKNOWN


def test_waiting_for_quiet_ends(monkeypatch):
    monkeypatch.setattr(Guard, "close", lambda *_: Disturbance(foreign_share=0.5, steal_share=0.0))
    assert not Guard((0,)).wait_for_quiet(0.1)
    monkeypatch.setattr(Guard, "close", lambda *_: Disturbance(foreign_share=0.01, steal_share=0.0))
    assert Guard((0,)).wait_for_quiet(0.1)


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="reads the Linux kernel's counters")
class TestTreeOnThisMachine:
    def test_own_time_is_counted_finer_than_ticks(self):
        before, used_before = tree_seconds(os.getpid()), time.process_time()
        while time.process_time() - used_before < 0.004:
            pass
        assert 0.003 < tree_seconds(os.getpid()) - before < 1.0

    def test_time_of_children_counts_alive_and_collected(self):
        spin = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\nprint(flush=True)\n"
        before = tree_seconds(os.getpid())
        with subprocess.Popen(
            [sys.executable, "-c", spin.format(0.3) + "input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as child:
            child.stdout.readline()
            alive = tree_seconds(os.getpid()) - before
            child.stdin.write(b"\n")
        collected = tree_seconds(os.getpid()) - before
        assert alive >= 0.3
        assert collected >= 0.3

    def test_without_the_children_files_the_tree_is_still_found(self, monkeypatch):
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
            found = guard_module._tree(os.getpid())
            monkeypatch.setattr(guard_module.Path, "glob", lambda *_: [])
            assert child.pid in found
            assert child.pid in guard_module._tree(os.getpid())
            child.stdin.write(b"\n")

    def test_a_process_that_is_gone_has_no_time(self):
        with subprocess.Popen([sys.executable, "-c", ""]) as child:
            child.wait()
        assert tree_seconds(child.pid) == 0.0
