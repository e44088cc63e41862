"""What all charts share: colours, dash patterns, axes, size."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import altair as alt

from trivet.model.result import WorkloadResult
from trivet.report.colors import palette

Chart = dict[str, Any]
Rows = list[dict[str, Any]]

ROW = 26
"""Height of one line of a chart, in pixels."""

CROSS = "M-1,-1L1,1M1,-1L-1,1"
"""A shape as Vega takes it: a path within a square from -1 to 1. For what did not count or did not fit."""

_DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])
_SHAPES = ("circle", "triangle-up", "square", "diamond")


def dashes(workload: WorkloadResult) -> dict[str, list[int]]:
    """Return label -> dash pattern: the first contestant of a framework solid, further ones broken ever shorter."""
    return {label: list(_DASHES[place % len(_DASHES)]) for label, place in _places(workload).items()}


def shapes(workload: WorkloadResult) -> dict[str, str]:
    """Return label -> shape of its points: the first contestant of a framework has circles, further ones others."""
    return {label: _SHAPES[place % len(_SHAPES)] for label, place in _places(workload).items()}


def _places(workload: WorkloadResult) -> dict[str, int]:
    """Return label -> how many contestants of the same framework come before it."""
    seen: Counter[str] = Counter()
    found = {}
    for one in workload.contestants:
        found[one.contestant] = seen[one.framework]
        seen[one.framework] += 1
    return found


def framework_of(workload: WorkloadResult, label: str) -> str:
    """Return a contestant's framework."""
    return next(one.framework for one in workload.contestants if one.contestant == label)


def labels(rows: Rows) -> alt.Y:
    """Return an axis with a line for each contestant, in the order of the rows."""
    order = list(dict.fromkeys(row["contestant"] for row in rows))
    return alt.Y(
        "contestant:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False, labelPadding=8)
    )


def frameworks(workload: WorkloadResult) -> alt.Color:
    """Return the colour of a row's framework."""
    return alt.Color(
        "framework:N",
        scale=alt.Scale(domain=palette(one.framework for one in workload.contestants)),
        legend=None,
    )


def dash(workload: WorkloadResult) -> alt.StrokeDash:
    """Return the dash pattern of a row's contestant."""
    patterns = dashes(workload)
    return alt.StrokeDash(
        "contestant:N", scale=alt.Scale(domain=list(patterns), range=list(patterns.values())), legend=None
    )


def ticks(least: float, most: float) -> list[float]:
    """Return round values for a logarithmic axis of ratios."""
    if most / least > 20:
        return [
            power * digit
            for power in decades(least / 10, most)
            for digit in (1, 2, 5)
            if least <= power * digit <= most
        ]
    step = next((one for one in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0) if (most - least) / one <= 8), 5.0)
    return [round(number * step, 3) for number in range(math.ceil(least / step), math.floor(most / step) + 1)]


def decades(least: float, most: float) -> list[float]:
    """Return the powers of ten in a range."""
    return [10.0**power for power in range(math.ceil(math.log10(least)), math.floor(math.log10(most)) + 1)]


def finish(chart: alt.Chart | alt.LayerChart | alt.FacetChart, *, lines: int, row: int = ROW) -> Chart:
    """Return the specification of a chart that is as wide as its place and some lines high."""
    sized = chart.properties(
        width="container", height=lines * row, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )
    spec: Chart = sized.to_dict()
    # The page brings its own theme; altair's would override it.
    spec.pop("config", None)
    return spec
