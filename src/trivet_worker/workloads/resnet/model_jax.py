"""The ResNet family in Flax NNX, images channels-last.

Padding is explicit and symmetric as in the paper's code: "SAME" pads a stride of 2 on the bottom and right only.

References:
    He, Zhang, Ren, Sun (2016), Deep residual learning for image recognition, doi:10.1109/CVPR.2016.90.
"""

from __future__ import annotations

from functools import partial

import jax
from flax import nnx
from flax.typing import Dtype

EXPANSION = 4
"""Output channels of a bottleneck over its width."""


def _conv(
    width_in: int, width_out: int, window: int, strides: int, dtype: Dtype | None, rngs: nnx.Rngs
) -> nnx.Conv:
    return nnx.Conv(
        width_in,
        width_out,
        (window, window),
        strides=(strides, strides),
        padding=window // 2,
        use_bias=False,
        dtype=dtype,
        rngs=rngs,
    )


def _norm(width: int, dtype: Dtype | None, rngs: nnx.Rngs) -> nnx.BatchNorm:
    return nnx.BatchNorm(width, momentum=0.9, epsilon=1e-5, dtype=dtype, rngs=rngs)


class BasicBlock(nnx.Module):
    """Two 3x3 convolutions beside a shortcut."""

    def __init__(
        self, width_in: int, width: int, strides: int, *, dtype: Dtype | None, rngs: nnx.Rngs
    ) -> None:
        conv, norm = partial(_conv, dtype=dtype, rngs=rngs), partial(_norm, dtype=dtype, rngs=rngs)
        self.conv1 = conv(width_in, width, 3, strides)
        self.bn1 = norm(width)
        self.conv2 = conv(width, width, 3, 1)
        self.bn2 = norm(width)
        if strides > 1 or width_in != width:
            self.downsample = nnx.Sequential(conv(width_in, width, 1, strides), norm(width))
        else:
            self.downsample = nnx.identity
        self.width_out = width

    def __call__(self, x: jax.Array) -> jax.Array:
        y = nnx.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return nnx.relu(y + self.downsample(x))


class Bottleneck(nnx.Module):
    """1x1, 3x3 and 1x1 convolutions beside a shortcut; the stride is on the 3x3 ("v1.5")."""

    def __init__(
        self, width_in: int, width: int, strides: int, *, dtype: Dtype | None, rngs: nnx.Rngs
    ) -> None:
        conv, norm = partial(_conv, dtype=dtype, rngs=rngs), partial(_norm, dtype=dtype, rngs=rngs)
        width_out = width * EXPANSION
        self.conv1 = conv(width_in, width, 1, 1)
        self.bn1 = norm(width)
        self.conv2 = conv(width, width, 3, strides)
        self.bn2 = norm(width)
        self.conv3 = conv(width, width_out, 1, 1)
        self.bn3 = norm(width_out)
        if strides > 1 or width_in != width_out:
            self.downsample = nnx.Sequential(conv(width_in, width_out, 1, strides), norm(width_out))
        else:
            self.downsample = nnx.identity
        self.width_out = width_out

    def __call__(self, x: jax.Array) -> jax.Array:
        y = nnx.relu(self.bn1(self.conv1(x)))
        y = nnx.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        return nnx.relu(y + self.downsample(x))


class ResNet(nnx.Module):
    """Images (B, H, W, 3) to logits (B, classes)."""

    def __init__(
        self,
        blocks: list[int],
        block: type[BasicBlock | Bottleneck],
        stem: str,
        classes: int,
        *,
        dtype: Dtype | None,
        rngs: nnx.Rngs,
    ) -> None:
        self.stem = stem
        if stem == "large":
            self.conv1 = _conv(3, 64, 7, 2, dtype, rngs)
        else:
            self.conv1 = _conv(3, 64, 3, 1, dtype, rngs)
        self.bn1 = _norm(64, dtype, rngs)
        channels = 64

        def stage(count: int, width: int, strides: int) -> nnx.Sequential:
            nonlocal channels
            layers = []
            for number in range(count):
                layers.append(block(channels, width, strides if number == 0 else 1, dtype=dtype, rngs=rngs))
                channels = layers[-1].width_out
            return nnx.Sequential(*layers)

        self.layer1 = stage(blocks[0], 64, 1)
        self.layer2 = stage(blocks[1], 128, 2)
        self.layer3 = stage(blocks[2], 256, 2)
        self.layer4 = stage(blocks[3], 512, 2)
        self.fc = nnx.Linear(channels, classes, dtype=dtype, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = nnx.relu(self.bn1(self.conv1(x)))
        if self.stem == "large":
            x = nnx.max_pool(x, (3, 3), strides=(2, 2), padding=((1, 1), (1, 1)))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        x = x.mean(axis=(1, 2))
        return self.fc(x)


def build(
    *,
    rngs: nnx.Rngs,
    dtype: Dtype | None = None,
    blocks: list[int],
    bottleneck: bool,
    stem: str,
    image: int,  # any: fully convolutional
    classes: int,
) -> nnx.Module:
    """Return the model; ``dtype`` is that of the computation, None for that of its inputs."""
    block = Bottleneck if bottleneck else BasicBlock
    return ResNet(blocks, block, stem, classes, dtype=dtype, rngs=rngs)
