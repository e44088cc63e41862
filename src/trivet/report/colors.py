"""The colour of each framework: the usual three have theirs in every page."""

from __future__ import annotations

from collections.abc import Iterable

_COLORS = ("--c1", "--c2", "--c3", "--c4", "--c5", "--c6")
"""Of style.css, which the charts take in the same order."""

_USUAL = {"jax", "tensorflow", "torch"}


def palette(frameworks: Iterable[str]) -> list[str]:
    """Return framework names in the order of the colours."""
    return sorted(_USUAL) + sorted(set(frameworks) - _USUAL)


def colors(frameworks: Iterable[str]) -> dict[str, str]:
    """Return framework -> its colour, a variable of style.css."""
    named = list(frameworks)
    order = palette(named)
    return {name: _COLORS[order.index(name) % len(_COLORS)] for name in named}
