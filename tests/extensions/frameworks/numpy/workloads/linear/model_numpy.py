"""The linear workload on numpy."""

from __future__ import annotations

import numpy as np

from trivet_worker.frameworks.numpy.layers import Chain, Dense


def build(*, features: int, classes: int) -> Chain:
    """Return the model; it maps (B, features) to logits (B, classes)."""
    return Chain(Dense("fc", features, classes, np.random.default_rng()))
