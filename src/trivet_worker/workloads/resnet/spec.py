"""The ResNet family in numpy.

References:
    He, Zhang, Ren, Sun (2016), Deep residual learning for image recognition, doi:10.1109/CVPR.2016.90.
    "v1.5" moves the stride of a bottleneck from its first 1x1 to its 3x3 convolution.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from trivet_worker.contract import Batch
from trivet_worker.layouts.tensor import Tensor
from trivet_worker.workloads.flops import of_training

WIDTHS = (64, 128, 256, 512)
EXPANSION = 4
"""Output channels of a bottleneck over its width."""


def tensors(*, blocks: list[int], bottleneck: bool, stem: str, image: int, classes: int) -> list[Tensor]:
    """Return the tensors in execution order; layer paths are those of torchvision's ResNet."""
    found: list[Tensor] = []

    def conv(path: str, window: int, width_in: int, width_out: int) -> None:
        found.append(Tensor(path, "conv", "weight", (window, window, width_in, width_out)))

    def norm(path: str, width: int) -> None:
        found.extend(
            Tensor(path, "batch_norm", role, (width,)) for role in ("weight", "bias", "mean", "variance")
        )

    conv("conv1", 7 if stem == "large" else 3, 3, WIDTHS[0])
    norm("bn1", WIDTHS[0])
    channels = WIDTHS[0]
    for stage, (count, width) in enumerate(zip(blocks, WIDTHS), start=1):
        for number in range(count):
            path = f"layer{stage}.{number}"
            width_out = width * EXPANSION if bottleneck else width
            windows = (1, 3, 1) if bottleneck else (3, 3)
            width_in = channels
            for index, window in enumerate(windows, start=1):
                out = width_out if index == len(windows) else width
                conv(f"{path}.conv{index}", window, width_in, out)
                norm(f"{path}.bn{index}", out)
                width_in = out
            if number == 0 and (stage > 1 or channels != width_out):
                conv(f"{path}.downsample.0", 1, channels, width_out)
                norm(f"{path}.downsample.1", width_out)
            channels = width_out
    found.append(Tensor("fc", "dense", "weight", (channels, classes)))
    found.append(Tensor("fc", "dense", "bias", (classes,)))
    return found


def batch(size: int, seed: int, *, image: int, classes: int, **_: Any) -> Batch:
    """Return normal images (B, H, W, 3) float32 and uniform labels (B,) int32."""
    generator = np.random.default_rng(seed)
    inputs = generator.standard_normal((size, image, image, 3), dtype=np.float32)
    return Batch(inputs, generator.integers(0, classes, size, dtype=np.int32))


def shrink(sizes: dict[str, Any]) -> dict[str, Any]:
    """Return the gate's sizes: smaller images, the same layers.

    Every side stays even under stride 2 (64, 32, 16, 8, 4, 2): at odd sides SAME padding is symmetric, and a
    mistaken one would go unseen.
    """
    return {**sizes, "image": min(sizes["image"], 64 if sizes["stem"] == "large" else 16)}


def training_flops(*, blocks: list[int], bottleneck: bool, stem: str, image: int, classes: int) -> float:
    """Return the floating-point operations of a training step for one image (see `workloads.flops`).

    ResNet-50 at 224 pixels: 4.09 G multiply-adds forward, hence 24.3 GFLOP.
    """
    multiply_adds = []
    for tensor in tensors(blocks=blocks, bottleneck=bottleneck, stem=stem, image=image, classes=classes):
        if tensor.role == "weight" and tensor.kind in ("conv", "dense"):
            side = 1 if tensor.kind == "dense" else _side(tensor.layer, bottleneck, stem, image)
            multiply_adds.append(math.prod(tensor.shape) * side**2)
    return of_training(multiply_adds)


def _side(path: str, bottleneck: bool, stem: str, image: int) -> int:
    """Return height and width of a convolution's output; each stride of 2 halves them, rounded up.

    Args:
        path: of the convolution, such as "layer2.0.conv1".
        bottleneck: as in `tensors`.
        stem: likewise.
        image: likewise.
    """
    stage, *block = path.split(".")
    if not block:
        return _halved(image, 1 if stem == "large" else 0)
    halvings = (2 if stem == "large" else 0) + int(stage.removeprefix("layer")) - 1
    # The first 1x1 of a bottleneck comes before the stride.
    before = bottleneck and block == ["0", "conv1"] and stage != "layer1"
    return _halved(image, halvings - before)


def _halved(side: int, times: int) -> int:
    for _ in range(times):
        side = (side + 1) // 2
    return side
