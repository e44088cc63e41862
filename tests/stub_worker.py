"""Workers of a few lines, and what tests of worker processes ask."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from numpy_contestants import job_arguments, numpy_entry
from trivet.launch.worker import Worker, WorkerFailed
from trivet_worker.protocol import Failure

TESTS = Path(__file__).parent
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

PARENT = """
    children = [fork_child(), fork_child(new_session=True)]
    children.append(subprocess.Popen(["sleep", "600"], env={}).pid)
    for request in requests():
        answer(request, children=children)
        if request["verb"] == "leave":
            os._exit(0)
"""
"""A stub with three children: a fork, a fork in a session of its own, and a program without the mark."""


def prepared(worker: Worker, variant: str = "plain", **options: Any) -> Worker:
    worker.call(
        "prepare", job_arguments(numpy_entry(f"numpy:{variant}", **options), worker.started), seconds=LIMIT
    )
    return worker


def failure_of(worker: Worker, verb: str, seconds: float = LIMIT, **arguments: Any) -> Failure:
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
