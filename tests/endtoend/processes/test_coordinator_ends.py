"""The coordinator's end is the workers' end."""

import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from stub_worker import GONE_SECONDS, PARENT, TESTS, alive, gone, prepared


class TestCoordinatorEnds:
    COORDINATOR = """
    import sys, time
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from numpy_contestants import numpy_entry, this_environment
    from trivet.launch.stage import Staged
    from trivet.launch.worker import Worker
    folder = Path({folder!r})
    worker = Worker.start(
        this_environment(), numpy_entry().framework, Staged(folder=Path({stub!r}), digest=""),
        folder=folder, log=folder / "log.txt",
    )
    print(worker.pid, *worker.call("name", seconds=30)["children"], flush=True)
    {then}
    """

    def coordinator(self, stub, tmp_path: Path, then: str, worker: str) -> subprocess.Popen[bytes]:
        code = textwrap.dedent(self.COORDINATOR).format(
            tests=str(TESTS), folder=str(tmp_path), stub=str(stub(worker).folder), then=then
        )
        return subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    def test_by_a_signal_while_the_worker_hangs(self, stub, tmp_path, number):
        hangs = (
            PARENT + "        signal.pthread_sigmask(signal.SIG_BLOCK, {2, 15})\n        time.sleep(600)\n"
        )
        with self.coordinator(stub, tmp_path, "worker.call('run', seconds=600)", hangs) as process:
            assert process.stdout is not None
            pids = [int(word) for word in process.stdout.readline().split()]
            assert len(pids) == 4
            assert all(alive(pid) for pid in pids)
            process.send_signal(number)
            process.wait(GONE_SECONDS)
            assert gone(*pids)

    def test_of_its_own_accord_without_a_word_to_the_worker(self, stub, tmp_path):
        with self.coordinator(stub, tmp_path, "", PARENT) as process:
            assert process.stdout is not None
            pids = [int(word) for word in process.stdout.readline().split()]
            process.wait(GONE_SECONDS)
            assert gone(*pids)

    def test_the_real_worker_holds_on_by_itself_when_the_reaper_was_killed(self, staged, tmp_path):
        code = textwrap.dedent(f"""
        import sys, time
        from pathlib import Path
        sys.path.insert(0, {str(TESTS)!r})
        from numpy_contestants import numpy_entry, this_environment
        from trivet.launch import lifeline
        from trivet.launch.stage import Staged
        from trivet.launch.worker import Worker
        folder = Path({str(tmp_path)!r})
        worker = Worker.start(
            this_environment(), numpy_entry().framework, Staged(folder=Path({str(staged.folder)!r}), digest=""),
            folder=folder, log=folder / "log.txt",
        )
        worker.call("probe", {{"framework": "numpy", "precision": "float32", "device": "cpu"}}, seconds=30)
        lifeline._defences().reaper.kill()
        print(worker.pid, flush=True)
        time.sleep(600)
        """)
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            pid = int(process.stdout.readline())
            process.kill()
            process.wait(GONE_SECONDS)
            assert gone(pid)

    def test_the_first_workers_may_start_at_once(self, stub, tmp_path):
        stubbed = stub("for request in requests(): answer(request)")
        code = textwrap.dedent(f"""
        import gc, os, sys, threading, time
        from pathlib import Path
        import psutil
        sys.path.insert(0, {str(TESTS)!r})
        from numpy_contestants import numpy_entry, this_environment
        from trivet.launch.stage import Staged
        from trivet.launch.worker import Worker
        folder, stub = Path({str(tmp_path)!r}), Staged(folder=Path({str(stubbed.folder)!r}), digest="")
        entry, barrier, workers = numpy_entry(), threading.Barrier(4), []
        def begin():
            barrier.wait()
            workers.append(Worker.start(entry.environment, entry.framework, stub, folder=folder, log=folder / "log.txt"))
        threads = [threading.Thread(target=begin) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        gc.collect()
        time.sleep(0.5)
        for worker in workers: worker.call("hello", seconds=30)
        print(len(psutil.Process().children()))
        """)
        found = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
        )
        assert found.stderr == ""
        assert int(found.stdout) == 4 + 1  # and one reaper

    def test_a_worker_outlives_the_thread_that_asked_for_it(self, staged, start):
        found = []
        thread = threading.Thread(target=lambda: found.append(start(staged)))
        thread.start()
        thread.join()
        time.sleep(0.2)
        prepared(found[0])
