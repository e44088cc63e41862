"""The mlp workload on numpy."""

from __future__ import annotations

import numpy as np

from trivet_worker.frameworks.numpy.layers import Chain, Dense, ReLU


def build(*, features: int, hidden: int, classes: int) -> Chain:
    """Return the model; it maps (B, features) to logits (B, classes)."""
    generator = np.random.default_rng()
    return Chain(
        Dense("fc1", features, hidden, generator),
        ReLU(),
        Dense("fc2", hidden, hidden, generator),
        ReLU(),
        Dense("fc3", hidden, classes, generator),
    )
