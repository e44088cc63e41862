import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import psutil
import pytest

from worker_process import WorkerProcess, linear_job

COORDINATOR = textwrap.dedent(
    """
    import os, subprocess, sys, time
    bootstrap, parent, lifeline = sys.argv[1:]
    read, write = os.pipe()
    variables = dict(os.environ)
    if parent == "yes":
        variables["TRIVET_PARENT_PID"] = str(os.getpid())
    if lifeline == "yes":
        variables["TRIVET_LIFELINE_FD"] = str(read)
    worker = subprocess.Popen([sys.executable, "-I", bootstrap], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=variables, pass_fds=(read,) if lifeline == "yes" else (), start_new_session=True)
    os.close(read)
    worker.stdin.write(REQUEST)
    worker.stdin.flush()
    for _ in range(4):
        worker.stdout.readline()  # the fourth event says that the first step begins
    print(worker.pid, flush=True)
    time.sleep(600)
    """
)


def _ended(pid, seconds=20.0):
    """Say whether a process ends within so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def _coordinate(staged, *, parent, lifeline, variant="hang"):
    """Start a coordinator whose worker hangs in its first step; return both."""
    job = linear_job(variant=variant, options={"hang_at_step": 1})
    request = json.dumps({"trivet": 1, "id": 1, "verb": "prepare", "arguments": {"job": job}}) + "\n"
    coordinator = subprocess.Popen(
        [
            sys.executable,
            "-c",
            COORDINATOR.replace("REQUEST", repr(request.encode())),
            str(staged / "trivet_worker" / "bootstrap.py"),
            parent,
            lifeline,
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    return coordinator, int(coordinator.stdout.readline())


@pytest.mark.parametrize(("parent", "lifeline"), [("yes", "no"), ("no", "yes"), ("yes", "yes")])
def test_a_worker_dies_with_its_killed_coordinator(staged, parent, lifeline):
    if lifeline == "no" and sys.platform != "linux":
        pytest.skip("only Linux has a parent-death signal")
    coordinator, worker = _coordinate(staged, parent=parent, lifeline=lifeline)
    try:
        coordinator.send_signal(signal.SIGKILL)
        coordinator.wait()
        assert _ended(worker)
    finally:
        _kill(worker)
        coordinator.stdout.close()


def test_without_either_the_worker_would_stay(staged):
    coordinator, worker = _coordinate(staged, parent="no", lifeline="no")
    try:
        coordinator.send_signal(signal.SIGKILL)
        coordinator.wait()
        assert not _ended(worker, seconds=1.0)
    finally:
        _kill(worker)
        coordinator.stdout.close()


def test_the_lifeline_takes_the_workers_children_along(staged, tmp_path):
    read, write = os.pipe()
    with WorkerProcess(
        staged, tmp_path, variables={"TRIVET_LIFELINE_FD": str(read)}, pass_fds=(read,)
    ) as worker:
        worker.ask("prepare", job=linear_job(variant="children", options={"children": 1}))
        (child,) = psutil.Process(worker.process.pid).children()
        os.close(write)
        assert worker.process.wait(20) == -signal.SIGKILL
        assert _ended(child.pid)
    os.close(read)


def test_a_worker_that_starts_after_its_coordinator_died_ends_at_once(staged, tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with WorkerProcess(staged, tmp_path, variables={"TRIVET_PARENT_PID": str(gone.pid)}) as worker:
        assert worker.process.wait(20) == -signal.SIGKILL


def _kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
