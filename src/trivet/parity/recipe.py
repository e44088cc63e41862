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

BATCH = 8
"""Examples per step: few, so that N/(N-1) is far from 1 and a gate takes seconds. With 4, the last stage of ResNet-50
normalises over 16 values, and ten steps multiply rounding so much that correct programs were measured 5e-7 apart (seed
2); with 8 they stayed within 5e-10."""


def optimizer(workload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the workload's optimizer with the gate's exact constants in place of its own."""
    exact = {"learning_rate": RATES[0], "momentum": MOMENTUM}
    return {name: exact.get(name, value) for name, value in workload.items()}
