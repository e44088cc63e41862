"""Where programs start from other values when nobody gives them shared ones: told apart, since it blocks nothing."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence

from trivet.model.parity import InitialValues
from trivet.parity.trace import Trace

LIMIT = 1.5
"""Ratio of root mean squares from which on initial values count as different, beyond what chance makes of few values:
that of n normal values has a relative standard deviation of 1/√(2n)."""

_DEVIATIONS = 3.0


def initial_values(traces: Sequence[Trace]) -> tuple[InitialValues, ...]:
    """Return the tensors that contestants initialise differently, in execution order.

    Args:
        traces: whose `Trace.initial` are compared; a tensor that one of them lacks, or starts from values
            that are not finite, is left out.
    """
    if len(traces) < 2:
        return ()
    names = [name for name in traces[0].initial if all(name in trace.initial for trace in traces)]
    found = []
    for name in names:
        scales = {trace.label: trace.initial[name][0] for trace in traces}
        elements = traces[0].initial[name][1]
        if all(map(math.isfinite, scales.values())) and _apart(
            scales.values(), LIMIT * (1 + _DEVIATIONS / math.sqrt(max(elements, 1)))
        ):
            found.append(InitialValues(tensor=name, scales=scales))
    return tuple(found)


def among(found: Iterable[InitialValues], labels: Mapping[str, str]) -> tuple[InitialValues, ...]:
    """Return what was found for some of the contestants, under other labels.

    Args:
        found: for all of them.
        labels: label -> new label, of those that are asked about.
    """
    kept = [
        dataclasses.replace(one, scales={new: one.scales[label] for label, new in labels.items()})
        for one in found
    ]
    return tuple(one for one in kept if _apart(one.scales.values(), LIMIT))


def _apart(scales: Iterable[float], allowed: float) -> bool:
    sizes = list(scales)
    return max(sizes) > allowed * min(sizes)
