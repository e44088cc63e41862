"""What a framework's adapter provides. `docs/adding/framework.md` walks through one.

An adapter is the module ``frameworks/<name>/adapter.py``. Its framework is imported inside its functions' reach only
(module top is fine: the worker imports the adapter of one framework per process, after the channel is private).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

import numpy as np

from trivet_worker.protocol import Job

Arrays = dict[str, np.ndarray]
"""Native tensor name -> array in the framework's own layout."""


class Unsupported(Exception):  # noqa: N818 - an answer, not an error: it becomes the status "unsupported"
    """The adapter cannot do what the job asks (a precision, a device, a variant); the message says why."""


@dataclasses.dataclass(frozen=True)
class Device:
    """A device that the framework sees.

    Attributes:
        kind: "cpu" or "cuda".
        name: what the framework calls it.
        memory_bytes: total memory, None where the framework does not say.
    """

    kind: str
    name: str
    memory_bytes: int | None = None


@dataclasses.dataclass(frozen=True)
class Batch:
    """One batch in numpy, before it goes to the device.

    Attributes:
        inputs: (B, features) or channels-last images (B, H, W, C), float32, or float64 for the gate; or tokens (B, T),
            int32 in every precision.
        labels: int32 class indices: (B,), or (B, T) for tokens.
    """

    inputs: np.ndarray
    labels: np.ndarray


@dataclasses.dataclass(frozen=True)
class TracedStep:
    """One optimizer step, with what the timed step computes but does not hand out.

    Attributes:
        loss: scalar.
        logits: (B, classes), or (B, T, classes) for tokens; training mode, before the step.
        gradients: native parameter name -> gradient in native layout, as it comes from the loss: not clipped.
    """

    loss: float
    logits: np.ndarray
    gradients: Arrays


@dataclasses.dataclass(frozen=True)
class Tap:
    """The output of one layer, in execution order.

    Attributes:
        layer: native layer path, such as "layer1.0.conv1"; for a function (a pooling call) its kind.
        kind: "conv", "dense", "batch_norm", "layer_norm", "embedding", "max_pool", "average_pool", "activation",
            "attention" (a softmax over the scores: its output, heads second, (B, heads, T, S)), "dropout" or "other".
        output: float64, images channels-last (B, H, W, C).
        attributes: what weights do not carry, in common terms so that they can be set side by side:
            ``epsilon``; ``momentum`` (weight of the old value); ``strides`` [h, w]; ``padding``
            [[top, bottom], [left, right]] as applied to this input (SAME resolved; an explicit padding layer
            just before counts); ``bias`` True/False; ``window`` [h, w]; ``border_counts`` True if an average
            pool divides by what it pads too; ``approximate`` for GELU; ``rate`` of a dropout; those of
            `trivet_worker.attention`. Only those that apply.
    """

    layer: str
    kind: str
    output: np.ndarray
    attributes: dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Placement:
    """Where and in which precision a program really computes, as read from what runs, not from what was asked.

    Attributes:
        devices: kinds of device that hold parameters: "cpu", "cuda".
        parameters: their dtypes, such as "float32".
        compute: dtypes of the operands of the step's matrix products and convolutions.
    """

    devices: tuple[str, ...]
    parameters: tuple[str, ...]
    compute: tuple[str, ...]


class Program(Protocol):
    """A contestant's training program, built in this process from the workload's native model.

    The step is what an expert of the framework would write, at the speed that they reach. Nothing may be computed in
    `step` for trivet's sake.
    """

    def tensors(self) -> Arrays:
        """Return copies of every parameter and statistic (not optimizer state) as numpy, by native name."""

    def load(self, tensors: Arrays) -> None:
        """Set the named tensors (native names and layouts) and reset the optimizer's state and schedule.

        Unnamed tensors stay.
        """

    def put(self, batch: Batch) -> Any:
        """Move a batch to the device in the framework's layout and precision."""

    def compile(self, batch: Any) -> None:
        """Trace and compile the step where that is separate from running it; else do nothing."""

    def step(self, batch: Any) -> None:
        """Start one training step: forward, loss, backward, optimizer. May return before it is finished."""

    def wait(self) -> None:
        """Return when parameters and loss of the last step are there."""

    def loss(self) -> float:
        """Return the last step's loss (waits for it)."""

    def set_learning_rate(self, rate: float) -> None:
        """Change the rate of the following steps without a new trace or compile.

        Not called where the optimizer has ``milestones``: there the program's own schedule decides.
        """

    def predict(self, batch: Any) -> np.ndarray:
        """Return logits (B, classes) in evaluation mode, through the variant's own compiler."""

    def traced_step(self, batch: Any) -> TracedStep:
        """Take one step by the same code as `step`, and return what it computed on the way."""

    def taps(self, batch: Any) -> list[Tap]:
        """Run the model forward in training mode, layer by layer, leaving parameters and statistics unchanged."""

    def device_memory(self) -> dict[str, int]:
        """Return the device allocator's counters in bytes: ``live_peak_bytes``, ``pool_bytes``; {} on a CPU."""


@runtime_checkable
class Inspectable(Protocol):
    """What a program tells about itself, so that implausible numbers can be told from plausible ones.

    All of trivet's programs do. One that does not is measured all the same, and not judged.
    """

    def compilations(self) -> tuple[str, ...]:
        """Return what was traced or compiled in this process so far, by name, in order; asked outside of the clock."""

    def placement(self, batch: Any) -> Placement:
        """Return where and how the program computes; may run the model, and leaves all tensors unchanged."""


class Adapter(Protocol):
    """A framework, as a module."""

    COMPILES_ON_FIRST_CALL: tuple[str, ...]
    """Variants whose first call traces and compiles, so that its excess over a steady step is compile time."""

    def configure(self, precision: str, device: str) -> None:
        """Set the process-wide switches (precision, memory growth, devices). Called once, before `build`.

        Raises:
            Unsupported: the device is not there, or the precision cannot be had.
        """

    def versions(self) -> dict[str, str]:
        """Return the versions of the packages that make the framework, as imported."""

    def devices(self) -> list[Device]:
        """Return the devices that the framework sees, its default first."""

    def build(self, job: Job, model: ModuleType) -> Program:
        """Build the job's program from the workload's native model file.

        Raises:
            Unsupported: the adapter does not know the variant, the loss or the optimizer.
        """

    def out_of_memory(self, error: BaseException) -> bool:
        """Say whether this exception means that memory ran out."""


Repeat = Callable[[int], None]
"""Does the same work so many times, and returns when all of it is done."""


class PeakModule(Protocol):
    """The module ``frameworks/<name>/peak.py``: the framework's own large operations, to learn what a machine can do.

    It is optional, and so is each of its functions. The adapter's `configure` was called before.
    """

    def matmul(self, size: int, precision: str, device: str) -> Repeat:
        """Return what multiplies two (size, size) matrices in the dtype that a step in this precision uses."""

    def convolution(self, batch: int, image: int, channels: int, precision: str, device: str) -> Repeat:
        """Return what convolves (batch, image, image, channels) to the same shape: 3x3, stride 1, zero padding."""
