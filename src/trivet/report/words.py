"""Numbers and facts as the page prints them."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any

import markupsafe

from trivet import figures
from trivet.model.result import Estimate, LargestBatch, Pair
from trivet.parity.checks import CHECKS
from trivet.parity.distance import LIMIT, LIMIT_AFTER_STEPS

NONE = "–"


def number(value: float) -> str:
    """Return a number to three significant digits, its thousands held together."""
    return figures.number(value).replace(" ", "\N{NARROW NO-BREAK SPACE}")


def count(value: int) -> str:
    """Return a whole number in full, its thousands held together."""
    return f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def at_least(batch: LargestBatch) -> str:
    """Return the largest batch that fits; one that is a lower bound is marked."""
    return (
        count(batch.value)
        if batch.failed_at is not None
        else f"\N{GREATER-THAN OR EQUAL TO} {count(batch.value)}"
    )


def interval(low: float | None, high: float | None) -> str:
    """Return "low–high", or a dash where there is none."""
    return NONE if low is None or high is None else f"{number(low)}–{number(high)}"


def seconds(value: float) -> str:
    """Return a time such as "3.12 s"."""
    return f"{number(value)} s"


def size(value: float) -> str:
    """Return a size such as "412 MiB" or "3.21 GiB"."""
    unit, name = _unit(value)
    return f"{number(value / unit)} {name}"


def size_interval(estimate: Estimate | None) -> str:
    """Return the interval of a size, in the unit in which `size` prints its value."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return NONE
    unit, _ = _unit(estimate.value)
    return interval(estimate.low / unit, estimate.high / unit)


def _unit(value: float) -> tuple[int, str]:
    return (2**20, "MiB") if value < 1000 * 2**20 else (2**30, "GiB")


def minutes(value: float) -> str:
    """Return a time such as "5 min" or "2.4 min"."""
    return f"{value:.2g} min" if value < 100 else f"{value:.0f} min"


def duration(value: float) -> str:
    """Return a time in seconds such as "2.89 s", from a minute on such as "4.31 min"."""
    return f"{number(value)} s" if value < 60 else f"{number(value / 60)} min"


def percent(share: float) -> str:
    """Return a share such as "4.2 %"."""
    return f"{100 * share:.2g} %"


def share(estimate: Estimate) -> str:
    """Return a utilisation such as "12.3 %"."""
    return f"{number(100 * estimate.value)} %"


def flops(value: float) -> str:
    """Return floating-point operations, such as "3.1 GFLOP"."""
    for size, name in ((1e12, "TFLOP"), (1e9, "GFLOP"), (1e6, "MFLOP")):
        if value >= size:
            return f"{number(value / size)} {name}"
    return f"{number(value / 1e3)} kFLOP"


def scientific(value: float | None) -> str:
    """Return a relative difference such as "1.3e-14"."""
    return NONE if value is None else "0" if value == 0 else f"{value:.1e}"


def decimal(value: float | None) -> str:
    """Return a loss to five significant digits; one that is not finite is None."""
    return "not finite" if value is None else f"{value:.5g}"


def limit(check: str) -> str:
    """Return the limits of one of the gate's checks: at the first step, and later where that is looser."""
    first, later = f"{LIMIT:.0e}".replace("e-0", "e-"), f"{LIMIT_AFTER_STEPS:.0e}".replace("e-0", "e-")
    return {"parameter": later, "loss": f"{first} / {later}", "statistic": f"{first} / {later}"}.get(
        check, first
    )


def break_even(pair: Pair, caches: str, unit: str, seconds: float | None) -> str:
    """Return after how many items and how long the faster one is ahead, where it is clear who is faster.

    Args:
        pair: two contestants.
        caches: "cold" or "warm".
        unit: of the items.
        seconds: since the start of the process; None where the lead does not change.
    """
    if caches not in pair.break_even_items or pair.verdict not in ("a_faster", "b_faster"):
        return NONE
    items = pair.break_even_items[caches]
    if items is None:
        return "never"
    if items == 0:
        return "at once"
    return f"{number(items)} {unit}" + ("" if seconds is None else f", {duration(seconds)}")


def attributes(values: Mapping[str, Any]) -> str:
    """Return a layer's attributes such as "epsilon=1e-05, strides=[2, 2]"."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def data(value: Any) -> markupsafe.Markup:
    """Return JSON that is safe within a ``script`` element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return markupsafe.Markup(text)  # noqa: S704 - no sign that HTML knows is left


def moment(created: str) -> str:
    """Return an ISO 8601 time for people, such as "30 November 2026, 17:04"."""
    when = dt.datetime.fromisoformat(created)
    return f"{when.day} {when:%B %Y, %H:%M}"


def check_names(worst: set[str]) -> list[str]:
    """Return the gate's checks that occur, in the order in which a training step comes to them."""
    return [check for check in CHECKS if check in worst] + sorted(worst - set(CHECKS))
