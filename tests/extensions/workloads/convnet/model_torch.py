"""A small convolutional network in PyTorch, its image flattened channels last."""

import torch
from torch import nn


class ConvNet(nn.Module):
    """(B, 3, H, W) to logits (B, classes)."""

    def __init__(self, image: int, width: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1)
        self.relu = nn.ReLU()
        self.pool = nn.AvgPool2d(3, stride=1, padding=1, count_include_pad=False)
        self.fc1 = nn.Linear(image * image * width, hidden)
        self.dropout = nn.Dropout(0.0)
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pool(self.relu(self.conv(x)))
        x = x.permute(0, 2, 3, 1).flatten(1)
        x = self.dropout(self.relu(self.fc1(x)))
        return self.fc2(x)


def build(*, image: int, width: int, hidden: int, classes: int) -> nn.Module:
    """Return the model in training mode."""
    return ConvNet(image, width, hidden, classes)
