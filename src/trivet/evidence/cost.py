"""What one training run costs, in hours, money and energy. Computed from evidence; nothing here is evidence itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from trivet.model.evidence import Evidence
from trivet.model.result import Estimate

_SECONDS = 3600.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cost:
    """One training run by one contestant.

    Attributes:
        contestant: label.
        framework: whose.
        hours: wall time, start-up included.
        price: in the currency of the hourly price; None where no price is known.
        energy: of the GPU alone, in kWh; None where its power was not read.
        evidence: keys of what it was computed from.
    """

    contestant: str
    framework: str
    hours: Estimate
    price: Estimate | None
    energy: Estimate | None
    evidence: tuple[str, ...]


def costs(
    evidence: Iterable[Evidence], *, training_hours: float, price_per_hour: float | None
) -> tuple[Cost, ...]:
    """Return the cost of one training run for every contestant that has a speed and a cold start-up, the cheapest first.

    Its length is that of the first contestant in `training_hours` of steps: items = hours x throughput. Each contestant
    then needs cold start-up + items / throughput. The ends of the interval are those of start-up and throughput.

    Args:
        evidence: of a run, in its order.
        training_hours: above 0.
        price_per_hour: of the machine; None if it is not known.
    """
    pieces = [one for one in evidence if one.value is not None]
    speeds = {one.contestant: one for one in pieces if one.claim == "performance.throughput"}
    starts = {one.contestant: one for one in pieces if one.claim == "performance.startup_cold"}
    powers = {one.contestant: one for one in pieces if one.claim == "performance.power"}
    if not speeds:
        return ()
    items = training_hours * _SECONDS * _number(next(iter(speeds.values())))
    found = [
        _cost(speed, starts[label], powers.get(label), items, price_per_hour)
        for label, speed in speeds.items()
        if label in starts
    ]
    return tuple(sorted(found, key=lambda cost: (cost.hours.value, cost.contestant)))


def _cost(
    speed: Evidence, start: Evidence, power: Evidence | None, items: float, price_per_hour: float | None
) -> Cost:
    hours = _hours(speed, start, items)
    used = [speed.key, start.key, *([power.key] if power else [])]
    return Cost(
        contestant=speed.contestant,
        framework=speed.framework,
        hours=hours,
        price=None if price_per_hour is None else _times(hours, price_per_hour, "per run"),
        energy=None if power is None else _times(hours, _number(power) / 1000, "kWh"),
        evidence=tuple(used),
    )


def _hours(speed: Evidence, start: Evidence, items: float) -> Estimate:
    def hours(first: float, rate: float) -> float:
        return (first + items / rate) / _SECONDS

    known = speed.low is not None and speed.high is not None
    first = _number(start)
    return Estimate(
        value=hours(first, _number(speed)),
        low=hours(start.low or first, speed.high) if speed.high is not None and known else None,
        high=hours(start.high or first, speed.low) if speed.low is not None and known else None,
        n=speed.n or 0,
        unit="h",
    )


def _times(hours: Estimate, factor: float, unit: str) -> Estimate:
    return dataclasses.replace(
        hours,
        value=hours.value * factor,
        low=None if hours.low is None else hours.low * factor,
        high=None if hours.high is None else hours.high * factor,
        unit=unit,
    )


def _number(piece: Evidence) -> float:
    assert isinstance(piece.value, int | float)
    return float(piece.value)
