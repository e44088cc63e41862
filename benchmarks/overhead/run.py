"""What does trivet's own code cost inside the clock?

For each framework, in each of several fresh processes: blocks of steps through the worker's verb `run`, alternating with
blocks of a bare loop that a user would write, over the same model, sizes and batch. A process gives the median over its
pairs of blocks; the interval is over processes. The claim: within 1 %.

    python benchmarks/overhead/run.py [--workload mlp] [--processes 12] [--pairs 60]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scipy.special import stdtrit

from trivet import catalog
from trivet.environments.build import ensure
from trivet.environments.plan import plan_for
from trivet.launch.stage import Staged, stage
from trivet.launch.work import job_of
from trivet.measure.cpus import choose
from trivet.model.catalog import FrameworkInfo, WorkloadInfo

CONTESTANTS = {"torch": "eager", "tensorflow": "graph", "jax": "jit"}
LIMIT = 0.01


def main() -> int:
    """Print one line a framework, and return 1 if an interval leaves the claim."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workload", default="mlp")
    parser.add_argument("--processes", type=int, default=12)
    parser.add_argument("--pairs", type=int, default=60, help="pairs of blocks a process")
    arguments = parser.parse_args()
    workload = catalog.workload(arguments.workload)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        staged = stage(catalog.frameworks().values(), [workload], folder=Path(folder))
        logs: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
        for number in range(arguments.processes):
            first = "bare" if number % 2 else "trivet"
            for name in CONTESTANTS:
                ratios = _process(catalog.framework(name), workload, staged, arguments.pairs, first)
                logs[name].append(statistics.median(math.log(ratio) for ratio in ratios))
    for name, values in logs.items():
        centre, half = _interval(values)
        low, high = math.exp(centre - half), math.exp(centre + half)
        inside = abs(low - 1) <= LIMIT and abs(high - 1) <= LIMIT
        good &= inside
        print(
            f"{workload.name} {name}:{CONTESTANTS[name]}: trivet's step takes {math.exp(centre):.4f} of the bare loop's "
            f"time (95 % {low:.4f}-{high:.4f}, {len(values)} processes){'' if inside else ': beyond 1 %'}"
        )
    return 0 if good else 1


def _process(
    info: FrameworkInfo, workload: WorkloadInfo, staged: Staged, pairs: int, first: str
) -> list[float]:
    """Return seconds of trivet's block over seconds of the bare one, for each pair of blocks in a fresh process."""
    environment = ensure(plan_for(info, version=None, accelerator="cpu"), report=print)
    job = job_of(workload, info, CONTESTANTS[info.name], precision="float32", device="cpu")
    job = dataclasses.replace(job, started=time.monotonic())
    cpus = ",".join(str(cpu) for cpu in choose(None))
    command = ["taskset", "-c", cpus, environment.python, "-I", str(Path(__file__).parent / "alternate.py")]
    command += [str(staged.folder), json.dumps(dataclasses.asdict(job)), str(pairs), first]
    found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True)
    ratios: list[float] = json.loads(found.stdout.splitlines()[-1])
    return ratios


def _interval(values: list[float]) -> tuple[float, float]:
    """Return mean and half width of the ordinary 95 % t-interval: what is alternated in one process shares its luck."""
    half = float(stdtrit(len(values) - 1, 0.975)) * statistics.stdev(values) / math.sqrt(len(values))
    return statistics.fmean(values), half


if __name__ == "__main__":
    sys.exit(main())
