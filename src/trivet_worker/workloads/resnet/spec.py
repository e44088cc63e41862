"""The ResNet family in numpy.

References:
    He, Zhang, Ren, Sun (2016), Deep residual learning for image recognition, doi:10.1109/CVPR.2016.90.
    "v1.5" moves the stride of a bottleneck from its first 1x1 to its 3x3 convolution.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trivet_worker.contract import Batch
from trivet_worker.layouts.tensor import Tensor

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
