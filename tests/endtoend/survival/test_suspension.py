"""Everything stands still for a while in the middle, as on a laptop that is closed: it counts as no time of anybody's."""

from __future__ import annotations

import contextlib
import json
import signal
import statistics
import sys
import time

import psutil

from background import events, start, wait_until, workers_of

STOPPED_SECONDS = 2.5


def send(processes: list[psutil.Process], number: int) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def test_slices_in_which_the_machine_was_suspended_do_not_count(tmp_path):
    runs = tmp_path / "runs"
    process = start(
        runs,
        *("--quick", "--format", "json", "--python", f"numpy={sys.executable}"),
        contestants=("numpy:plain",),
    )
    wait_until(lambda: bool(list(runs.glob("*/logs/linear-0-*.txt"))), process)
    # The warm-up takes a second or so; whichever stop falls into it, another one hits a slice.
    for _ in range(3):
        time.sleep(1.5)
        everybody = [psutil.Process(process.pid), *workers_of(process)]
        send(everybody, signal.SIGSTOP)
        time.sleep(STOPPED_SECONDS)
        send(everybody, signal.SIGCONT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    (generation,) = (event["generation"] for event in events(runs) if event["kind"] == "generation")
    hit = [taken for taken in generation["slices"] if taken["seconds"] > STOPPED_SECONDS]
    assert hit, "no stop ever hit a slice"
    assert not any(taken["clean"] for taken in hit)
    assert all(taken["foreign_share"] > 0.3 for taken in hit)
    (workload,) = json.loads(output)["workloads"]
    (contestant,) = workload["contestants"]
    assert contestant["status"] in ("measured", "disturbed")  # the latter where other work used the machine
    assert contestant["rejected_slices"] >= len(hit)
    clean = [taken for taken in generation["slices"] if taken["clean"]]
    if contestant["status"] == "measured":
        speed = statistics.median(workload["batch"] * taken["steps"] / taken["seconds"] for taken in clean)
        assert abs(contestant["throughput"]["value"] / speed - 1) < 0.05
