"""Every tensor of every pair of contestants, one tensor in memory at a time."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from trivet.parity import checks, conventions, distance
from trivet.parity.trace import Trace


@dataclasses.dataclass(frozen=True, kw_only=True)
class Comparison:
    """How far contestants are apart.

    Attributes:
        errors: (label of a, label of b) -> key -> relative difference of a to b. Keys in execution order; only those
            in which the two should agree.
    """

    errors: Mapping[tuple[str, str], Mapping[str, float]]

    def failing(self, ours: str, theirs: str) -> list[str]:
        """Return the keys in which two contestants differ by more than the limit."""
        return [key for key, error in self.errors[ours, theirs].items() if not error <= checks.limit(key)]

    def agree(self, one: str, other: str) -> bool:
        """Say whether two contestants agree in everything, each measured against the other."""
        return not self.failing(one, other) and not self.failing(other, one)

    def worst(self, ours: str, others: Iterable[str]) -> dict[str, float]:
        """Return the largest relative difference to any of the others by kind of quantity."""
        found: dict[str, float] = {}
        for theirs in others:
            for key, error in self.errors[ours, theirs].items():
                check = checks.check(key)
                found[check] = max(found.get(check, 0.0), error)
        return found


def compare(traces: Sequence[Trace]) -> Comparison:
    """Return the relative differences of all pairs, in both directions.

    What one of two contestants lacks has nothing in common with the other's.
    """
    keys = list(dict.fromkeys(key for trace in traces for key in _keys(trace)))
    pairs = list(itertools.combinations(traces, 2))
    gaps: dict[tuple[str, str, str], float] = {}
    sizes: dict[tuple[str, str], float] = {}
    for key in keys:
        values = {trace.label: _value(trace, key) for trace in traces}
        for label, value in values.items():
            sizes[label, key] = 0.0 if value is None else distance.norm(value)
        for one, other in pairs:
            if conventions.comparable(one, other, key):
                a, b = values[one.label], values[other.label]
                gaps[one.label, other.label, key] = math.inf if a is None or b is None else distance.gap(a, b)
    wholes = _wholes(sizes)
    errors: dict[tuple[str, str], dict[str, float]] = {}
    for one, other in pairs:
        for ours, theirs in ((one.label, other.label), (other.label, one.label)):
            errors[ours, theirs] = {
                key: distance.relative(
                    gaps[one.label, other.label, key], sizes[theirs, key], wholes[theirs, checks.whole(key)]
                )
                for key in keys
                if (one.label, other.label, key) in gaps
            }
    return Comparison(errors=errors)


def _keys(trace: Trace) -> list[str]:
    """Return what is compared: all but the taps, which only locate a difference, and what all were given."""
    arrays = [key for key in trace.arrays if not key.startswith(("tap/", "statistic/0/"))]
    return arrays + [f"loss/{number}" for number in range(1, len(trace.losses) + 1)]


def _value(trace: Trace, key: str) -> np.ndarray | None:
    if checks.check(key) == "loss":
        number = checks.step(key)
        return np.array(trace.losses[number - 1]) if number <= len(trace.losses) else None
    return conventions.common_form(trace, key) if key in trace.arrays else None


def _wholes(sizes: Mapping[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    squares: dict[tuple[str, str], float] = {}
    for (label, key), size in sizes.items():
        part_of = (label, checks.whole(key))
        squares[part_of] = squares.get(part_of, 0.0) + size**2
    return {part_of: math.sqrt(square) for part_of, square in squares.items()}
