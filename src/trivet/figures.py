"""Numbers as people read them: three significant digits, a unit, thousands apart."""

from __future__ import annotations

import math

from trivet.model.result import Estimate


def number(value: float) -> str:
    """Return a number to three significant digits.

    Example:
        >>> number(38412.7), number(1.0836), number(0.00512)
        ('38 400', '1.08', '0.00512')
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits = 2 - math.floor(math.log10(abs(value)))
    rounded = round(value, digits)
    if digits > 0:
        return f"{rounded:.{digits}f}"
    return f"{rounded:,.0f}".replace(",", " ")


def interval(low: float | None, high: float | None) -> str:
    """Return "low–high", or "-" where there is none."""
    if low is None or high is None:
        return "-"
    return f"{number(low)}–{number(high)}"


def seconds(estimate: Estimate | None) -> str:
    """Return a time such as "3.12 s", or "-"."""
    return "-" if estimate is None else f"{number(estimate.value)} s"


def mebibytes(estimate: Estimate | None) -> str:
    """Return a size such as "412 MiB" or "3.21 GiB", or "-"."""
    if estimate is None:
        return "-"
    value = estimate.value / 2**20
    return f"{number(value)} MiB" if value < 1000 else f"{number(value / 1024)} GiB"


def items(value: float | None, unit: str) -> str:
    """Return a break-even such as "231 000 images", "from the start" or "never"."""
    if value is None:
        return "never"
    if value == 0:
        return "from the start"
    return f"{number(value)} {unit}"


def duration(value: float) -> str:
    """Return a duration for progress lines, such as "1 min 20 s"."""
    whole = max(0, round(value))
    minutes, rest = divmod(whole, 60)
    if minutes == 0:
        return f"{rest} s"
    return f"{minutes} min {rest:02d} s" if minutes < 10 else f"{minutes} min"
