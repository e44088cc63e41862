"""Memory against batch size."""

from __future__ import annotations

import altair as alt

from trivet.conclude.ranking import by_speed
from trivet.model.result import WorkloadResult
from trivet.report.charts.spec import CROSS, Chart, Rows, dash, finish, frameworks

_GIB = 2**30
_TITLE = "peak, GiB"


def memory_by_batch(workload: WorkloadResult) -> Chart | None:
    """Draw the peak memory of every batch that was tried, and the limit; batches that did not fit lie on it."""
    tried = [(one, one.largest_batch) for one in by_speed(workload) if one.largest_batch]
    if not tried:
        return None
    fitted: Rows = [
        {"contestant": one.contestant, "framework": one.framework, "batch": batch, "memory": peak / _GIB}
        for one, found in tried
        for batch, peak in sorted(found.points)
    ]
    failed: Rows = [
        {
            "contestant": one.contestant,
            "framework": one.framework,
            "batch": found.failed_at,
            "memory": found.limit_bytes / _GIB,
            "what": "does not fit",
        }
        for one, found in tried
        if found.failed_at is not None
    ]
    limits = [{"limit": limit / _GIB} for limit in sorted({found.limit_bytes for _, found in tried})]
    x = alt.X(
        "batch:Q",
        title=f"{workload.unit} per step",
        scale=alt.Scale(type="log", base=2),
        axis=alt.Axis(format=",d"),
    )
    y = alt.Y("memory:Q", title=_TITLE, scale=alt.Scale(zero=True))
    tooltip = [
        alt.Tooltip("contestant:N"),
        alt.Tooltip("batch:Q"),
        alt.Tooltip("memory:Q", format=".3~r", title="GiB"),
    ]
    base = alt.Chart(alt.InlineData(values=fitted)).encode(
        x=x, y=y, color=frameworks(workload), tooltip=tooltip
    )
    layers: list[alt.Chart] = [
        alt.Chart(alt.InlineData(values=limits))
        .mark_rule(strokeDash=[4, 3], opacity=0.7)
        .encode(y=alt.Y("limit:Q", title=_TITLE)),
        base.mark_line(strokeWidth=2).encode(strokeDash=dash(workload)),
        base.mark_point(filled=True, size=34, opacity=1),
    ]
    if failed:
        layers.append(
            alt.Chart(alt.InlineData(values=failed))
            .mark_point(filled=False, size=50, strokeWidth=1.8, opacity=1, shape=CROSS)
            .encode(
                x=x, y=y, color=frameworks(workload), tooltip=[alt.Tooltip("what:N", title="here"), *tooltip]
            )
        )
    return finish(alt.layer(*layers), lines=9)
