"""Is a known slowdown found, is a twin left alone, and does a noisy neighbour change that?

Without options: ten times `trivet compare mlp` with three entries, torch:eager, the same again, and torch:eager followed
by a busy wait of a fifth of each step. The slowed one should be named slower in at least nine runs, the twins never
differ.

With --hog: torch:eager and torch:eager followed by a busy wait of half of each step, while for half of the time a busy
loop runs in another scheduling group. The slowed one should be named slower in at least eight runs, and never faster.

    python benchmarks/slowdown/run.py [--hog] [--runs 10] [--budget 2]
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FIFTH = ("torch:eager", "torch:eager#2", "torch_busy:fifth")
HALF = ("torch:eager", "torch_busy:half")

BUSY_LOOP = """
import random, time
while True:
    for busy in (True, False):
        until = time.monotonic() + random.uniform(5, 15)
        while time.monotonic() < until:
            busy or time.sleep(0.05)
"""
"""Busy and idle in turn, each for 10 s on average."""


def main() -> int:
    """Run, print one line a run, and return 1 if a bound is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hog", action="store_true", help="beside a busy loop, on for half of the time")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--budget", type=float, default=2.0, help="minutes of measuring a run")
    arguments = parser.parse_args()
    entries, needed = (HALF, 0.8) if arguments.hog else (FIFTH, 0.9)
    counts = collections.Counter({"named slower": 0, "named faster": 0, "twins differ": 0})
    with _busy_loop() if arguments.hog else contextlib.nullcontext():
        for number in range(1, arguments.runs + 1):
            pairs = _pairs(entries, arguments.budget)
            slowed = [pair for (_, b), pair in pairs.items() if b == entries[-1]]
            twins = [pair for (_, b), pair in pairs.items() if b != entries[-1]]
            counts["named slower"] += bool(slowed) and all(pair["verdict"] == "a_faster" for pair in slowed)
            counts["named faster"] += any(pair["verdict"] == "b_faster" for pair in slowed)
            counts["twins differ"] += any(pair["verdict"] in ("a_faster", "b_faster") for pair in twins)
            print(number, *(_line(pair) for pair in (*twins, *slowed)), flush=True)
    print(f"of {arguments.runs} runs: {dict(counts)}")
    good = (
        counts["named slower"] >= needed * arguments.runs
        and not counts["twins differ"]
        and not counts["named faster"]
    )
    return 0 if good else 1


def _pairs(entries: tuple[str, ...], budget_minutes: float) -> dict[tuple[str, str], dict[str, object]]:
    """Return the pairs of one run's result; a run without a usable pair counts as undecided."""
    variables = {**os.environ, "TRIVET_EXTENSIONS": str(Path(__file__).parent)}
    command = [sys.executable, "-m", "trivet", "compare", "mlp", "-c", ",".join(entries)]
    command += ["--budget", str(budget_minutes), "--format", "json"]
    result = subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=False, text=True)
    pairs = json.loads(result.stdout)["workloads"][0]["pairs"]
    return {(pair["a"], pair["b"]): pair for pair in pairs}


def _line(pair: dict[str, object]) -> str:
    return f"{pair['a']} / {pair['b']}: {pair['ratio']:.3f} ({pair['low']:.3f}-{pair['high']:.3f}) {pair['verdict']};"


@contextlib.contextmanager
def _busy_loop() -> Iterator[None]:
    """Keep the neighbour alive; a session of its own is another scheduling group."""
    with subprocess.Popen([sys.executable, "-c", BUSY_LOOP], start_new_session=True) as process:
        try:
            yield
        finally:
            process.kill()


if __name__ == "__main__":
    sys.exit(main())
