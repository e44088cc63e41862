import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from trivet_worker import memory

STATUS = "Name:\tpython\nVmPeak:\t  900 kB\nVmHWM:\t  123 kB\nVmRSS:\t   99 kB\n"


def test_the_high_water_mark_is_read_in_bytes():
    assert memory.parse_high_water_mark(STATUS) == 123 * 1024


def test_a_zombie_has_none():
    assert memory.parse_high_water_mark("Name:\tpython\nState:\tZ (zombie)\n") is None


def test_the_peak_stays_after_memory_is_given_back():
    before = memory.peak_bytes()
    np.ones(before, np.uint8)
    assert memory.peak_bytes() >= before + (1 << 20)


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs Linux")
def test_a_peak_can_be_forgotten():
    np.ones(memory.peak_bytes(), np.uint8)
    before = memory.peak_bytes()
    memory.forget_peak()
    assert memory.peak_bytes() < before


def test_a_process_that_is_gone_has_no_peak():
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert memory.peak_bytes(gone.pid) is None


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_children_of_children_are_listed():
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True); input()'])"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        child.stdout.readline()
        found = memory.descendants_peaks()
        child.stdin.write("\n")
    names = [name for name, _ in found]
    assert len(names) >= 2
    assert all(peak > 1 << 20 for name, peak in found if name.startswith("python"))
