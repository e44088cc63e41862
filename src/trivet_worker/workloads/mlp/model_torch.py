"""A multilayer perceptron in PyTorch."""

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    """Two hidden layers with ReLU: (B, features) -> logits (B, classes)."""

    def __init__(self, features: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def build(*, features: int, hidden: int, classes: int) -> nn.Module:
    """Return the model in training mode."""
    return MLP(features, hidden, classes)
