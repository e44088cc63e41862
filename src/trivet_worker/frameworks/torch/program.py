"""A training program as PyTorch's experts write it: forward, zero_grad, backward, step."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - what every PyTorch file calls it
from torch import nn
from torch.optim.lr_scheduler import LRScheduler

from trivet_worker.contract import Arrays, Batch, Placement, Tap, TracedStep
from trivet_worker.frameworks.torch import taps

DeviceBatch = tuple[torch.Tensor, torch.Tensor]
"""Inputs (B, features), (B, C, H, W) in channels_last memory or tokens (B, T) int64; labels int64, on the device."""

Function = TypeVar("Function", bound=Callable[..., object])

Schedule = Callable[[torch.optim.Optimizer], LRScheduler]

_COUNTER = "num_batches_tracked"
"""A buffer that BatchNorm reads only where its momentum is None; no other framework has it."""


class TorchProgram:
    """A model, its optimizer and the loop around them; see `trivet_worker.contract.Program`.

    Attributes:
        model: the module that is trained, never itself compiled.
    """

    def __init__(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        *,
        mixed: bool,
        compiler: Callable[[Function], Function],
        label_smoothing: float = 0.0,
        clip_norm: float | None = None,
        schedule: Schedule | None = None,
    ) -> None:
        """Set the program up.

        Args:
            model: on its device, in its precision, in training mode.
            optimizer: over the model's parameters.
            mixed: run matrix products and convolutions in bfloat16 by autocast; parameters, logits and loss stay
                float32.
            compiler: what is done to the two functions that the loop calls: `torch.compile`, or nothing.
            label_smoothing: share of each label that is spread over all classes.
            clip_norm: global norm that gradients are clipped to, None for no clipping.
            schedule: starts the learning rate's schedule, None for a rate that stays.
        """
        self.model = model
        self._optimizer = optimizer
        self._mixed = mixed
        self._clip_norm = clip_norm
        self._schedule = schedule
        self._scheduler = None if schedule is None else schedule(optimizer)
        parameter = next(model.parameters())
        self._device, self._dtype = parameter.device, parameter.dtype
        self._loss = self._logits = torch.full((), torch.nan)
        device_type = parameter.device.type

        def predict(inputs: torch.Tensor) -> torch.Tensor:
            with torch.autocast(device_type, torch.bfloat16, enabled=mixed):
                logits = model(inputs)
            return logits.float() if mixed else logits

        def forward(inputs: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            logits = predict(inputs)
            loss = F.cross_entropy(logits.flatten(0, -2), labels.flatten(), label_smoothing=label_smoothing)
            # detached, or the compiled backward would take (zero) gradients for the logits too
            return loss, logits.detach()

        self._predict = compiler(predict)
        self._forward = compiler(forward)

    def tensors(self) -> Arrays:
        """Return every parameter and statistic by its state_dict name, tied ones by their first."""
        state = self.model.state_dict()
        tied = {name for name, _ in self.model.named_parameters(remove_duplicate=False)}
        tied -= {name for name, _ in self.model.named_parameters()}
        return {
            name: _array(tensor)
            for name, tensor in state.items()
            if name not in tied and not name.endswith(_COUNTER)
        }

    def load(self, tensors: Arrays) -> None:
        """Copy the named tensors in, which no compiled code notices, and forget the momentum buffers.

        Raises:
            ValueError: the model has no tensor of a name.
            RuntimeError: a shape differs.
        """
        state = {name: torch.tensor(array) for name, array in tensors.items()}
        unknown = self.model.load_state_dict(state, strict=False).unexpected_keys
        if unknown:
            message = f"the PyTorch model has no tensor {unknown[0]!r}; it has {', '.join(self.tensors())}"
            raise ValueError(message)
        self._optimizer.state.clear()
        if self._schedule is not None:
            for group in self._optimizer.param_groups:
                group["lr"] = group["initial_lr"]
            self._scheduler = self._schedule(self._optimizer)

    def put(self, batch: Batch) -> DeviceBatch:
        """Copy a batch to the device."""
        tokens = np.issubdtype(batch.inputs.dtype, np.integer)
        dtype = torch.int64 if tokens else self._dtype
        inputs = torch.tensor(batch.inputs, dtype=dtype, device=self._device)
        if inputs.ndim == 4:
            inputs = inputs.permute(0, 3, 1, 2)  # (B, H, W, C) memory seen as (B, C, H, W) is channels_last
        labels = torch.tensor(batch.labels, dtype=torch.int64, device=self._device)
        return inputs, labels

    def compile(self, batch: DeviceBatch) -> None:
        """Do nothing: torch.compile compiles at the first call, and the backward pass at the first backward."""

    def step(self, batch: DeviceBatch) -> None:
        """Start one training step."""
        self._backward(batch)
        self._update()

    def _backward(self, batch: DeviceBatch) -> None:
        inputs, labels = batch
        self._loss, self._logits = self._forward(inputs, labels)
        # only now: the backward pass takes the freed gradients' memory; freed before the forward pass, it would go back to
        # the system, and be faulted in again page by page, at every step (on a CPU)
        self._optimizer.zero_grad(set_to_none=True)
        self._loss.backward()

    def _update(self) -> None:
        if self._clip_norm is not None:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self._clip_norm)
        self._optimizer.step()
        if self._scheduler is not None:
            self._scheduler.step()

    def wait(self) -> None:
        """Return when the device has finished; on a CPU nothing is asynchronous."""
        if self._device.type == "cuda":
            torch.cuda.synchronize(self._device)

    def loss(self) -> float:
        """Return the last step's loss."""
        return self._loss.item()

    def set_learning_rate(self, rate: float) -> None:
        """Change the rate of the following steps; the optimizer runs outside of the compiled code."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate

    def predict(self, batch: DeviceBatch) -> np.ndarray:
        """Return logits (B, classes) in evaluation mode."""
        inputs, _ = batch
        self.model.eval()
        with torch.no_grad():
            logits = self._predict(inputs)
        self.model.train()
        return _array(logits)

    def traced_step(self, batch: DeviceBatch) -> TracedStep:
        """Take one step and return loss, logits and the gradients that the backward pass left in the parameters."""
        self._backward(batch)
        gradients = {
            name: _array(torch.zeros_like(parameter) if parameter.grad is None else parameter.grad)
            for name, parameter in self.model.named_parameters()
        }
        self._update()
        return TracedStep(self.loss(), _array(self._logits), gradients)

    def taps(self, batch: DeviceBatch) -> list[Tap]:
        """Run a copy of the model, op by op, and return the outputs of its modules."""
        inputs, _ = batch
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._mixed):
            return taps.record(copy.deepcopy(self.model), inputs)

    def device_memory(self) -> dict[str, int]:
        """Return the peaks of PyTorch's allocator on CUDA: tensors alive, and what it holds from the driver."""
        if self._device.type != "cuda":
            return {}
        return {
            "live_peak_bytes": torch.cuda.max_memory_allocated(self._device),
            "pool_bytes": torch.cuda.max_memory_reserved(self._device),
        }

    def compilations(self) -> tuple[str, ...]:
        """Return the function of each graph that Dynamo has captured, with the reason where it had to be once more."""
        dynamo = sys.modules.get("torch._dynamo.utils")  # where nobody compiles, nobody need import it
        if dynamo is None:
            return ()
        return tuple(_described(entry) for entry in dynamo.get_compilation_metrics())

    def placement(self, batch: DeviceBatch) -> Placement:
        """Run a copy of the model, and look at what its layers with weights hand out: autocast shows there."""
        inputs, _ = batch
        model = copy.deepcopy(self.model)
        computed = set()
        for module in model.modules():
            if isinstance(module, (nn.Linear, nn.Conv2d)):
                module.register_forward_hook(
                    lambda _module, _inputs, output: computed.add(_name(output.dtype))
                )
        with torch.no_grad(), torch.autocast(self._device.type, torch.bfloat16, enabled=self._mixed):
            model(inputs)
        parameters = list(self.model.parameters())
        return Placement(
            devices=tuple(sorted({parameter.device.type for parameter in parameters})),
            parameters=tuple(sorted({_name(parameter.dtype) for parameter in parameters})),
            compute=tuple(sorted(computed)),
        )


def _described(entry: Any) -> str:
    """Return what a record of Dynamo is about; a backward pass has no code of its own."""
    name = entry.co_name or "backward pass"
    return f"{name} ({entry.recompile_reason.splitlines()[0][:100]})" if entry.recompile_reason else name


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _array(tensor: torch.Tensor) -> np.ndarray:
    return np.array(tensor.detach().cpu().numpy(), order="C")  # a copy: on a CPU numpy would share the memory
