"""Workers as real processes, and everything that may happen to them."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from numpy_contestants import job_arguments, numpy_entry, numpy_staged, this_environment
from trivet.launch import session
from trivet.launch.probe import probe
from trivet.launch.stage import Staged
from trivet.launch.worker import Worker, WorkerFailed
from trivet.measure.entry import Limits, Setting
from trivet.measure.generation import measure_generation
from trivet.measure.guard import Guard, tree_seconds
from trivet_worker.protocol import FAILED, OUT_OF_MEMORY, TIMED_OUT

TESTS = Path(__file__).parents[1]
LIMIT = 30.0
GONE_SECONDS = 10.0
"""Generous: what is to be gone is gone in well under two seconds, but this machine may be busy."""

STUB = """\
import json, os, signal, subprocess, sys, threading, time

def requests():
    for line in sys.stdin:
        yield json.loads(line)

def answer(request, **result):
    line = json.dumps({"trivet": 1, "id": request["id"], "event": "done", "result": result})
    print(line, flush=True)

def fork_child(*, new_session=False):
    child = os.fork()
    if not child:
        if new_session:
            os.setsid()
        while True:
            time.sleep(60)
    return child
"""
"""What stub workers begin with."""


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Staged:
    return numpy_staged(tmp_path_factory.mktemp("staged"))


@pytest.fixture
def stub(tmp_path: Path) -> Callable[[str], Staged]:
    """Return a function that makes a worker of a few lines."""

    def make(code: str) -> Staged:
        folder = tmp_path / "stub"
        (folder / "trivet_worker").mkdir(parents=True, exist_ok=True)
        (folder / "trivet_worker" / "bootstrap.py").write_text(STUB + textwrap.dedent(code))
        return Staged(folder=folder, digest="stub")

    return make


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Return a function that starts workers, all ended after the test."""
    framework = numpy_entry().framework
    with contextlib.ExitStack() as workers:

        def run(staged: Staged, *, own: bool = False, python: str = sys.executable, **options: Any) -> Worker:
            return workers.enter_context(
                Worker.start(
                    this_environment(own=own, python=python),
                    framework,
                    staged,
                    folder=tmp_path / "work",
                    log=tmp_path / "logs" / "log.txt",
                    **options,
                )
            )

        yield run


def prepared(worker: Worker, variant: str = "plain", **options: Any) -> Worker:
    worker.call(
        "prepare", job_arguments(numpy_entry(f"numpy:{variant}", **options), worker.started), seconds=LIMIT
    )
    return worker


def failure_of(worker: Worker, verb: str, seconds: float = LIMIT, **arguments: Any):
    with pytest.raises(WorkerFailed) as caught:
        worker.call(verb, arguments, seconds=seconds)
    return caught.value.failure


def gone(*pids: int) -> bool:
    """Say whether processes end within a while."""
    deadline = time.monotonic() + GONE_SECONDS
    while time.monotonic() < deadline:
        if not any(alive(pid) for pid in pids):
            return True
        time.sleep(0.02)
    return False


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class TestAnswers:
    def test_probe(self, staged):
        entry = numpy_entry()
        found = probe(entry.environment, entry.framework, device="cpu", staged=staged)
        assert found["versions"]["numpy"]
        assert found["devices"][0]["kind"] == "cpu"

    def test_probe_of_a_device_that_is_not_there(self, staged):
        entry = numpy_entry()
        with pytest.raises(WorkerFailed) as caught:
            probe(entry.environment, entry.framework, device="cuda", staged=staged)
        assert caught.value.failure.kind == "unsupported"

    def test_a_whole_life(self, staged, start):
        worker = start(staged)
        phases: list[str] = []
        found = worker.call(
            "prepare", job_arguments(numpy_entry(), worker.started), seconds=LIMIT, on_progress=phases.append
        )
        assert phases == ["import", "build", "compile", "first_step"]
        assert found["total_seconds"] > 0
        assert worker.call("run", {"steps": 3}, seconds=LIMIT)["seconds"] > 0
        assert worker.call("memory", seconds=LIMIT)["children"] == []
        worker.stop()
        assert not alive(worker.pid)
        worker.stop()
        worker.kill()

    def test_after_a_failed_request_the_worker_lives_on(self, staged, start):
        worker = start(staged)
        assert "send `prepare` first" in failure_of(worker, "run", steps=1).message
        prepared(worker)

    def test_two_at_once_do_not_meet(self, staged, start):
        found: dict[int, list[float]] = {}

        def life(seed: int) -> None:
            worker = prepared(start(staged))
            found[seed] = [worker.call("run", {"steps": seed}, seconds=LIMIT)["loss"] for _ in range(3)]

        threads = [threading.Thread(target=life, args=(seed,)) for seed in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 2
        assert found[1] != found[2]


class TestChannel:
    def test_a_framework_that_prints_all_the_time(self, staged, start):
        worker = prepared(start(staged), "garbage")
        assert worker.call("run", {"steps": 5}, seconds=LIMIT)["seconds"] > 0
        worker.stop()
        assert "garbage from C" in worker.log.read_text()

    def test_garbage_on_the_channel_itself_goes_to_the_log(self, stub, start):
        worker = start(
            stub("""
            os.write(1, b"Welcome to the wrapper\\n\\xff\\xfe no text\\n{}\\n[1, 2]\\n")
            os.write(1, b'{"trivet": 99, "id": 1, "event": "done", "result": {}}\\n')
            os.write(1, b'{"trivet": 1, "id": 77, "event": "done", "result": {"wrong": 1}}\\n')
            for request in requests():
                os.write(1, b"x" * 300_000 + b"\\n")
                answer(request, right=request["arguments"]["n"])
                os.write(1, b"no end of line")
                time.sleep(60)
            """)
        )
        assert worker.call("count", {"n": 3}, seconds=LIMIT) == {"right": 3}
        worker.kill()
        log = worker.log.read_bytes()
        for words in (
            b"Welcome to the wrapper",
            b"\xff\xfe no text",
            b'"trivet": 99',
            b'"id": 77',
            b"x" * 300_000,
            b"no end of line",
        ):
            assert words in log

    def test_a_large_request_to_a_worker_that_does_not_read_ends_in_time(self, stub, start):
        worker = start(stub("time.sleep(600)"))
        assert failure_of(worker, "load", seconds=0.5, much="x" * 1_000_000).kind == TIMED_OUT

    def test_a_large_request_and_answer_arrive_whole(self, stub, start):
        worker = start(stub("for request in requests(): answer(request, **request['arguments'])"))
        assert worker.call("echo", {"much": "x" * 1_000_000}, seconds=LIMIT) == {"much": "x" * 1_000_000}

    def test_a_closed_channel_is_not_the_end(self, stub, start):
        worker = start(stub("os.close(1); time.sleep(600)"))
        assert failure_of(worker, "run", seconds=0.5).kind == TIMED_OUT

    def test_an_answer_given_just_before_the_end_counts(self, stub, start):
        worker = start(stub("for request in requests(): answer(request, last=True); os._exit(1)"))
        assert worker.call("run", seconds=LIMIT) == {"last": True}


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


class TestNothingStaysBehind:
    CHILDREN = """
    children = [fork_child(), fork_child(new_session=True)]
    children.append(subprocess.Popen(["sleep", "600"], env={}).pid)
    for request in requests():
        answer(request, children=children)
        if request["verb"] == "leave":
            os._exit(0)
    """

    def test_children_keep_the_pipe_open_and_the_end_is_seen_all_the_same(self, stub, start):
        worker = start(stub(self.CHILDREN))
        children = worker.call("leave", seconds=LIMIT)["children"]
        failure = failure_of(worker, "run", seconds=LIMIT)
        assert "exit code 0" in failure.message
        assert gone(*children)

    @pytest.mark.parametrize("end", [lambda worker: worker.stop(1.0), Worker.kill], ids=["stop", "kill"])
    def test_children_end_with_it(self, stub, start, end):
        worker = start(stub(self.CHILDREN))
        children = worker.call("name", seconds=LIMIT)["children"]
        assert all(alive(child) for child in children)
        end(worker)
        assert gone(worker.pid, *children)

    def test_children_end_when_it_takes_too_long(self, stub, start):
        worker = start(stub(self.CHILDREN + "    time.sleep(600)\n"))
        children = worker.call("name", seconds=LIMIT)["children"]
        assert failure_of(worker, "run", seconds=0.3).kind == TIMED_OUT
        assert gone(*children)

    def test_others_are_left_alone(self, stub, start):
        first, second = (start(stub(self.CHILDREN)) for _ in range(2))
        first.call("name", seconds=LIMIT)
        children = second.call("name", seconds=LIMIT)["children"]
        first.kill()
        assert all(alive(pid) for pid in (second.pid, *children))

    def test_descriptors_are_given_back(self, staged, start):
        start(staged).kill()
        before = sorted(Path("/proc/self/fd").iterdir())
        for _ in range(3):
            start(staged).kill()
        assert sorted(Path("/proc/self/fd").iterdir()) == before

    def test_members_are_found_by_mark_and_by_session(self, stub, start):
        worker = start(stub(self.CHILDREN))
        children = worker.call("name", seconds=LIMIT)["children"]
        assert session.members(worker._mark, worker.pid) == sorted([worker.pid, *children])
        assert session.members("no such mark") == []


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
            TestNothingStaysBehind.CHILDREN
            + "    signal.pthread_sigmask(signal.SIG_BLOCK, {2, 15})\n    time.sleep(600)\n"
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
        with self.coordinator(stub, tmp_path, "", TestNothingStaysBehind.CHILDREN) as process:
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


class TestSurroundings:
    REPORT = """
    import ctypes
    def of_a_thread(found):
        found.append(sorted(os.sched_getaffinity(0)))
    for request in requests():
        found = []
        thread = threading.Thread(target=of_a_thread, args=(found,))
        thread.start(); thread.join()
        child = subprocess.run(["nproc"], capture_output=True, text=True).stdout
        answer(request, main=sorted(os.sched_getaffinity(0)), thread=found[0], nproc=int(child),
               path=sys.path, variables=dict(os.environ), session=os.getsid(0), cwd=os.getcwd(), flags=sys.flags.isolated)
    """

    def report(self, stub, start, **options: Any) -> tuple[Worker, dict[str, Any]]:
        worker = start(stub(self.REPORT), **options)
        return worker, worker.call("report", seconds=LIMIT)

    @pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no masks here")
    def test_the_mask_is_inherited_and_the_coordinators_own_stays(self, stub, start):
        before = os.sched_getaffinity(0)
        cpu = max(before)
        _, found = self.report(stub, start, cpus=(cpu,))
        assert (found["main"], found["thread"], found["nproc"]) == ([cpu], [cpu], 1)
        assert os.sched_getaffinity(0) == before
        _, found = self.report(stub, start)
        assert set(found["main"]) == before

    def test_it_leads_a_session_in_its_own_folder(self, stub, start, tmp_path):
        worker, found = self.report(stub, start)
        assert found["session"] == worker.pid != os.getsid(0)
        assert Path(found["cwd"]) == tmp_path / "work"

    def test_trivets_own_environments_are_isolated(self, stub, start, monkeypatch, tmp_path):
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
        _, found = self.report(stub, start)
        assert found["flags"] == 1
        assert "PYTHONPATH" not in found["variables"]
        assert str(tmp_path / "modules") not in found["path"]

    def test_the_users_own_interpreter_keeps_its_path(self, stub, start, monkeypatch, tmp_path):
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
        _, found = self.report(stub, start, own=True)
        assert found["flags"] == 0
        assert str(tmp_path / "modules") in found["path"]

    def test_variables_and_caches(self, stub, start, monkeypatch, tmp_path):
        monkeypatch.setenv("OMP_NUM_THREADS", "3")
        monkeypatch.setenv("SOME_SECRET", "secret")
        worker, found = self.report(stub, start, caches=tmp_path / "caches", extra={"XLA_FLAGS": "--none"})
        assert found["variables"]["OMP_NUM_THREADS"] == "3"
        assert found["variables"]["XLA_FLAGS"] == "--none"
        assert worker.variables["OMP_NUM_THREADS"] == "3"
        assert worker.variables["XLA_FLAGS"] == "--none"
        assert "SOME_SECRET" not in worker.variables
        assert (tmp_path / "caches").is_dir()


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


class TestGeneration:
    def setting(self, staged: Staged, tmp_path: Path) -> Setting:
        return Setting(
            workload="mlp",
            number=0,
            staged=staged,
            cpus=(),
            run=tmp_path / "run",
            caches=tmp_path / "caches",
            scratch=tmp_path / "scratch",
            began=time.monotonic(),
        )

    def test_some_fail_and_the_rest_is_measured(self, staged, tmp_path):
        entries = [
            numpy_entry("numpy:plain"),
            numpy_entry("numpy:crash"),
            numpy_entry("numpy:greedy", greedy_at_step=1),
            numpy_entry("numpy:hang", hang_at_step=40),
            numpy_entry("numpy:garbage"),
        ]
        generation = measure_generation(
            entries,
            self.setting(staged, tmp_path),
            limits=Limits(prepare_seconds=LIMIT, run_seconds=15.0, run_factor=10.0),
        )
        assert {label: failure.status for label, failure in generation.failures.items()} == {
            "numpy:crash": FAILED,
            "numpy:greedy": OUT_OF_MEMORY,
            "numpy:hang": TIMED_OUT,
        }
        for label in ("numpy:plain", "numpy:garbage"):
            rounds = {taken.round for taken in generation.slices if taken.contestant == label and taken.clean}
            assert rounds >= {0, 1, 2}
            assert generation.memory[label]["host_peak_bytes"] > 2**20
            assert generation.startups[label].cold
        assert not generation.guarded  # no mask, so nothing could be watched
        assert (tmp_path / "run" / generation.failures["numpy:crash"].log).is_file()

    def test_an_interrupt_leaves_nobody(self, staged, tmp_path):
        code = textwrap.dedent(f"""
        import sys, time
        from pathlib import Path
        sys.path.insert(0, {str(TESTS)!r})
        from numpy_contestants import numpy_entry
        from trivet.launch.stage import Staged
        from trivet.measure.entry import Setting, launch
        from trivet.measure.generation import measure_generation
        folder = Path({str(tmp_path)!r})
        setting = Setting(workload="mlp", number=0, staged=Staged(folder=Path({str(staged.folder)!r}), digest=""),
                          cpus=(), run=folder, caches=folder / "c", scratch=folder / "s", began=0.0)
        def watched(*arguments):
            worker = launch(*arguments)
            print(worker.pid, flush=True)
            return worker
        measure_generation([numpy_entry("numpy:plain"), numpy_entry("numpy:plain#2")], setting, launch=watched)
        """)
        with subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            pids = [int(process.stdout.readline()) for _ in range(2)]
            process.send_signal(signal.SIGINT)
            assert b"KeyboardInterrupt" in process.stderr.read()
            process.wait(GONE_SECONDS)
            assert gone(*pids)
