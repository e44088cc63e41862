"""What the gate compares, in which order, and against which limit.

A *key* names one compared quantity: an array of the trace (``gradient/fc.weight``), or a step's loss (``loss/7``).
"""

from __future__ import annotations

from trivet.parity.distance import LIMIT, LIMIT_AFTER_STEPS

CHECKS = ("eval_output", "train_output", "loss", "gradient", "statistic", "parameter")
"""Kinds of quantity, in the order in which a training step comes to them."""

_CHECKS_BY_HEAD = {check: check for check in CHECKS} | {"update": "parameter"}


def check(key: str) -> str:
    """Return the kind of a key: one of `CHECKS`."""
    return _CHECKS_BY_HEAD[key.partition("/")[0]]


def step(key: str) -> int:
    """Return the step that a quantity belongs to: 1 for outputs and gradients."""
    parts = key.split("/", 2)
    return int(parts[1]) if parts[0] in ("loss", "statistic", "update") else 1


def tensor(key: str) -> str:
    """Return the canonical tensor name in a key, "" where there is none."""
    parts = key.split("/", 2)
    if parts[0] == "gradient":
        return parts[1]
    return parts[2] if parts[0] in ("statistic", "update") else ""


def whole(key: str) -> str:
    """Return what a quantity is a part of: all losses, all gradients, the updates or statistics of one step."""
    head = key.partition("/")[0]
    return f"{head}/{step(key)}" if head in ("statistic", "update") else head


def limit(key: str) -> float:
    """Return the largest relative difference that passes."""
    late = check(key) == "parameter" or step(key) > 1
    return LIMIT_AFTER_STEPS if late else LIMIT
