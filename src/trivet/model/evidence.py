"""Evidence: one thing that is known of one framework, and how it is known."""

from __future__ import annotations

import dataclasses
from typing import Literal

Strength = Literal["measured", "counted", "cited", "asked"]
"""How it is known: by a run on this machine; counted by a script; from a dated source; from the user's own index."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Evidence:
    """One claim of one framework.

    Attributes:
        claim: what is claimed, as a dotted name: dimension first, such as "performance.throughput" or
            "ecosystem.needs.transformers".
        framework: "torch", "tensorflow" or "jax", or a framework of the user's own.
        contestant: whose number it is, such as "torch:compile"; "" for what holds for all variants.
        against: of a ratio, the contestant that it is set against; "" for others.
        value: the number, the word or the yes or no; None where it was asked for and could not be had.
        unit: of a number, "" for others.
        low: lower end of the 95 % interval, None without one.
        high: upper end.
        n: how many processes, mistakes or files it rests on, None where that means nothing.
        source: id of a run, or a citation that a reader can follow.
        dated: ISO date of the measurement, the count or the source.
        strength: how it is known.
        expires: ISO date from which it is stale, None for what is true of its run for ever.
        text: one sentence for people, with the number in it.
    """

    claim: str
    framework: str
    contestant: str = ""
    against: str = ""
    value: float | str | bool | None
    unit: str = ""
    low: float | None = None
    high: float | None = None
    n: int | None = None
    source: str
    dated: str
    strength: Strength
    expires: str | None = None
    text: str

    @property
    def key(self) -> str:
        """Return what tells it from all other evidence, such as "performance.throughput/torch:compile"."""
        return "/".join(filter(None, (self.claim, self.contestant or self.framework, self.against)))

    def is_stale(self, today: str) -> bool:
        """Say whether it has expired by a day, an ISO date."""
        return self.expires is not None and today >= self.expires
