"""Every way in which a worker may end, and what is told of it."""

import os
import signal
import threading

import pytest

from numpy_contestants import job_arguments, numpy_entry
from stub_worker import alive, failure_of, prepared
from trivet.launch.worker import WorkerFailed
from trivet_worker.protocol import FAILED, OUT_OF_MEMORY, TIMED_OUT


class TestEnds:
    def test_killed(self, staged, start):
        worker = prepared(start(staged), "plain")
        timer = threading.Timer(0.3, os.kill, (worker.pid, signal.SIGKILL))
        timer.start()
        failure = failure_of(worker, "run", steps=100_000_000)
        assert failure.kind == FAILED
        assert "SIGKILL" in failure.message
        assert not alive(worker.pid)

    def test_killed_while_the_kernel_was_killing_for_memory(self, staged, start, monkeypatch):
        worker = prepared(start(staged))
        monkeypatch.setattr("trivet.launch.obituary.out_of_memory_kills", lambda: 10**9)
        os.kill(worker.pid, signal.SIGKILL)
        assert failure_of(worker, "run", steps=1).kind == OUT_OF_MEMORY

    def test_segmentation_fault(self, staged, start):
        failure = failure_of(
            start(staged), "prepare", **job_arguments(numpy_entry("numpy:crash", crash_at_step=1), 0.0)
        )
        assert failure.kind == FAILED
        assert "segmentation fault" in failure.message
        assert "faults.py" in failure.traceback

    def test_exit_without_a_word(self, staged, start):
        failure = failure_of(
            start(staged), "prepare", **job_arguments(numpy_entry("numpy:ended", exit_at_step=1), 0.0)
        )
        assert "exit code 0" in failure.message

    def test_memory_runs_out(self, staged, start):
        failure = failure_of(
            start(staged), "prepare", **job_arguments(numpy_entry("numpy:greedy", greedy_at_step=1), 0.0)
        )
        assert failure.kind == OUT_OF_MEMORY

    def test_memory_runs_out_in_native_code(self, stub, start):
        worker = start(
            stub("""
            for request in requests():
                os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\\n")
                os.abort()
            """)
        )
        assert failure_of(worker, "run").kind == OUT_OF_MEMORY

    def test_hanging(self, staged, start):
        worker = start(staged)
        failure = failure_of(
            worker, "prepare", 1.5, **job_arguments(numpy_entry("numpy:hang", hang_at_step=1), 0.0)
        )
        assert failure.kind == TIMED_OUT
        assert "within 1.5 s" in failure.message
        assert not alive(worker.pid)

    def test_after_its_end_it_says_so(self, stub, start):
        worker = start(stub("sys.exit('no licence')"))
        assert "no licence" in failure_of(worker, "prepare").message
        assert "had ended" in failure_of(worker, "run").message

    def test_only_its_own_last_words_are_told(self, stub, start):
        failure_of(start(stub("sys.exit('old story')")), "run")
        failure = failure_of(start(stub("sys.exit(3)")), "run")
        assert "old story" not in failure.message + failure.traceback
        assert "exit code 3" in failure.message

    def test_an_interpreter_that_is_not_there(self, staged, start):
        with pytest.raises(WorkerFailed, match="could not be started: /no/such/python: No such file"):
            start(staged, python="/no/such/python")

    def test_an_interpreter_that_is_none(self, staged, start):
        worker = start(staged, python="/bin/false")
        assert "exit code 1" in failure_of(worker, "prepare").message

    def test_a_cpu_that_is_not_there(self, staged, start):
        with pytest.raises(WorkerFailed, match="could not be started"):
            start(staged, cpus=(4095,))

    def test_a_worker_that_ignores_stop_is_killed(self, stub, start):
        worker = start(stub("for request in requests(): pass\ntime.sleep(600)"))
        worker.stop(0.3)
        assert not alive(worker.pid)
