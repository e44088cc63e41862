"""Throughput and its ratios, with their intervals."""

from __future__ import annotations

import altair as alt

from trivet.conclude.ranking import against_leader, by_speed
from trivet.model.result import WorkloadResult
from trivet.report.charts.spec import Chart, Rows, finish, framework_of, frameworks, labels, ticks


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
        y=labels(rows),
        color=frameworks(workload),
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
    return finish(bars + spans + dots, lines=len(rows))


def ratios(workload: WorkloadResult, margin: float) -> Chart | None:
    """Draw the leader's ratio to each other contestant: every generation, the interval, and the margin around 1."""
    pairs = against_leader(workload)
    if not pairs:
        return None
    rows: Rows = [
        {
            "contestant": pair.b,
            "framework": framework_of(workload, pair.b),
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
            "framework": framework_of(workload, pair.b),
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
    axis = alt.Axis(format=".3~r", values=ticks(least, most))
    colour = frameworks(workload)
    band = (
        alt.Chart(alt.InlineData(values=[{"from": 1 / (1 + margin), "to": 1 + margin}]))
        .mark_rect(opacity=0.12)
        .encode(x=alt.X("from:Q", scale=scale, title=title, axis=axis), x2="to:Q")
    )
    spans = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_rule(strokeWidth=5, opacity=0.45)
        .encode(x=alt.X("low:Q", scale=scale), x2="high:Q", y=labels(rows), color=colour)
    )
    singles = (
        alt.Chart(alt.InlineData(values=dots))
        .mark_point(filled=True, size=16, opacity=0.9, yOffset=-8)
        .encode(
            x=alt.X("each:Q", scale=scale),
            y=labels(rows),
            color=colour,
            tooltip=[alt.Tooltip("generation:O"), alt.Tooltip("each:Q", format=".4~r", title="ratio")],
        )
    )
    centres = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            x=alt.X("ratio:Q", scale=scale),
            y=labels(rows),
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
    return finish(band + spans + singles + centres, lines=len(rows))
