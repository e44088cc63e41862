"""Trace: the worker's half of the parity gate. It computes, stores and replays; the coordinator compares."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trivet_worker import arrays, layouts, modules, rules
from trivet_worker.contract import Arrays, Batch, Program
from trivet_worker.distance import norm, relative, whole
from trivet_worker.layouts.tensor import Tensor
from trivet_worker.protocol import Job
from trivet_worker.rules import cross_entropy
from trivet_worker.workloads.initial import initial_values

_UNTRACED_STEPS = 2
"""So many steps show that the step that is timed does what the traced one does: the second has a velocity."""

Report = Callable[[str], None]


def trace(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Train the job's program for some steps, and store what it computes.

    The job's sizes are shrunk as its workload says. If the program's tensors are not those of the workload, those
    that fit are loaded, what is unexpected is set to zero, and the rest keeps its own initial values.

    Args:
        arguments: ``job`` (for the gate float64, on the CPU); ``rates``, the learning rate of each step, at least two (for
            an optimizer with milestones: what its schedule should come to); ``folder``, where arrays go.
        report: takes progress.

    Returns:
        ``structure`` {"missing": canonical names; "unexpected": native names; "shapes": [[name, expected, got]]};
        ``losses`` of the steps;
        ``not_finite``: keys of the arrays that hold a NaN or an infinity, in the order in which they were computed;
        ``arrays`` {key: file in the folder}: stored as float64, in canonical names and axis order, tensors in execution order:
        ``eval_output`` and ``tap/<number>`` before the first step, ``train_output`` and ``gradient/<name>`` of the
        first, ``statistic/<step>/<name>`` after no step, the first, the last before each change of the rate, and the
        last, ``update/<step>/<name>`` (parameters minus initial ones) after the latter two;
        ``taps`` [{"layer", "kind", "key", "attributes"}] in execution order, layers by canonical path where known;
        ``rules``: see `trivet_worker.rules.Replay.fits`; {} for an optimizer without rules;
        ``still``: parameters that have a gradient and never move;
        ``label_smoothing``: the one that explains the losses, None if none does;
        ``repeats``: the relative difference between two evaluations of the same batch;
        ``initial`` {tensor: [root mean square of its values as the program itself initialises them, elements]};
        ``step_agrees``: the largest relative difference that two timed steps leave to two traced ones, in the change
        of any tensor since the start;
        ``counts`` {batch normalisation layer: values per channel that its statistics are taken over};
        ``sizes`` as shrunk; ``versions`` {package: version}.
    """
    job = Job(**arguments["job"])
    rates = [float(rate) for rate in arguments["rates"]]
    report("import")
    adapter = modules.adapter(job.framework)
    adapter.configure(job.precision, job.device)
    report("build")
    spec = modules.spec(job.folder)
    job = dataclasses.replace(job, sizes=spec.shrink(job.sizes))
    program = adapter.build(job, modules.model(job.folder, job.model))
    tensors = spec.tensors(**job.sizes)
    found = program.tensors()
    structure = arrays.structure(tensors, found, job.layout)
    initial = {
        name: [_root_mean_square(array), array.size]
        for name, array in arrays.canonical(found, tensors, job.layout)
    }
    tracer = _Tracer(program, tensors, job, _start(tensors, found, job), _Store(Path(arguments["folder"])))
    host = [_double(spec.batch(job.batch, job.seed + number, **job.sizes)) for number in (1, 2)]
    batches = [program.put(batch) for batch in host]
    report("outputs")
    repeats = tracer.evaluate(batches[0])
    taps, counts = tracer.layers(batches[0])
    report("steps")
    explained = tracer.steps(batches, [batch.labels for batch in host], rates)
    report("timed step")
    return {
        "structure": dataclasses.asdict(structure),
        **explained,
        "arrays": tracer.store.files,
        "not_finite": tracer.store.not_finite,
        "taps": taps,
        "repeats": repeats,
        "initial": initial,
        "step_agrees": tracer.step_agrees(batches, rates[0]),
        "counts": counts,
        "sizes": job.sizes,
        "versions": adapter.versions(),
    }


class _Store:
    """Arrays in a folder, a file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.files: dict[str, str] = {}
        self.not_finite: list[str] = []

    def save(self, key: str, array: np.ndarray) -> None:
        file = f"{key}.npy"
        path = self._folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, np.ascontiguousarray(array, np.float64), allow_pickle=False)
        self.files[key] = file
        if not np.isfinite(array).all():
            self.not_finite.append(key)


class _Tracer:
    """A program, its tensors paired with the workload's.

    It keeps tensors as the program hands them out and brings only what it stores into canonical form.
    """

    def __init__(
        self, program: Program, tensors: Sequence[Tensor], job: Job, start: Arrays, store: _Store
    ) -> None:
        self._program = program
        self._tensors = tensors
        self._layout = job.layout
        self._optimizer = job.optimizer
        self._scheduled = bool(job.optimizer.get("milestones"))
        self._start = start
        self._after_untraced: Arrays = {}
        self.store = store
        program.load(start)
        self._initial = program.tensors()

    def evaluate(self, batch: Any) -> float:
        """Store the output in evaluation mode; return how far a second evaluation is from it."""
        output = self._program.predict(batch)
        self.store.save("eval_output", output)
        again = self._program.predict(batch)
        return relative(norm(again - output), norm(output), 0.0)

    def layers(self, batch: Any) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """Store what each layer computes before any step; return the taps, and the values behind each statistic."""
        paths = {layouts.native_layer(tensor.layer, self._layout): tensor.layer for tensor in self._tensors}
        taps, counts = [], {}
        for number, tap in enumerate(self._program.taps(batch)):
            key = f"tap/{number:03d}"
            layer = paths.get(tap.layer, tap.layer)
            self.store.save(key, tap.output)
            taps.append({"layer": layer, "kind": tap.kind, "key": key, "attributes": tap.attributes})
            if tap.kind == "batch_norm":
                counts[layer] = tap.output.size // tap.output.shape[-1]
        return taps, counts

    def steps(
        self, batches: Sequence[Any], labels: Sequence[np.ndarray], rates: Sequence[float]
    ) -> dict[str, Any]:
        """Take the traced steps and store them; return their losses, and which rules explain them."""
        replay, loss_replay = rules.replay(self._optimizer, rates), cross_entropy.Replay()
        kept = kept_steps(rates)
        losses = []
        before = self._initial
        self._save_statistics(0, before)
        for number, rate in enumerate(rates, start=1):
            if not self._scheduled and (number == 1 or rate != rates[number - 2]):
                self._program.set_learning_rate(rate)
            step = self._program.traced_step(batches[(number - 1) % len(batches)])
            after = self._program.tensors()
            losses.append(float(step.loss))
            loss_replay.step(step.loss, step.logits, labels[(number - 1) % len(batches)])
            if replay is not None:
                replay.step(step.gradients, before, after)
            if number == 1:
                self.store.save("train_output", step.logits)
                for name, gradient in self._canonical(step.gradients, trainable=True):
                    self.store.save(f"gradient/{name}", gradient)
            if number == 1 or number in kept:
                self._save_statistics(number, after)
            if number in kept:
                for name, update in self._canonical(_changes(after, self._initial), trainable=True):
                    self.store.save(f"update/{number}/{name}", update)
            if number == _UNTRACED_STEPS:
                self._after_untraced = after
            before = after
        names = {layouts.native_name(tensor, self._layout): tensor.name for tensor in self._tensors}
        fits = {} if replay is None else replay.fits()
        still = [] if replay is None else replay.still()
        return {
            "losses": losses,
            "rules": {
                form: {**fit, "where": names.get(fit["where"], fit["where"])} for form, fit in fits.items()
            },
            "still": [names.get(name, name) for name in still],
            "label_smoothing": loss_replay.smoothing(),
        }

    def step_agrees(self, batches: Sequence[Any], rate: float) -> float:
        """Take the timed steps from the start; return how far they end from where the traced ones did."""
        self._program.load(self._start)
        if not self._scheduled:
            self._program.set_learning_rate(rate)
        for number in range(_UNTRACED_STEPS):
            self._program.step(batches[number % len(batches)])
        self._program.wait()
        timed = _changes(self._program.tensors(), self._initial)
        traced = _changes(self._after_untraced, self._initial)
        worst = 0.0
        for trainable in (True, False):
            a, b = (dict(self._canonical(changes, trainable=trainable)) for changes in (timed, traced))
            worst = max(worst, worst_difference(a, b))
        return worst

    def _canonical(
        self, found: Mapping[str, np.ndarray], *, trainable: bool
    ) -> Iterator[tuple[str, np.ndarray]]:
        tensors = [tensor for tensor in self._tensors if tensor.trainable == trainable]
        return arrays.canonical(found, tensors, self._layout)

    def _save_statistics(self, number: int, found: Mapping[str, np.ndarray]) -> None:
        for name, array in self._canonical(found, trainable=False):
            self.store.save(f"statistic/{number}/{name}", array)


def kept_steps(rates: Sequence[float]) -> set[int]:
    """Return the numbers (from 1) of the steps before a change of the rate, and of the last.

    Example:
        >>> kept_steps([0.5, 0.5, 0.25])
        {2, 3}
    """
    return {
        number
        for number in range(1, len(rates) + 1)
        if rates[number - 1 : number + 1] != [rates[number - 1]] * 2
    }


def worst_difference(ours: Mapping[str, np.ndarray], theirs: Mapping[str, np.ndarray]) -> float:
    """Return the largest relative difference over the tensors, by the measure of `trivet_worker.distance`."""
    sizes = {name: norm(array) for name, array in theirs.items()}
    everything = whole(sizes.values())
    return max(
        (relative(norm(ours[name] - theirs[name]), sizes[name], everything) for name in theirs), default=0.0
    )


def _start(tensors: Sequence[Tensor], found: Arrays, job: Job) -> Arrays:
    """Return what to load: the shared initial values that fit, and zeros for what is unexpected."""
    values = {name: value.astype(np.float64) for name, value in initial_values(tensors, job.seed).items()}
    shared = arrays.native(values, tensors, job.layout)
    zeros = {name: np.zeros_like(array) for name, array in found.items() if name not in shared}
    fitting = {
        name: array for name, array in shared.items() if name in found and found[name].shape == array.shape
    }
    return fitting | zeros


def _changes(after: Arrays, before: Arrays) -> Arrays:
    return {name: after[name] - array for name, array in before.items()}


def _double(batch: Batch) -> Batch:
    """Return the batch in float64; tokens stay what they are."""
    if np.issubdtype(batch.inputs.dtype, np.integer):
        return batch
    return Batch(batch.inputs.astype(np.float64), batch.labels)


def _root_mean_square(array: np.ndarray) -> float:
    return norm(array) / math.sqrt(max(array.size, 1))
