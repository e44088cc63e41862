"""How long does `trivet choose --answers` take from stored runs, as a whole process?

Claim: under 1 s. For scale, the bare interpreter is measured in turn with it, and so is `trivet --help`.

    python benchmarks/choose/run.py [--runs 40] [--repeat 15]

Made-up runs are stored in a folder of its own, each with its conclusions written, as `trivet compare` leaves them.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.store import codec

ANSWERS = """\
targets = ["server", "phone"]
training_hours = 3.0
price_per_hour = 2.0
debugging = true
hardware = "gpu"
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40, help="stored runs")
    parser.add_argument("--repeat", type=int, default=15, help="times each command is started")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "team.toml").write_text(ANSWERS)
        for seed in range(options.runs):
            run = made_up_run(folder / "runs", seed=seed)
            (run.folder / "result.json").write_text(codec.encode(conclude(run), indent=1))
        commands = {
            "python -c pass": ["-c", "pass"],
            "trivet --help": ["-m", "trivet", "--help"],
            "trivet choose --answers": ["-m", "trivet", "choose", "--answers", str(folder / "team.toml")],
            "trivet choose --answers, --record": [
                *("-m", "trivet", "choose", "--answers", str(folder / "team.toml")),
                *("--record", str(folder / "record.md"), "--replace"),
            ],
        }
        wall: dict[str, list[float]] = {command: [] for command in commands}
        busy: dict[str, list[float]] = {command: [] for command in commands}
        for _ in range(options.repeat):
            for command, arguments in commands.items():
                took, worked = _seconds(arguments, folder / "runs")
                wall[command].append(took)
                busy[command].append(worked)
    for command, values in wall.items():
        print(
            f"{command:<36} median {statistics.median(values):.3f} s, worst {max(values):.3f} s, "
            f"CPU time {statistics.median(busy[command]):.3f} s, n {len(values)}"
        )


def _seconds(arguments: list[str], runs: Path) -> tuple[float, float]:
    """Return wall time and CPU time of a process; other work on the machine stretches the first far more."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "TRIVET_RUNS": str(runs)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    main()
