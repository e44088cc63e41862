"""ResNet in PyTorch, with the module names of torchvision.

Version 1.5: a bottleneck's stride sits on its 3x3 convolution.
"""

from collections import OrderedDict

import torch
from torch import nn


class BasicBlock(nn.Module):
    """Two 3x3 convolutions and a shortcut: (B, channels, H, W) -> (B, width, H / stride, W / stride)."""

    expansion = 1

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = shortcut(channels, width, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        identity = x if self.downsample is None else self.downsample(x)
        return self.relu(out + identity)


class Bottleneck(nn.Module):
    """1x1, 3x3, 1x1 convolutions and a shortcut: (B, channels, H, W) -> (B, 4 width, H / stride, W / stride)."""

    expansion = 4

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, width * self.expansion, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(width * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = shortcut(channels, width * self.expansion, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        identity = x if self.downsample is None else self.downsample(x)
        return self.relu(out + identity)


def shortcut(channels: int, width: int, stride: int) -> nn.Module | None:
    """Return a projection to the block's output shape, or None where the input has that shape already."""
    if stride == 1 and channels == width:
        return None
    return nn.Sequential(nn.Conv2d(channels, width, 1, stride=stride, bias=False), nn.BatchNorm2d(width))


def build(*, blocks: list[int], bottleneck: bool, stem: str, image: int, classes: int) -> nn.Module:
    """Return the model in training mode: (B, 3, image, image) -> logits (B, classes).

    Args:
        blocks: residual blocks per stage; every stage after the first halves the image and doubles the width.
        bottleneck: 1x1-3x3-1x1 blocks instead of two 3x3.
        stem: "large" (7x7 with stride 2, then a max-pool) or "small" (3x3).
        image: height and width; the network is convolutional and takes any.
        classes: number of logits.
    """
    block = Bottleneck if bottleneck else BasicBlock
    layers: OrderedDict[str, nn.Module] = OrderedDict()
    if stem == "large":
        layers["conv1"] = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)
    else:
        layers["conv1"] = nn.Conv2d(3, 64, 3, padding=1, bias=False)
    layers["bn1"] = nn.BatchNorm2d(64)
    layers["relu"] = nn.ReLU(inplace=True)
    if stem == "large":
        layers["maxpool"] = nn.MaxPool2d(3, stride=2, padding=1)
    channels = 64
    for stage, count in enumerate(blocks):
        width = 64 * 2**stage
        residual = []
        for number in range(count):
            stride = 2 if stage > 0 and number == 0 else 1
            residual.append(block(channels, width, stride))
            channels = width * block.expansion
        layers[f"layer{stage + 1}"] = nn.Sequential(*residual)
    layers["avgpool"] = nn.AdaptiveAvgPool2d(1)
    layers["flatten"] = nn.Flatten()
    layers["fc"] = nn.Linear(channels, classes)
    return nn.Sequential(layers)
