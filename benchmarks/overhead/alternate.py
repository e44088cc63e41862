"""Runs in a framework's environment: trivet's blocks of steps and a bare loop's, in turn, in one process."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from pathlib import Path
from types import ModuleType

BLOCK_SECONDS = 0.1
"""Short, so that both blocks of a pair meet the same machine."""


def main(staged: str, job: str, pairs: int, bare_first: bool) -> None:
    """Print the ratio of seconds, trivet's over the bare loop's, for each pair of blocks.

    Args:
        staged: folder that holds `trivet_worker`.
        job: a `trivet_worker.protocol.Job` as JSON.
        pairs: how many pairs of blocks.
        bare_first: True if the bare loop is built first: who comes first may get the better memory.
    """
    sys.path.insert(0, staged)
    from trivet_worker import modules
    from trivet_worker.verbs.measure import Measurement

    asked = json.loads(job)
    modules.adapter(asked["framework"]).configure(asked["precision"], asked["device"])
    spec, model = modules.spec(asked["folder"]), modules.model(asked["folder"], asked["model"])
    batches = [spec.batch(asked["batch"], seed, **asked["sizes"]) for seed in (1, 2)]
    measurement = Measurement()

    def ours(steps: int) -> None:
        measurement.run({"steps": steps}, _silent)

    if not bare_first:
        measurement.prepare({"job": asked}, _silent)
    bare = _bare(asked["framework"]).loop(model, batches, asked["sizes"], asked["optimizer"])
    if bare_first:
        measurement.prepare({"job": asked}, _silent)
    for run in (ours, bare):
        run(3)
    steps = max(3, round(BLOCK_SECONDS / _seconds(bare, 3) * 3))
    ratios = []
    for number in range(pairs):
        # the order turns, so that neither always follows the other
        blocks = (ours, bare) if number % 2 else (bare, ours)
        seconds = {run: _seconds(run, steps) for run in blocks}
        ratios.append(seconds[ours] / seconds[bare])
    print(json.dumps(ratios))


def _silent(phase: str) -> None:
    """Take no note of a phase."""


def _seconds(run, steps: int) -> float:
    started = time.perf_counter()
    run(steps)
    return time.perf_counter() - started


def _bare(framework: str) -> ModuleType:
    path = Path(__file__).parent / f"bare_{framework}.py"
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "bare")
