"""Raw slices over time, those that do not count as well."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from trivet.conclude.timeline import TimedSlice
from trivet.model.result import WorkloadResult
from trivet.report.charts.spec import CROSS, Chart, Rows, finish, framework_of, frameworks, shapes

_MINUTES = "minutes since the run began"


def slices(workload: WorkloadResult, taken: Sequence[TimedSlice]) -> Chart | None:
    """Draw each slice's throughput at its minute: counted ones as dots, rejected ones as crosses, on generations' bands.

    Args:
        workload: its conclusions.
        taken: its slices.
    """
    if not taken:
        return None
    rows: Rows = [
        {
            "contestant": one.contestant,
            "framework": framework_of(workload, one.contestant),
            "minutes": one.minutes,
            "speed": one.items_per_second,
            "generation": one.generation,
            "round": one.round,
            "foreign": "not known" if one.foreign_share is None else f"{100 * one.foreign_share:.1f} %",
            "counts": "yes" if one.clean else "no",
        }
        for one in taken
    ]
    x = alt.X("minutes:Q", title=_MINUTES, scale=alt.Scale(zero=False, nice=True))
    y = alt.Y("speed:Q", title=f"{workload.unit}/s", scale=alt.Scale(zero=False, nice=True))
    tooltip = [
        alt.Tooltip("contestant:N"),
        alt.Tooltip("speed:Q", format=",.4~r", title=f"{workload.unit}/s"),
        alt.Tooltip("minutes:Q", format=".2f"),
        alt.Tooltip("generation:O"),
        alt.Tooltip("round:O"),
        alt.Tooltip("foreign:N", title="used by others"),
        alt.Tooltip("counts:N"),
    ]
    known = shapes(workload)
    layers: list[alt.Chart] = [*_bands(taken)]
    counted = [row for row in rows if row["counts"] == "yes"]
    rejected = [row for row in rows if row["counts"] == "no"]
    if counted:
        layers.append(
            alt.Chart(alt.InlineData(values=counted))
            .mark_point(filled=True, size=34, opacity=0.9)
            .encode(
                x=x,
                y=y,
                color=frameworks(workload),
                shape=alt.Shape(
                    "contestant:N",
                    scale=alt.Scale(domain=list(known), range=list(known.values())),
                    legend=None,
                ),
                tooltip=tooltip,
            )
        )
    if rejected:
        layers.append(
            alt.Chart(alt.InlineData(values=rejected))
            .mark_point(filled=False, size=40, strokeWidth=1.6, opacity=1, shape=CROSS)
            .encode(x=x, y=y, color=frameworks(workload), tooltip=tooltip)
        )
    return finish(alt.layer(*layers), lines=10)


def _bands(taken: Sequence[TimedSlice]) -> list[alt.Chart]:
    """Return each generation's span, shaded, with its number above."""
    numbers = sorted({one.generation for one in taken})
    spans: Rows = []
    for number in numbers:
        inside = [one for one in taken if one.generation == number]
        spans.append(
            {
                "number": f"{number}",
                "from": min(one.minutes for one in inside),
                "to": max(one.minutes + one.seconds / 60 for one in inside),
            }
        )
    base = alt.Chart(alt.InlineData(values=spans))
    start = alt.X("from:Q", title=_MINUTES, scale=alt.Scale(zero=False, nice=True))
    band = base.mark_rect(opacity=0.1).encode(x=start, x2="to:Q")
    word = base.mark_text(align="left", baseline="bottom", dy=-3, fontSize=11).encode(
        x=start, y=alt.value(0), text="number:N"
    )
    return [band, word]
