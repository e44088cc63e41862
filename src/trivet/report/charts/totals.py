"""How long so many items take, start-up included: where the lead changes."""

from __future__ import annotations

import dataclasses

import altair as alt

from trivet.conclude.ranking import by_speed
from trivet.model.result import WorkloadResult
from trivet.report.charts.spec import Chart, Rows, dash, decades, finish, framework_of, frameworks, ticks
from trivet.report.crossing import crossings, start_up

_POINTS = 80
"""Of a curve, less one."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Runner:
    """A contestant whose start-up (seconds) and throughput (items per second) are known."""

    label: str
    framework: str
    start: float
    speed: float

    def seconds(self, items: float) -> float:
        """Return the time from the start of the process until so many items are done."""
        return self.start + items / self.speed


def total_time(workload: WorkloadResult) -> Chart | None:
    """Draw how much longer than the quickest each contestant takes for so many items, its cold start included."""
    runners = _runners(workload, "cold")
    if len(runners) < 2:
        return None
    found = [
        items
        for pair in workload.pairs
        for items in [pair.break_even_items.get("cold")]
        if items is not None and items > 0
    ]
    counts = _counts(runners, found, reach=600)
    rows: Rows = []
    for items in counts:
        times = {one.label: one.seconds(items) for one in runners}
        best = min(times.values())
        rows += [
            {
                "contestant": one.label,
                "framework": one.framework,
                "items": items,
                "behind": times[one.label] / best,
                "seconds": times[one.label],
            }
            for one in runners
        ]
    most = max(1.5, *(row["behind"] for row in rows))
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=2, clip=True)
        .encode(
            x=alt.X(
                "items:Q",
                scale=alt.Scale(type="log", nice=False, domain=[counts[0], counts[-1]]),
                title=f"{workload.unit} trained",
                axis=alt.Axis(format="~s", values=decades(counts[0], counts[-1])),
            ),
            y=alt.Y(
                "behind:Q",
                scale=alt.Scale(type="log", domain=[1, most], nice=False),
                title="time / quickest",
                axis=alt.Axis(format=".3~r", values=ticks(1, most)),
            ),
            color=frameworks(workload),
            strokeDash=dash(workload),
            tooltip=[
                alt.Tooltip("contestant:N"),
                alt.Tooltip("items:Q", format=",.3~r", title=workload.unit),
                alt.Tooltip("seconds:Q", format=",.3~r"),
                alt.Tooltip("behind:Q", format=".3~r", title="over the quickest's"),
            ],
        )
    )
    return finish(chart, lines=8)


def break_even(workload: WorkloadResult, caches: str) -> Chart | None:
    """Draw the items finished against the time since the start of the process, and mark where the lead changes.

    Args:
        workload: its conclusions.
        caches: "cold" or "warm".
    """
    runners = _runners(workload, caches)
    if len(runners) < 2:
        return None
    found = crossings(workload, caches)
    counts = _counts(runners, [one.items for one in found], reach=60)
    rows: Rows = [
        {
            "contestant": one.label,
            "framework": one.framework,
            "items": items,
            "minutes": one.seconds(items) / 60,
        }
        for one in runners
        for items in counts
    ]
    marks: Rows = [
        {
            "contestant": one.faster,
            "against": one.slower,
            "framework": framework_of(workload, one.faster),
            "what": f"{one.faster} passes {one.slower}",
            "items": one.items,
            "minutes": one.seconds / 60,
        }
        for one in found
    ]
    first, last = min(row["minutes"] for row in rows), max(row["minutes"] for row in rows)
    x = alt.X(
        "minutes:Q",
        scale=alt.Scale(type="log", nice=False, domain=[first, last]),
        title="minutes since the start of the process",
        axis=alt.Axis(format=",.3~r", values=decades(first, last)),
    )
    y = alt.Y(
        "items:Q",
        scale=alt.Scale(type="log", nice=False, domain=[counts[0], counts[-1]]),
        title=f"{workload.unit} trained",
        axis=alt.Axis(format="~s", values=decades(counts[0], counts[-1])),
    )
    numbers = [
        alt.Tooltip("items:Q", format=",.3~r", title=workload.unit),
        alt.Tooltip("minutes:Q", format=",.3~r"),
    ]
    lines = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=2, clip=True)
        .encode(
            x=x,
            y=y,
            color=frameworks(workload),
            strokeDash=dash(workload),
            tooltip=[alt.Tooltip("contestant:N"), *numbers],
        )
    )
    dots = (
        alt.Chart(alt.InlineData(values=marks))
        .mark_point(
            filled=True,
            size=110,
            opacity=1,
            shape="diamond",
            clip=True,
            stroke="var(--paper)",
            strokeWidth=1.2,
        )
        .encode(x=x, y=y, color=frameworks(workload), tooltip=[alt.Tooltip("what:N", title="here"), *numbers])
    )
    return finish(lines + dots if marks else alt.layer(lines), lines=9)


def _runners(workload: WorkloadResult, caches: str) -> list[_Runner]:
    return [
        _Runner(label=one.contestant, framework=one.framework, start=start.value, speed=one.throughput.value)
        for one in by_speed(workload)
        for start in [start_up(one, caches)]
        if start and one.throughput and one.status == "measured"
    ]


def _counts(runners: list[_Runner], changes: list[float], *, reach: float) -> list[float]:
    """Return numbers of items, evenly spread on a logarithmic scale, around all at which the lead changes.

    Args:
        runners: those that are drawn.
        changes: items at which the lead changes.
        reach: seconds of the slowest one's work that are shown at least.
    """
    slowest = min(one.speed for one in runners)
    first = min([slowest * 0.5, *(items / 4 for items in changes)])
    last = max([slowest * reach, *(items * 8 for items in changes)])
    return [first * (last / first) ** (step / _POINTS) for step in range(_POINTS + 1)]
