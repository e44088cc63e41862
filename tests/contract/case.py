"""A built program under test, and how its tensors are compared."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

TOLERANCES = {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}
"""Largest relative difference between two ways to compute the same, by precision."""
RATE = 0.125


class Case:
    """A built program with two batches on its device, and the shared initial values in its layout."""

    def __init__(self, job):
        from trivet_worker import arrays, modules
        from trivet_worker.workloads.initial import initial_values

        self.job = job
        self.adapter = modules.adapter(job.framework)
        self.adapter.configure(job.precision, job.device)
        self.model = modules.model(job.folder, job.model)
        self.spec = modules.spec(job.folder)
        self.program = self.adapter.build(job, self.model)
        self.tensors = self.spec.tensors(**job.sizes)
        self.dtype = np.dtype("float64" if job.precision == "float64" else "float32")
        self.start = self._native(initial_values(self.tensors, job.seed))
        self.other = self._native(initial_values(self.tensors, job.seed + 1))
        parameters = [tensor for tensor in self.tensors if tensor.trainable]
        values = {tensor.name: np.zeros(tensor.shape) for tensor in self.tensors}
        self.parameters = list(arrays.native(values, parameters, job.layout))
        self.statistics = [name for name in self.start if name not in self.parameters]
        self.batch, self.second = (self.program.put(self.host_batch(number)) for number in (1, 2))
        self.tolerance = TOLERANCES[job.precision]

    def _native(self, values):
        from trivet_worker import arrays

        typed = {name: value.astype(self.dtype) for name, value in values.items()}
        return arrays.native(typed, self.tensors, self.job.layout)

    def host_batch(self, number):
        batch = self.spec.batch(self.job.batch, self.job.seed + number, **self.job.sizes)
        return dataclasses.replace(batch, inputs=batch.inputs.astype(self.dtype))

    def restart(self, rate=RATE):
        """Go back to the start."""
        self.program.load(self.start)
        self.program.set_learning_rate(rate)

    def take(self, *batches):
        """Take timed steps from the start; return the tensors after them."""
        self.restart()
        for batch in batches:
            self.program.step(batch)
        self.program.wait()
        return self.program.tensors()


def only(tensors, names):
    return {name: tensors[name] for name in names}


def changes(after, before):
    return {name: after[name].astype(np.float64) - array for name, array in before.items()}


def same(found, expected):
    assert set(found) == set(expected), set(found) ^ set(expected)
    changed = [name for name, array in expected.items() if not np.array_equal(found[name], array)]
    assert not changed, f"changed: {changed}"


def close(case, found, expected, start):
    """Compare what has happened to each tensor since the start."""
    ours, theirs = changes(found, start), changes(expected, start)
    for group in (case.parameters, case.statistics):
        whole = math.hypot(*(np.linalg.norm(theirs[name]) for name in group))
        for name in group:
            gap = np.linalg.norm(ours[name] - theirs[name])
            size = max(np.linalg.norm(theirs[name]), 1e-3 * whole)
            assert gap <= case.tolerance * size, f"{name}: {gap / size:.1e} apart"


def near(found, expected, tolerance, what):
    gap = np.linalg.norm(np.subtract(found, expected, dtype=np.float64))
    size = np.linalg.norm(expected)
    assert gap <= tolerance * max(size, 1e-6), f"{what}: {gap / max(size, 1e-6):.1e} apart"
