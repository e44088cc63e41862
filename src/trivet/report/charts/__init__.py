"""Charts as Vega-Lite specifications. Colours and fonts come from the page, which knows whether it is dark.

Each function returns None where there is nothing to draw. Rows that belong to a contestant have its label as
``contestant``: by it the page hides those that a reader has switched off.
"""

from trivet.report.charts.memory import memory_by_batch
from trivet.report.charts.noise import slices
from trivet.report.charts.spec import Chart, dashes, shapes
from trivet.report.charts.speed import ratios, throughput
from trivet.report.charts.starts import PHASES, start_up
from trivet.report.charts.totals import break_even, total_time

__all__ = [
    "PHASES",
    "Chart",
    "break_even",
    "dashes",
    "memory_by_batch",
    "ratios",
    "shapes",
    "slices",
    "start_up",
    "throughput",
    "total_time",
]
