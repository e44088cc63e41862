"""Optimizer update rules in numpy, a module per optimizer kind: which rule explains a contestant's own steps?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from trivet_worker.rules import sgd


class Replay(Protocol):
    """Holds a contestant's steps against the forms of its optimizer's rules."""

    def step(
        self,
        rate: float,
        gradients: Mapping[str, np.ndarray],
        before: Mapping[str, np.ndarray],
        after: Mapping[str, np.ndarray],
    ) -> None:
        """Take note of one step: learning rate, gradients, parameters before and after, by name."""

    def fits(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return {rule: {form: {"before": residual, "after": residual, "where": tensor}}}; see the kind's module."""


KINDS = {"sgd": sgd.Replay}


def replay(optimizer: Mapping[str, Any]) -> Replay | None:
    """Return a fresh replay for a job's optimizer, None for a kind whose rules are not written down here."""
    kind = KINDS.get(optimizer["kind"])
    return None if kind is None else kind(optimizer)
