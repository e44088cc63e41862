"""A training loop in plain PyTorch."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - what every PyTorch file calls it


def loop(model_file, batches, sizes, settings):
    """Return a function that takes steps and waits for them."""
    model = model_file.build(**sizes).to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(
        model.parameters(), lr=settings["learning_rate"], momentum=settings["momentum"]
    )
    placed = [(_inputs(batch.inputs), torch.tensor(batch.labels, dtype=torch.int64)) for batch in batches]

    def run(steps):
        for number in range(steps):
            inputs, labels = placed[number % 2]
            loss = F.cross_entropy(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return loss.item()

    return run


def _inputs(array):
    inputs = torch.tensor(array)
    return inputs.permute(0, 3, 1, 2) if inputs.ndim == 4 else inputs
