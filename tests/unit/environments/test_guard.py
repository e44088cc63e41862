"""The guard, as a process: it passes on the exit status, and ends all when its stdin ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from trivet.environments import guard


def start(code):
    return subprocess.Popen(
        [sys.executable, "-I", "-S", guard.__file__, sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize(
    ("code", "status"),
    [("pass", 0), ("raise SystemExit(3)", 3), ("import os; os.kill(os.getpid(), 9)", 137)],
)
def test_the_exit_status_is_passed_on(code, status):
    process = start(code)
    assert process.stdout is not None
    process.stdout.read()
    assert process.wait(60) == status
    process.communicate()


def test_both_streams_are_passed_on():
    process = start("import sys; print('out', flush=True); print('err', file=sys.stderr)")
    output = process.stdout.read()
    assert output.split() == ["out", "err"]
    process.communicate(timeout=60)


GRANDCHILD = "import time; time.sleep(120)"
FAMILY = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {GRANDCHILD!r}])
print(child.pid, flush=True)
"""


@pytest.mark.parametrize("ending", ["time.sleep(120)", ""])
def test_grandchildren_are_ended_too(ending):
    """When trivet goes, and also when the command itself is done."""
    process = start(FAMILY + ending)
    grandchild = int(process.stdout.readline())
    process.stdin.close() if ending else None
    assert process.wait(60) == (137 if ending else 0)
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            os.kill(grandchild, 0)
        except ProcessLookupError:
            break
        time.sleep(0.02)
    else:
        pytest.fail("the grandchild still runs")
    process.stdout.close()
    if not ending:
        process.stdin.close()


def test_nothing_is_started_for_a_trivet_that_is_gone(tmp_path):
    answer = subprocess.run(
        [sys.executable, guard.__file__, "touch", str(tmp_path / "done")],
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert answer.returncode == 137
    assert not (tmp_path / "done").exists()
