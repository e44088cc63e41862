"""The constants of the gate: what every contestant is asked to compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RATES = (0.125,) * 5 + (0.0625,) * 5
"""Learning rate of each step. Powers of two, as is `MOMENTUM`'s denominator: Keras keeps them in float32, and a
constant that float32 does not hold exactly would part it from the others by 1e-8."""

CHANGED_AFTER = 5
"""Steps before the learning rate changes: the momentum rules part there."""

STEPS = len(RATES)

MOMENTUM = 0.875

BATCH = 4
"""Examples per step: few, so that N/(N-1) is far from 1 and a gate takes seconds; more than one, so that a sum is no
mean."""


def optimizer(workload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the workload's optimizer with the gate's exact constants in place of its own."""
    exact = {"learning_rate": RATES[0], "momentum": MOMENTUM}
    return {name: exact.get(name, value) for name, value in workload.items()}
