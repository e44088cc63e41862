"""PyTorch's own large operations; see `trivet_worker.contract.PeakModule`."""

from __future__ import annotations

import torch
from torch import nn

from trivet_worker.contract import Repeat

DTYPES = {"float32": torch.float32, "tf32": torch.float32, "bfloat16": torch.bfloat16}


def matmul(size: int, precision: str, device: str) -> Repeat:
    """Return what multiplies two (size, size) matrices."""
    left, right = (torch.randn(size, size, device=device).to(DTYPES[precision]) for _ in range(2))
    product = torch.empty_like(left)

    def repeat(times: int) -> None:
        for _ in range(times):
            torch.matmul(left, right, out=product)
        _wait(device)

    return repeat


def convolution(batch: int, image: int, channels: int, precision: str, device: str) -> Repeat:
    """Return what convolves (batch, channels, image, image) in channels_last memory, 3x3, to the same shape."""
    dtype = DTYPES[precision]
    layer = nn.Conv2d(channels, channels, 3, padding=1, bias=False, device=device, dtype=dtype)
    layer = layer.to(memory_format=torch.channels_last)
    inputs = torch.randn(batch, channels, image, image, device=device).to(dtype)
    inputs = inputs.to(memory_format=torch.channels_last)

    def repeat(times: int) -> None:
        with torch.inference_mode():
            for _ in range(times):
                layer(inputs)
        _wait(device)

    return repeat


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()
