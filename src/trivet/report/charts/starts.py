"""Start-up by phase."""

from __future__ import annotations

import altair as alt

from trivet.conclude.ranking import by_speed
from trivet.model.result import WorkloadResult
from trivet.report.charts.spec import ROW, Chart, Rows, finish, labels

PHASES = {"import": "import", "build": "build", "compile": "trace and compile", "first_step": "first step"}
"""Phase of a start-up -> its name in the legend, in order of time."""


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
            y=labels(rows),
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
    return finish(chart, lines=len({row["contestant"] for row in rows}), row=ROW + 6)
