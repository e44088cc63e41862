"""Is a known slowdown found, and is a twin left alone?

Runs `trivet compare mlp` ten times with three entries: torch:eager, the same again, and torch:eager followed by a busy
wait of a fifth of each step. The slowed one should be named slower in at least nine runs, the twins never differ.

    python benchmarks/slowdown/run.py [--runs 10] [--budget 2]
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
from pathlib import Path

ENTRIES = ("torch:eager", "torch:eager#2", "torch_busy:eager")


def main() -> int:
    """Run, print one line a run, and return 1 if a bound is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--budget", type=float, default=2.0, help="minutes of measuring a run")
    arguments = parser.parse_args()
    counts: collections.Counter[str] = collections.Counter()
    for number in range(1, arguments.runs + 1):
        pairs = _pairs(arguments.budget)
        twin = pairs["torch:eager", "torch:eager#2"]
        slowed = [pairs[entry, "torch_busy:eager"] for entry in ENTRIES[:2]]
        counts["named slower"] += all(pair["verdict"] == "a_faster" for pair in slowed)
        counts["named faster"] += any(pair["verdict"] == "b_faster" for pair in slowed)
        counts["twins differ"] += twin["verdict"] in ("a_faster", "b_faster")
        print(
            number,
            *(
                f"{p['a']} / {p['b']}: {p['ratio']:.3f} ({p['low']:.3f}-{p['high']:.3f}) {p['verdict']};"
                for p in (twin, *slowed)
            ),
            flush=True,
        )
    print(f"of {arguments.runs} runs: {dict(counts)}")
    good = (
        counts["named slower"] >= 0.9 * arguments.runs
        and not counts["twins differ"]
        and not counts["named faster"]
    )
    return 0 if good else 1


def _pairs(budget_minutes: float) -> dict[tuple[str, str], dict[str, object]]:
    variables = {**os.environ, "TRIVET_EXTENSIONS": str(Path(__file__).parent)}
    command = [sys.executable, "-m", "trivet", "compare", "mlp", "-c", ",".join(ENTRIES)]
    command += ["--budget", str(budget_minutes), "--format", "json"]
    result = subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=True, text=True)
    pairs = json.loads(result.stdout)["workloads"][0]["pairs"]
    return {(pair["a"], pair["b"]): pair for pair in pairs}


if __name__ == "__main__":
    sys.exit(main())
