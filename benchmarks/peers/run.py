"""Does trivet's ResNet-50 step run at the speed of the best public implementations?

For each framework and precision: generations of fresh processes, one for trivet's contestant and one for each peer, which
wait without work while another is timed: `trivet.measure` does it, with its rotated rounds of slices, its noise guard and
its repeats. All run in one environment, with the same batch, image size, optimizer and precision. The ratio is throughput
times analytic operations an image, trivet's over the peer's, with the interval that trivet gives any pair: ResNet version
1, whose bottlenecks halve the image in their first 1x1 convolution, asks for fewer operations than version 1.5. A peer
refuses to run if its own layers have another count, and one that computes in other precisions than trivet, or starts at
another loss from the same initial values, does not count.

The claim: the ratio is estimated at 0.97 or more, and its interval ends at 0.92 or above.

    python benchmarks/peers/run.py [--framework torch] [--precision bfloat16] [--generations 6] [--batch 8] [--out FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trivet import catalog
from trivet.environments import pins
from trivet.environments.build import ensure
from trivet.environments.plan import plan_for
from trivet.folders import cache_folder, make_cache, measuring_lock
from trivet.launch.stage import stage
from trivet.launch.work import job_of
from trivet.lock import held
from trivet.measure.cpus import choose
from trivet.measure.entry import Entry, Setting
from trivet.measure.generation import measure_generation
from trivet.measure.machine import read_machine
from trivet.model.catalog import FrameworkInfo
from trivet.model.contestant import Contestant
from trivet.model.environment import Environment
from trivet.model.measurement import Generation
from trivet.stats.samples import collect
from trivet.stats.verdict import compare
from trivet_worker.workloads.resnet import spec

WORKLOAD = "resnet50"
CONTESTANTS = {"torch": "eager", "tensorflow": "graph", "jax": "jit"}
PRECISIONS = ("float32", "bfloat16")

LEAST_RATIO = 0.97
LEAST_LOW_END = 0.92

SPARE_GENERATIONS = 2
"""So many more are measured in place of those that other work on the machine spoilt."""

SAME_LOSS = 0.01
"""The first losses of two programs with the same initial values and batch differ by less than this share: what rounding
to bfloat16 leaves."""


def main() -> int:
    """Print a line for each peer and precision, and return 1 if one misses the claim or could not be measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--framework", choices=CONTESTANTS, help="only this one")
    parser.add_argument("--precision", choices=PRECISIONS, help="only this one")
    parser.add_argument("--generations", type=int, default=6)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--out", type=Path, help="a JSON file for raw slices and ratios")
    arguments = parser.parse_args()
    os.environ["TRIVET_EXTENSIONS"] = str(Path(__file__).parent)
    frameworks = [arguments.framework] if arguments.framework else list(CONTESTANTS)
    precisions = [arguments.precision] if arguments.precision else list(PRECISIONS)
    results = []
    make_cache(cache_folder())
    with held(measuring_lock(), what="measures on this machine", report=print):
        for framework in frameworks:
            for precision in precisions:
                race = Race(framework, precision, arguments.batch)
                results.append(race.run(arguments.generations))
                if arguments.out:  # after each, so that an interrupt loses none
                    arguments.out.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0 if all(peer["holds"] for result in results for peer in result["peers"]) else 1


class Race:
    """trivet's contestant of one framework beside its peers, in one precision."""

    def __init__(self, framework: str, precision: str, batch: int) -> None:
        self._framework, self._precision, self._batch = framework, precision, batch
        own, peers = catalog.framework(framework), catalog.framework(f"{framework}_peers")
        # One environment for all: where the peers need further packages, trivet's contestant runs beside these too.
        version = pins.load(own.folder).versions[0]
        self._environment = ensure(plan_for(peers, version=version, accelerator="cpu"), report=print)
        self._own = _entry(own, CONTESTANTS[framework], self._environment, precision, batch)
        self._peers = [
            _entry(peers, variant, self._environment, precision, batch) for variant in peers.variants
        ]
        self._generations: list[Generation] = []

    def run(self, generations: int) -> dict[str, Any]:
        """Measure so many generations, print what they say, and return it with the raw samples."""
        cpus = choose(None)
        with tempfile.TemporaryDirectory(prefix="trivet-peers-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            entries = [self._own, *self._peers]
            workload = catalog.workload(WORKLOAD)
            staged = stage([entry.framework for entry in entries], [workload], folder=folder)
            began = time.monotonic()
            for number in range(generations + SPARE_GENERATIONS):
                setting = Setting(
                    workload=WORKLOAD,
                    number=number,
                    staged=staged,
                    cpus=cpus,
                    run=folder,
                    caches=folder / "caches",
                    scratch=folder / "scratch",
                    began=began,
                )
                self._generations.append(measure_generation(entries, setting))
                _print_failures(self._generations[-1], folder)
                if self._generations[-1].failures or self._counted() >= generations:
                    break
        peers = [self._set_against(peer) for peer in self._peers]
        for peer in peers:
            print(f"{self._own.label} {self._precision}, batch {self._batch}: {_words(peer)}", flush=True)
        return {
            "framework": self._framework,
            "precision": self._precision,
            "batch": self._batch,
            "machine": dataclasses.asdict(read_machine(cpus)),
            "packages": self._environment.packages,
            "peers": peers,
            "generations": [dataclasses.asdict(generation) for generation in self._generations],
        }

    def _counted(self) -> int:
        """Return in how many generations every contestant has enough clean rounds."""
        labels = [entry.label for entry in (self._own, *self._peers)]
        samples = collect(self._generations, labels)
        return min(samples.counted(label) for label in labels)

    def _set_against(self, peer: Entry) -> dict[str, Any]:
        """Return the ratio per operation, trivet's over the peer's, with its interval and whether the claim holds."""
        labels = [entry.label for entry in (self._own, *self._peers)]
        found = compare(collect(self._generations, labels), self._own.label, peer.label, margin=0.05)
        wrong = self._differences(peer)
        result: dict[str, Any] = {
            "peer": peer.label,
            "training_flops": [_flops(self._own), _flops(peer)],
            "wrong": wrong,
        }
        if found is None:
            return {**result, "holds": False}
        scale = _flops(self._own) / _flops(peer)
        low, high = (scale * end for end in found.interval())
        ratio = scale * found.ratio
        return {
            **result,
            "ratio": ratio,
            "low": low,
            "high": high,
            "by_generation": [scale * one for one in found.generations],
            "holds": ratio >= LEAST_RATIO and low >= LEAST_LOW_END and not wrong,
        }

    def _differences(self, peer: Entry) -> list[str]:
        """Say what makes the two not comparable: another precision, or another start where it should be the same."""
        found = []
        for generation in self._generations:
            if generation.failures:
                found.append(f"generation {generation.number}: {', '.join(generation.failures)} failed")
                continue
            ours, theirs = (generation.placements.get(label) for label in (self._own.label, peer.label))
            if ours != theirs:
                found.append(f"generation {generation.number}: {ours} beside {theirs}")
            losses = [generation.losses.get(label) for label in (self._own.label, peer.label)]
            if peer.job.options["same_start"] and all(losses):
                first, second = (one[0] for one in losses if one)
                if not math.isclose(first, second, rel_tol=SAME_LOSS):
                    found.append(
                        f"generation {generation.number}: first loss {first:.4f} beside {second:.4f}"
                    )
        return found


def _entry(info: FrameworkInfo, variant: str, environment: Environment, precision: str, batch: int) -> Entry:
    workload = catalog.workload(WORKLOAD)
    job = job_of(workload, info, variant, precision=precision, device="cpu", batch=batch)
    counted = {**job.options, "training_flops": _training_flops(workload.sizes, job.options)}
    job = dataclasses.replace(job, options=counted)
    contestant = Contestant(framework=info.name, variant=variant)
    return Entry(contestant=contestant, framework=info, environment=environment, job=job)


def _flops(entry: Entry) -> float:
    return float(entry.job.options["training_flops"])


def _training_flops(sizes: Mapping[str, Any], options: Mapping[str, Any]) -> float:
    """Return the operations of a training step for one image, from layer shapes."""
    flops = spec.training_flops(**sizes)
    if options.get("stride_on") == "1x1":
        flops -= _saved_by_early_strides(sizes)
    return float(flops)


def _saved_by_early_strides(sizes: Mapping[str, Any]) -> int:
    """Return by how many operations version 1 is smaller than version 1.5.

    The first 1x1 convolution of each later stage has a quarter of the positions; all else is the same.
    """
    shapes = {tensor.name: tensor.shape for tensor in spec.tensors(**sizes)}
    side = math.ceil(math.ceil(sizes["image"] / 2) / 2)  # after the stem's two strides
    multiply_adds = 0
    for number in range(2, len(sizes["blocks"]) + 1):
        halved = math.ceil(side / 2)
        multiply_adds += math.prod(shapes[f"layer{number}.0.conv1.weight"]) * (side**2 - halved**2)
        side = halved
    return 2 * 3 * multiply_adds  # forward, and both gradients


def _words(peer: Mapping[str, Any]) -> str:
    notes = "; ".join(peer["wrong"])
    if "ratio" not in peer:
        return f"{peer['peer']} could not be compared. {notes}"
    ours, theirs = (flops / 1e9 for flops in peer["training_flops"])
    verdict = "holds" if peer["holds"] else "MISSED"
    return (
        f"{peer['ratio']:.3f} of {peer['peer']}'s speed per operation "
        f"(95 % {peer['low']:.3f}-{peer['high']:.3f}, {len(peer['by_generation'])} generations; "
        f"{ours:.1f} and {theirs:.1f} GFLOP an image): {verdict} {notes}"
    )


def _print_failures(generation: Generation, folder: Path) -> None:
    for label, failure in generation.failures.items():
        print(f"{label}: {failure.message}", flush=True)
        with contextlib.suppress(OSError):
            print((folder / failure.log).read_text(encoding="utf-8", errors="replace")[-2000:])


if __name__ == "__main__":
    sys.exit(main())
