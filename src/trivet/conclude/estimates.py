"""Throughput, start-up and memory of one contestant, each with its interval."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence

from trivet.model.measurement import Generation, StartUp
from trivet.model.result import Child, Estimate, StartUpEstimate
from trivet.stats.interval import MEMORY_PRIOR, START_UP_PRIOR, log_speed, mean_interval
from trivet.stats.samples import Samples


def throughput(samples: Samples, label: str, batch: int, unit: str) -> Estimate | None:
    """Return items per second; None where nothing counts. One generation gives no interval.

    Args:
        samples: of the workload.
        label: of the contestant.
        batch: items per step.
        unit: what is counted, such as "images".
    """
    estimate = log_speed(samples.log_seconds, samples.index(label))
    count = int(estimate.generations)
    if count == 0:
        return None
    centre = float(estimate.centre)
    half = float(estimate.half_width()) if count > 1 else None
    return Estimate(
        value=batch * math.exp(centre),
        low=None if half is None else batch * math.exp(centre - half),
        high=None if half is None else batch * math.exp(centre + half),
        n=count,
        unit=f"{unit}/s",
    )


def start_up(generations: Sequence[Generation], label: str, *, cold: bool) -> StartUpEstimate | None:
    """Return the time to the end of the first training step; None where it was not measured.

    A run has one cold start, hence no interval for it.

    Args:
        generations: of one workload.
        label: of the contestant.
        cold: True for empty compile caches, False for filled ones.
    """
    found = _starts(generations, label, cold=cold)
    if not found:
        return None
    mean, low, high = _mean([start.total_seconds for start in found], START_UP_PRIOR)
    return StartUpEstimate(value=mean, low=low, high=high, n=len(found), unit="s", phases=_mean_phases(found))


def start_up_seconds(generations: Sequence[Generation], label: str, *, cold: bool) -> list[float]:
    """Return the start-up times that `start_up` takes the mean of."""
    return [start.total_seconds for start in _starts(generations, label, cold=cold)]


def memory(generations: Sequence[Generation], label: str) -> dict[str, Estimate]:
    """Return counter -> bytes, from warm generations, or from the cold one where there is no other.

    A compiler at work in the worker can be the peak of a cold process, which is not what training needs.

    Args:
        generations: of one workload.
        label: of the contestant.
    """
    readings = memory_readings(generations, label)
    found = {}
    for counter in dict.fromkeys(name for reading in readings for name in reading):
        values = [float(reading[counter]) for reading in readings if counter in reading]
        mean, low, high = _mean(values, MEMORY_PRIOR)
        found[counter] = Estimate(value=mean, low=low, high=high, n=len(values), unit="bytes")
    return found


def memory_readings(generations: Sequence[Generation], label: str) -> list[dict[str, int]]:
    """Return the readings, counter -> bytes, that `memory` takes the means of."""
    having = [one for one in generations if label in one.memory]
    warm = [one.memory[label] for one in having if not one.cold_caches]
    return warm or [one.memory[label] for one in having]


def children(generations: Sequence[Generation], label: str) -> tuple[Child, ...]:
    """Return the processes that a worker started, by name.

    Args:
        generations: of one workload.
        label: of the contestant.
    """
    counts: Counter[str] = Counter()
    peaks: dict[str, int] = {}
    for one in generations:
        processes = one.children.get(label, [])
        counts |= Counter(name for name, _ in processes)
        for name, peak in processes:
            peaks[name] = max(peak, peaks.get(name, 0))
    return tuple(Child(name=name, count=counts[name], peak_bytes=peaks[name]) for name in sorted(peaks))


def gpu(generations: Sequence[Generation], label: str) -> dict[str, float]:
    """Return reading -> median over generations; {} where there was no GPU.

    Args:
        generations: of one workload.
        label: of the contestant.
    """
    readings = [one.gpu[label] for one in generations if label in one.gpu]
    names = dict.fromkeys(name for reading in readings for name in reading)
    return {
        name: statistics.median(reading[name] for reading in readings if name in reading) for name in names
    }


def _starts(generations: Sequence[Generation], label: str, *, cold: bool) -> list[StartUp]:
    starts = [one.startups[label] for one in generations if label in one.startups]
    return [start for start in starts if start.cold == cold]


def _mean(values: list[float], prior_share: float) -> tuple[float, float | None, float | None]:
    return (values[0], None, None) if len(values) == 1 else mean_interval(values, prior_share)


def _mean_phases(starts: list[StartUp]) -> dict[str, float]:
    names = dict.fromkeys(phase for start in starts for phase in start.phases)
    return {name: statistics.fmean(start.phases.get(name, 0.0) for start in starts) for name in names}
