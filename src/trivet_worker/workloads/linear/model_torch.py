"""Logistic regression in PyTorch."""

import torch
from torch import nn


class Linear(nn.Module):
    """One fully connected layer: (B, features) -> logits (B, classes)."""

    def __init__(self, features: int, classes: int) -> None:
        super().__init__()
        self.fc = nn.Linear(features, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(x)


def build(*, features: int, classes: int) -> nn.Module:
    """Return the model in training mode."""
    return Linear(features, classes)
