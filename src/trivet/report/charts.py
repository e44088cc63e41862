"""Charts as Vega-Lite specifications. Colours and fonts come from the page, which knows whether it is dark.

Each function returns None where there is nothing to draw.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import altair as alt

from trivet.conclude.ranking import against_leader, by_speed
from trivet.model.result import ContestantResult, WorkloadResult

Chart = dict[str, Any]
Rows = list[dict[str, Any]]

ROW = 26
"""Height of one line of a chart, in pixels."""

PHASES = {"import": "import", "build": "build", "compile": "trace and compile", "first_step": "first step"}
"""Phase of a start-up -> its name in the legend, in order of time."""

_USUAL = {"jax", "tensorflow", "torch"}
_LINES = 80
"""Points of a curve."""


def throughput(workload: WorkloadResult) -> Chart | None:
    """Draw each contestant's throughput as a dot with its interval."""
    rows: Rows = [
        {
            "contestant": one.contestant,
            "framework": one.framework,
            "value": one.throughput.value,
            "low": one.throughput.low if one.throughput.low is not None else one.throughput.value,
            "high": one.throughput.high if one.throughput.high is not None else one.throughput.value,
        }
        for one in by_speed(workload)
        if one.throughput and one.status != "not_equal"
    ]
    if not rows:
        return None
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=_labels(rows),
        color=_frameworks(workload),
        tooltip=[
            alt.Tooltip("contestant:N"),
            alt.Tooltip("value:Q", format=",.4~r", title=f"{workload.unit}/s"),
            alt.Tooltip("low:Q", format=",.4~r"),
            alt.Tooltip("high:Q", format=",.4~r"),
        ],
    )
    scale = alt.X("value:Q", title=f"{workload.unit}/s", scale=alt.Scale(zero=True, nice=True))
    bars = base.mark_bar(height=2, opacity=0.35).encode(x=scale)
    spans = base.mark_rule(strokeWidth=5, opacity=0.45).encode(x=alt.X("low:Q"), x2="high:Q")
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(x="value:Q")
    return _finish(bars + spans + dots, lines=len(rows))


def ratios(workload: WorkloadResult, margin: float) -> Chart | None:
    """Draw the leader's ratio to each other contestant: every generation, the interval, and the margin around 1."""
    pairs = against_leader(workload)
    if not pairs:
        return None
    rows: Rows = [
        {
            "contestant": pair.b,
            "framework": _one(workload, pair.b).framework,
            "ratio": pair.ratio,
            "low": pair.low,
            "high": pair.high,
            "verdict": pair.verdict.replace("_", " "),
        }
        for pair in pairs
    ]
    dots: Rows = [
        {
            "contestant": pair.b,
            "framework": _one(workload, pair.b).framework,
            "each": ratio,
            "generation": number,
        }
        for pair in pairs
        for number, ratio in enumerate(pair.generations, start=1)
    ]
    least = min(0.94, *(row["low"] for row in rows), *(dot["each"] for dot in dots)) / 1.01
    most = max(1.06, *(row["high"] for row in rows), *(dot["each"] for dot in dots)) * 1.01
    scale = alt.Scale(type="log", domain=[least, most], nice=False)
    title = "times as fast"
    axis = alt.Axis(format=".3~r", values=_ticks(least, most))
    colour = _frameworks(workload)
    band = (
        alt.Chart(alt.InlineData(values=[{"from": 1 / (1 + margin), "to": 1 + margin}]))
        .mark_rect(opacity=0.12)
        .encode(x=alt.X("from:Q", scale=scale, title=title, axis=axis), x2="to:Q")
    )
    spans = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_rule(strokeWidth=5, opacity=0.45)
        .encode(x=alt.X("low:Q", scale=scale), x2="high:Q", y=_labels(rows), color=colour)
    )
    singles = (
        alt.Chart(alt.InlineData(values=dots))
        .mark_point(filled=True, size=16, opacity=0.9, yOffset=-8)
        .encode(
            x=alt.X("each:Q", scale=scale),
            y=_labels(rows),
            color=colour,
            tooltip=[alt.Tooltip("generation:O"), alt.Tooltip("each:Q", format=".4~r", title="ratio")],
        )
    )
    centres = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            x=alt.X("ratio:Q", scale=scale),
            y=_labels(rows),
            color=colour,
            tooltip=[
                alt.Tooltip("contestant:N"),
                alt.Tooltip("ratio:Q", format=".4~r"),
                alt.Tooltip("low:Q", format=".4~r"),
                alt.Tooltip("high:Q", format=".4~r"),
                alt.Tooltip("verdict:N"),
            ],
        )
    )
    return _finish(band + spans + singles + centres, lines=len(rows))


def start_up(workload: WorkloadResult) -> Chart | None:
    """Draw start-up by phase, cold above warm."""
    rows: Rows = [
        {
            "contestant": one.contestant,
            "caches": caches,
            "phase": PHASES.get(phase, phase),
            "order": place,
            "seconds": seconds,
        }
        for one in by_speed(workload)
        for caches, start in (("cold", one.startup_cold), ("warm", one.startup_warm))
        if start
        for place, (phase, seconds) in enumerate(start.phases.items())
    ]
    if not rows:
        return None
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("seconds:Q", title="seconds"),
            y=_labels(rows),
            yOffset=alt.YOffset("caches:N", sort=["cold", "warm"], scale=alt.Scale(paddingInner=0.15)),
            color=alt.Color("phase:O", sort=list(PHASES.values()), legend=None),
            order="order:Q",
            tooltip=[
                alt.Tooltip("contestant:N"),
                alt.Tooltip("caches:N"),
                alt.Tooltip("phase:N"),
                alt.Tooltip("seconds:Q", format=".3~r"),
            ],
        )
    )
    return _finish(chart, lines=len({row["contestant"] for row in rows}), row=ROW + 6)


def total_time(workload: WorkloadResult) -> Chart | None:
    """Draw how much longer than the quickest each contestant takes for so many items, its cold start included."""
    runners = [
        (one, one.startup_cold.value, one.throughput.value)
        for one in by_speed(workload)
        if one.startup_cold and one.throughput and one.status == "measured"
    ]
    if len(runners) < 2:
        return None
    crossings = [
        items
        for pair in workload.pairs
        for items in [pair.break_even_items.get("cold")]
        if items is not None and items > 0
    ]
    slowest = min(speed for _, _, speed in runners)
    first = min([slowest * 0.5, *(items / 4 for items in crossings)])
    last = max([slowest * 600, *(items * 8 for items in crossings)])
    counts = [first * (last / first) ** (step / _LINES) for step in range(_LINES + 1)]
    rows: Rows = []
    for items in counts:
        times = {one.contestant: start + items / speed for one, start, speed in runners}
        best = min(times.values())
        rows += [
            {
                "contestant": one.contestant,
                "framework": one.framework,
                "items": items,
                "behind": times[one.contestant] / best,
                "seconds": times[one.contestant],
            }
            for one, _, _ in runners
        ]
    most = max(row["behind"] for row in rows)
    patterns = dashes(workload)
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=2, clip=True)
        .encode(
            x=alt.X(
                "items:Q",
                scale=alt.Scale(type="log", nice=False, domain=[first, last]),
                title=f"{workload.unit} trained",
                axis=alt.Axis(format="~s", values=_decades(first, last)),
            ),
            y=alt.Y(
                "behind:Q",
                scale=alt.Scale(type="log", domain=[1, max(1.5, most)], nice=False),
                title="time / quickest",
                axis=alt.Axis(format=".3~r", values=_ticks(1, max(1.5, most))),
            ),
            color=_frameworks(workload),
            strokeDash=alt.StrokeDash(
                "contestant:N",
                scale=alt.Scale(domain=list(patterns), range=list(patterns.values())),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("contestant:N"),
                alt.Tooltip("items:Q", format=",.3~r", title=workload.unit),
                alt.Tooltip("seconds:Q", format=",.3~r"),
                alt.Tooltip("behind:Q", format=".3~r", title="over the quickest's"),
            ],
        )
    )
    return _finish(chart, lines=8)


def dashes(workload: WorkloadResult) -> dict[str, list[int]]:
    """Return label -> dash pattern: the first contestant of a framework solid, further ones broken ever shorter."""
    patterns = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])
    seen: Counter[str] = Counter()
    found = {}
    for one in workload.contestants:
        found[one.contestant] = patterns[seen[one.framework] % len(patterns)]
        seen[one.framework] += 1
    return found


def _one(workload: WorkloadResult, label: str) -> ContestantResult:
    return next(one for one in workload.contestants if one.contestant == label)


def _labels(rows: Rows) -> alt.Y:
    order = list(dict.fromkeys(row["contestant"] for row in rows))
    return alt.Y(
        "contestant:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False, labelPadding=8)
    )


def palette(workload: WorkloadResult) -> list[str]:
    """Return framework names in the order of the page's colours: the usual three have theirs in every report."""
    return sorted(_USUAL) + sorted({one.framework for one in workload.contestants} - _USUAL)


def _frameworks(workload: WorkloadResult) -> alt.Color:
    return alt.Color("framework:N", scale=alt.Scale(domain=palette(workload)), legend=None)


def _ticks(least: float, most: float) -> list[float]:
    """Return round values for a logarithmic axis of ratios."""
    if most / least > 20:
        return [
            power * digit
            for power in _decades(least / 10, most)
            for digit in (1, 2, 5)
            if least <= power * digit <= most
        ]
    step = next((one for one in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0) if (most - least) / one <= 8), 5.0)
    return [round(number * step, 3) for number in range(math.ceil(least / step), math.floor(most / step) + 1)]


def _decades(least: float, most: float) -> list[float]:
    return [10.0**power for power in range(math.ceil(math.log10(least)), math.floor(math.log10(most)) + 1)]


def _finish(chart: alt.Chart | alt.LayerChart, *, lines: int, row: int = ROW) -> Chart:
    sized = chart.properties(
        width="container", height=lines * row, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )
    spec: Chart = sized.to_dict()
    # The page brings its own theme; altair's would override it.
    spec.pop("config", None)
    return spec
