"""Processes that are stopped for a while, and go on."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from small_disk import fill, small_disk
from stub_worker import LIMIT, TESTS, prepared
from trivet.errors import DiskError
from trivet.measure.guard import Guard


class TestStandingStill:
    def test_a_worker_that_is_stopped_alone_is_seen(self, staged, start):
        guard = Guard((min(os.sched_getaffinity(0)),))
        worker = prepared(start(staged))
        window = guard.open(worker.pid)
        os.kill(worker.pid, signal.SIGSTOP)
        timer = threading.Timer(0.8, os.kill, (worker.pid, signal.SIGCONT))
        timer.start()
        worker.call("run", {"steps": 1}, seconds=LIMIT)
        found = guard.close(window, worker.pid)
        assert found.foreign_share is not None
        assert found.foreign_share > 0.5
        assert not found.clean

    def test_it_is_seen_where_no_counters_can_be_read(self, staged, start):
        guard = Guard(())
        worker = prepared(start(staged))
        window = guard.open(worker.pid)
        assert guard.close(window, worker.pid).clean
        window = guard.open(worker.pid)
        os.kill(worker.pid, signal.SIGSTOP)
        time.sleep(0.3)
        os.kill(worker.pid, signal.SIGCONT)
        assert not guard.close(window, worker.pid).clean

    def test_time_in_which_both_stood_still_tries_nobodys_patience(self, stub, tmp_path):
        code = textwrap.dedent(f"""
        import sys
        from pathlib import Path
        sys.path.insert(0, {str(TESTS)!r})
        from numpy_contestants import numpy_entry, this_environment
        from trivet.launch.stage import Staged
        from trivet.launch.worker import Worker
        folder = Path({str(tmp_path)!r})
        with Worker.start(
            this_environment(), numpy_entry().framework,
            Staged(folder=Path({str(stub("for request in requests(): time.sleep(0.5); answer(request)").folder)!r}),
                   digest=""),
            folder=folder, log=folder / "log.txt",
        ) as worker:
            worker.call("hello", seconds=30)
            print(worker.pid, flush=True)
            worker.call("work", seconds=2.0)
            print("answered", flush=True)
        """)
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            pids = (process.pid, int(process.stdout.readline()))
            time.sleep(0.2)
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
            time.sleep(2.5)
            os.kill(pids[0], signal.SIGCONT)
            time.sleep(0.1)
            os.kill(pids[1], signal.SIGCONT)
            assert process.stdout.readline() == "answered\n"


class TestFullDisk:
    def test_a_worker_that_fails_on_a_full_disk_is_not_to_blame(self, stub, start, tmp_path):
        with small_disk(tmp_path / "work", "1m"):
            worker = start(
                stub("""
                for request in requests():
                    with open("much", "wb") as file:
                        file.write(bytes(10_000_000))
                """)
            )
            with pytest.raises(DiskError, match="work cannot be written: No space left on device"):
                worker.call("write", seconds=LIMIT)
            worker.kill()

    def test_no_worker_is_started_where_its_log_cannot_be(self, stub, start, tmp_path):
        with small_disk(tmp_path / "logs", "1m") as logs:
            fill(logs)
            (logs / "log.txt").mkdir()
            with pytest.raises(DiskError, match=r"log\.txt cannot be written: Is a directory"):
                start(stub(""))
