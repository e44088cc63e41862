"""Points by how far a ratio goes."""

from __future__ import annotations

from collections.abc import Sequence

from trivet.decide.tree import Rule

MARGIN = 1.05
"""A ratio that is not beyond it is no practical difference, and no advantage."""


def band(bands: Sequence[tuple[float, float]], ratio: float) -> int:
    """Return how many bands a ratio lies beyond."""
    return sum(ratio > beyond for beyond, _ in bands)


def reached(rule: Rule, count: int) -> tuple[str, float]:
    """Return the ratio of the last band that was reached, for people, and its points.

    Args:
        rule: with bands.
        count: at least 1.
    """
    beyond, points = rule.bands[count - 1]
    return f"{beyond:g}", points
