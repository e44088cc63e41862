"""The adapter: trivet's verbs in terms of the framework in `layers`."""

from __future__ import annotations

import time
from types import ModuleType

import numpy as np

from trivet_worker.contract import Arrays, Batch, Device, Placement, Tap, TracedStep, Unsupported
from trivet_worker.frameworks.numpy import faults
from trivet_worker.frameworks.numpy.layers import Chain, cross_entropy
from trivet_worker.protocol import Job

COMPILES_ON_FIRST_CALL = ()
VARIANTS = (
    "plain",
    "busy",
    "crash",
    "ended",
    "hang",
    "greedy",
    "garbage",
    "children",
    "lagging",
    "astray",
    "doubled",
    "tracing",
    "diverging",
    "unruly",
)


def configure(precision: str, device: str) -> None:
    """Refuse what numpy cannot do; there is nothing to switch."""
    if device != "cpu":
        message = f"numpy runs on the CPU, not on {device}."
        raise Unsupported(message)
    if precision not in ("float32", "float64"):
        message = f"numpy has no {precision} arithmetic."
        raise Unsupported(message)


def versions() -> dict[str, str]:
    """Return numpy's version."""
    return {"numpy": np.__version__}


def devices() -> list[Device]:
    """Return the CPU."""
    return [Device(kind="cpu", name="CPU")]


def out_of_memory(error: BaseException) -> bool:
    """Say whether memory ran out; numpy's own error for that is a MemoryError."""
    return isinstance(error, MemoryError)


def build(job: Job, model: ModuleType) -> Program:
    """Build the job's program."""
    if job.variant not in VARIANTS:
        message = f"numpy has no variant {job.variant}; it has {', '.join(VARIANTS)}."
        raise Unsupported(message)
    return Program(job, model.build(**job.sizes))


class Program:
    """Softmax cross-entropy under SGD with momentum: v = mu v + g, p = p - lr v."""

    def __init__(self, job: Job, model: Chain) -> None:
        self._model = model
        self._dtype = np.dtype("float64" if job.options.get("doubled") else job.precision)
        self._options = job.options
        self._rate = job.optimizer["learning_rate"]
        self._momentum = job.optimizer["momentum"]
        self._velocities: Arrays = {}
        self._loss = float("nan")
        self._steps = 0
        faults.breed(job.options.get("children", 0))
        self.load(self.tensors())

    def tensors(self) -> Arrays:
        """Return copies of the parameters."""
        return {
            f"{layer.name}.{role}": array.copy()
            for layer in self._model.layers
            for role, array in layer.parameters.items()
        }

    def load(self, tensors: Arrays) -> None:
        """Set the named parameters, and forget the velocities."""
        for layer in self._model.layers:
            for role in layer.parameters:
                name = f"{layer.name}.{role}"
                if name in tensors:
                    layer.parameters[role] = np.array(tensors[name], self._dtype)
        self._velocities = {}

    def put(self, batch: Batch) -> Batch:
        """Return the batch in the job's precision."""
        return Batch(batch.inputs.astype(self._dtype), batch.labels)

    def compile(self, batch: Batch) -> None:
        """Do nothing: there is nothing to compile."""

    def step(self, batch: Batch) -> None:
        """Take one training step, finished on return."""
        started = time.perf_counter()
        self._steps += 1
        faults.strike(self._options, self._steps)
        self._forward_and_backward(batch)
        self._update()
        if self._steps == self._options.get("diverge_at_step"):
            self.load({name: array * np.nan for name, array in self.tensors().items()})
        if "busy" in self._options:
            faults.spin(self._options["busy"] * (time.perf_counter() - started))

    def wait(self) -> None:
        """Numpy returns when it is done; a fault lets it take its time."""
        time.sleep(self._options.get("wait_seconds", 0.0))

    def loss(self) -> float:
        """Return the last step's loss."""
        return self._loss

    def set_learning_rate(self, rate: float) -> None:
        """Use this rate from now on."""
        self._rate = rate

    def predict(self, batch: Batch) -> np.ndarray:
        """Return logits (B, classes)."""
        return self._model.forward(batch.inputs)

    def traced_step(self, batch: Batch) -> TracedStep:
        """Take one step, and return what it computed on the way."""
        logits = self._forward_and_backward(batch)
        gradients = {
            f"{layer.name}.{role}": array.copy()
            for layer in self._model.layers
            for role, array in layer.gradients.items()
        }
        self._update()
        return TracedStep(self._loss, logits, gradients)

    def taps(self, batch: Batch) -> list[Tap]:
        """Return each layer's output."""
        found = []
        outputs = batch.inputs
        for layer in self._model.layers:
            outputs = layer.forward(outputs)
            attributes = {"bias": True} if layer.kind == "dense" else {}
            found.append(Tap(layer.name, layer.kind, outputs.astype(np.float64), attributes))
        return found

    def device_memory(self) -> dict[str, int]:
        """Return nothing: numpy has no device allocator."""
        return {}

    def compilations(self) -> tuple[str, ...]:
        """Return nothing, since nothing is compiled; a fault has each step compiled anew."""
        return ("step",) * (self._steps if self._options.get("tracing") else 0)

    def placement(self, batch: Batch) -> Placement:
        """Return what arrays say of themselves."""
        dtypes = {array.dtype.name for array in self.tensors().values()}
        return Placement(
            devices=(self._options.get("device", "cpu"),),
            parameters=tuple(sorted(dtypes)),
            compute=(np.result_type(batch.inputs, *dtypes).name,),
        )

    def _forward_and_backward(self, batch: Batch) -> np.ndarray:
        logits = self._model.forward(batch.inputs)
        self._loss, gradient = cross_entropy(logits, batch.labels)
        self._model.backward(gradient)
        return logits

    def _update(self) -> None:
        for layer in self._model.layers:
            for role, gradient in layer.gradients.items():
                name = f"{layer.name}.{role}"
                velocity = gradient
                if name in self._velocities:
                    velocity = self._momentum * self._velocities[name] + gradient
                self._velocities[name] = velocity
                layer.parameters[role] -= self._rate * velocity
