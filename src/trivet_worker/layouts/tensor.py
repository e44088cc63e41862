"""A tensor of a workload, as trivet names it."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Tensor:
    """One parameter or statistic.

    Attributes:
        layer: path of its layer in the model, such as "layer1.0.conv1".
        kind: its layer's kind, a key of `trivet_worker.layouts.KINDS`.
        role: "weight", "bias", "mean" or "variance".
        shape: in canonical axis order.
    """

    layer: str
    kind: str
    role: str
    shape: tuple[int, ...]

    @property
    def name(self) -> str:
        """Return the canonical name, such as "layer1.0.conv1.weight"."""
        return f"{self.layer}.{self.role}"

    @property
    def trainable(self) -> bool:
        """Say whether it is a parameter (True) or a normalisation statistic (False)."""
        return self.role in ("weight", "bias")
