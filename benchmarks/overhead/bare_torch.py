"""A training loop in plain PyTorch."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - what every PyTorch file calls it


def loop(model_file, batch, sizes, settings):
    """Return a function that takes steps and waits for them."""
    model = model_file.build(**sizes).to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(
        model.parameters(), lr=settings["learning_rate"], momentum=settings["momentum"]
    )
    inputs = torch.tensor(batch.inputs)
    if inputs.ndim == 4:
        inputs = inputs.permute(0, 3, 1, 2)
    labels = torch.tensor(batch.labels, dtype=torch.int64)

    def run(steps):
        for _ in range(steps):
            loss = F.cross_entropy(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return loss.item()

    return run
