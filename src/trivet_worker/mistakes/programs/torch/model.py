"""A small classifier, written as the PyTorch tutorial "Build the Neural Network" writes one."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    """Linear, batch normalisation, ReLU, dropout, linear: (N, features) to logits (N, classes)."""

    def __init__(self, features, hidden, classes):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden, bias=False)
        self.norm = nn.BatchNorm1d(hidden)
        self.dropout = nn.Dropout(0.2)
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.fc1(x)
        h = F.relu(self.norm(h))
        h = self.dropout(h)
        return self.fc2(h)
