"""ResNet-50 of torchvision and of timm, trained as their own references do on one device."""

from __future__ import annotations

import copy
from types import ModuleType
from typing import Any

import torch
from torch import nn

from trivet_worker.contract import Arrays, Batch, Placement, Unsupported
from trivet_worker.frameworks.torch import adapter as torch_adapter
from trivet_worker.frameworks.torch.adapter import configure, devices, out_of_memory
from trivet_worker.protocol import Job
from trivet_worker.workloads.flops import of_training

try:
    import torchvision
except RuntimeError:
    # The index has torchvision for CUDA only. Beside a CPU build of torch its compiled operators cannot be loaded, and
    # its import fails where it describes these two; no classifier uses them.
    for name in ("nms", "qnms"):
        torch.library.define(
            f"torchvision::{name}", "(Tensor boxes, Tensor scores, float threshold) -> Tensor"
        )
    import torchvision
import timm  # imports torchvision

__all__ = ["COMPILES_ON_FIRST_CALL", "build", "configure", "devices", "out_of_memory", "versions"]

COMPILES_ON_FIRST_CALL = ()

_MODELS = {
    "torchvision": lambda classes: torchvision.models.resnet50(weights=None, num_classes=classes),
    "timm": lambda classes: timm.create_model("resnet50", pretrained=False, num_classes=classes),
}


def versions() -> dict[str, str]:
    """Return the versions of torch, of the two libraries and of numpy."""
    return {
        **torch_adapter.versions(),
        "torchvision": torchvision.__version__,
        "timm": timm.__version__,
    }


def build(job: Job, model: ModuleType) -> PeerProgram:  # noqa: ARG001 - an adapter's signature
    """Build the library's own model, and the loop around it."""
    return PeerProgram(job)


class PeerProgram:
    """As much of `trivet_worker.contract.Program` as measuring needs."""

    def __init__(self, job: Job) -> None:
        torch.manual_seed(job.seed)
        self._model = _MODELS[job.variant](job.sizes["classes"])
        self._model.to(memory_format=torch.channels_last).train()
        self._criterion = nn.CrossEntropyLoss()
        self._optimizer = torch.optim.SGD(
            self._model.parameters(), lr=job.optimizer["learning_rate"], momentum=job.optimizer["momentum"]
        )
        self._mixed = job.precision == "bfloat16"
        self._loss = torch.full((), torch.nan)
        self._computed = self._look_inside(job)

    def load(self, tensors: Arrays) -> None:
        """Take trivet's initial values: its tensors have torchvision's names, and so have timm's.

        Raises:
            RuntimeError: a name or a shape differs.
        """
        counters = {name: value for name, value in self._model.state_dict().items() if value.ndim == 0}
        values = {name: torch.tensor(array) for name, array in tensors.items()}
        self._model.load_state_dict({**counters, **values})

    def put(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """Return images (B, C, H, W) in channels_last memory, and labels."""
        images = torch.tensor(batch.inputs).permute(0, 3, 1, 2)
        return images, torch.tensor(batch.labels, dtype=torch.int64)

    def compile(self, batch: Any) -> None:
        """Do nothing: it runs op by op."""

    def step(self, batch: tuple[torch.Tensor, torch.Tensor]) -> None:
        """Take one training step."""
        images, labels = batch
        with torch.autocast("cpu", torch.bfloat16, enabled=self._mixed):
            loss = self._criterion(self._model(images), labels)
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        self._loss = loss.detach()

    def wait(self) -> None:
        """Do nothing: on a CPU nothing is asynchronous."""

    def loss(self) -> float:
        """Return the last step's loss."""
        return self._loss.item()

    def device_memory(self) -> dict[str, int]:
        """Return nothing, as on any CPU."""
        return {}

    def compilations(self) -> tuple[str, ...]:
        """Return nothing: it runs op by op."""
        return ()

    def placement(self, batch: Any) -> Placement:  # noqa: ARG002 - a program's signature
        """Return what was seen when the model was built."""
        return self._computed

    def _look_inside(self, job: Job) -> Placement:
        """Count the operations of the model's own layers, and see in which precision they compute.

        Raises:
            Unsupported: the count is not the one that the ratio is normalised by.
        """
        multiply_adds: list[int] = []
        computed: set[str] = set()

        def note(module: nn.Module, _inputs: object, output: torch.Tensor) -> None:
            multiply_adds.append(module.weight.numel() * output[0, 0].numel())
            computed.add(str(output.dtype).removeprefix("torch."))

        model = copy.deepcopy(self._model)
        for module in model.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                module.register_forward_hook(note)
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=self._mixed):
            model(torch.zeros(2, 3, job.sizes["image"], job.sizes["image"]))
        if of_training(multiply_adds) != job.options["training_flops"]:
            message = f"{job.variant} has {of_training(multiply_adds)} operations, not {job.options['training_flops']}."
            raise Unsupported(message)
        dtypes = {str(parameter.dtype).removeprefix("torch.") for parameter in model.parameters()}
        return Placement(devices=("cpu",), parameters=tuple(sorted(dtypes)), compute=tuple(sorted(computed)))
