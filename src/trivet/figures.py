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
    return size(estimate.value)


def size(value: float) -> str:
    """Return a number of bytes such as "412 MiB" or "3.21 GiB"."""
    mebi = value / 2**20
    return f"{number(mebi)} MiB" if mebi < 1000 else f"{number(mebi / 1024)} GiB"


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


def flops(value: float) -> str:
    """Return a speed in floating-point operations per second, such as "530 GFLOP/s"."""
    for factor, unit in ((1e15, "PFLOP/s"), (1e12, "TFLOP/s"), (1e9, "GFLOP/s")):
        if value >= factor:
            return f"{number(value / factor)} {unit}"
    return f"{number(value / 1e6)} MFLOP/s"


def share(estimate: Estimate | None) -> str:
    """Return a share such as "51 %", "0.8 %" or "-"."""
    if estimate is None:
        return "-"
    percent = 100 * estimate.value
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.1f} %"


def time(value: float) -> str:
    """Return a time with the unit that suits it, such as "0.21 ms", "3.12 s" or "4 min 10 s"."""
    if value >= 100:
        return duration(value)
    if value >= 1:
        return f"{number(value)} s"
    return f"{number(value * 1e3)} ms" if value >= 1e-4 else f"{number(value * 1e6)} µs"


def break_even(after: float | None, seconds: float | None, unit: str) -> str:
    """Return a break-even such as "231 000 images, 2 min 05 s", "from the start" or "never".

    Args:
        after: items; None for never, 0 for from the start.
        seconds: the same in wall time, None if unknown.
        unit: what is counted.
    """
    if not after or seconds is None:
        return items(after, unit)
    return f"{items(after, unit)}, {time(seconds)}"
