"""The noise guard beside real processes that make noise."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stub_worker import LIMIT, prepared
from trivet.measure.guard import Guard, tree_seconds


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="reads the Linux kernel's counters")
class TestGuard:
    SPIN = "import os, sys\nos.sched_setaffinity(0, {%d})\nprint(flush=True)\nwhile True: pass"

    def test_a_busy_neighbour_in_the_mask_is_foreign(self, staged, start):
        cpu = min(os.sched_getaffinity(0))
        guard = Guard((cpu,))
        worker = prepared(start(staged, cpus=(cpu,)))
        with subprocess.Popen([sys.executable, "-c", self.SPIN % cpu], stdout=subprocess.PIPE) as neighbour:
            try:
                assert neighbour.stdout is not None
                neighbour.stdout.readline()
                window = guard.open(worker.pid)
                worker.call("run", {"steps": 2000}, seconds=LIMIT)
                time.sleep(0.5)
                found = guard.close(window, worker.pid)
            finally:
                neighbour.kill()
        assert found.foreign_share is not None
        assert found.foreign_share > 0.2
        assert not found.clean

    def test_the_workers_own_children_are_not_foreign(self, stub, start):
        cpu = min(os.sched_getaffinity(0))
        guard = Guard((cpu,))
        worker = start(
            stub("""
            for request in requests():
                spinning = os.fork()
                if not spinning:
                    while True: pass
                answer(request)
            """),
            cpus=(cpu,),
        )
        worker.call("spin", seconds=LIMIT)
        own_before = tree_seconds(worker.pid)
        with_own, without = guard.open(worker.pid), guard.open(None)
        time.sleep(1.5)
        others, everybody = guard.close(with_own, worker.pid), guard.close(without, None)
        own_seconds = tree_seconds(worker.pid) - own_before
        assert others.foreign_share is not None
        assert everybody.foreign_share is not None
        # whoever else is busy on this machine is in both
        assert own_seconds > 0.05
        assert everybody.foreign_share - others.foreign_share == pytest.approx(own_seconds / 1.5, abs=0.1)

    def test_idle_residents_that_are_not_idle_are_foreign(self, stub, start):
        cpu = min(os.sched_getaffinity(0))
        busy = start(
            stub("for request in requests():\n    answer(request)\n    while True: pass"), cpus=(cpu,)
        )
        busy.call("spin", seconds=LIMIT)
        other = start(stub("for request in requests(): answer(request)"), cpus=(cpu,))
        other.call("hello", seconds=LIMIT)
        guard = Guard((cpu,))
        window = guard.open(other.pid)
        time.sleep(1.0)
        found = guard.close(window, other.pid)
        assert found.foreign_share is not None
        assert found.foreign_share > 0.2

    def test_a_worker_that_works_on_after_its_answer_is_waited_for(self, stub, start):
        guard = Guard((min(os.sched_getaffinity(0)),))
        worker = start(
            stub("""
            for request in requests():
                answer(request)
                until = time.monotonic() + (0.3 if request["verb"] == "a_while" else 60)
                while time.monotonic() < until: pass
            """)
        )
        worker.call("a_while", seconds=LIMIT)
        answered = time.monotonic()
        assert guard.wait_for_rest(worker.pid)
        assert time.monotonic() - answered > 0.25
        worker.call("for_long", seconds=LIMIT)
        assert not guard.wait_for_rest(worker.pid)
