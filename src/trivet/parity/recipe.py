"""The constants of the gate: what every contestant is asked to compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FIRST_RATES = {"sgd": 0.125, "adamw": 0.0078125}
"""Optimizer -> first learning rate. An update of Adam is as large as the rate, whatever the gradient."""

MOMENTUM = 0.875

CONSTANTS: Mapping[str, Any] = {
    "momentum": MOMENTUM,
    "beta_1": 0.875,
    "beta_2": 0.96875,
    "epsilon": 0.0009765625,
    "weight_decay": 0.0625,
    "clip_norm": 0.25,
    "milestones": [5],
    "gamma": 0.5,
}
"""In place of a workload's own, where it has them. Powers of two, or with such denominators: Keras keeps the rate in
float32, and a constant that float32 does not hold exactly would part it from the others by 1e-8. The epsilon is large
enough to matter, and the norm at which clipping begins small enough."""

CHANGED_AFTER = 5
"""Steps before the learning rate is halved: the momentum rules part there."""

STEPS = 10

BATCH = 8
"""Examples per step: few, so that N/(N-1) is far from 1 and a gate takes seconds. With 4, the last stage of ResNet-50
normalises over 16 values, and ten steps multiply rounding so much that correct programs were measured 5e-7 apart (seed
2); with 8 they stayed within 5e-10."""


def optimizer(workload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the workload's optimizer with the gate's exact constants in place of its own."""
    exact = {**CONSTANTS, "learning_rate": FIRST_RATES.get(workload["kind"], FIRST_RATES["sgd"])}
    return {name: exact.get(name, value) for name, value in workload.items()}


def rates(optimizer: Mapping[str, Any]) -> tuple[float, ...]:
    """Return the learning rate of each step, given the gate's optimizer.

    Where the optimizer has milestones, its own schedule comes to the same.
    """
    first: float = optimizer["learning_rate"]
    return (first,) * CHANGED_AFTER + (first / 2,) * (STEPS - CHANGED_AFTER)
