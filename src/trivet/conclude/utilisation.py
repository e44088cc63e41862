"""What share of the machine's peak a contestant reaches."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from trivet.model.measurement import Generation, PeakReading
from trivet.model.result import Estimate, Peak


def best_peak(readings: Sequence[PeakReading]) -> Peak | None:
    """Return the fastest operation of any framework; None where none was measured undisturbed.

    One framework's own peak would make a contestant look well used because its library is slow. A disturbance can only
    slow an operation down, so a disturbed one counts beside undisturbed ones; alone it could be off by a factor of ten.

    Args:
        readings: of one machine, device and precision.
    """
    if not _undisturbed(readings):
        return None
    peaks = [
        Peak(
            flops_per_second=speed,
            framework=reading.framework,
            operation=operation,
            precision=reading.precision,
        )
        for reading in readings
        for operation, speed in reading.operations.items()
    ]
    return max(peaks, key=lambda peak: peak.flops_per_second, default=None)


def rests_on_disturbed(readings: Sequence[PeakReading]) -> bool:
    """Say whether the peak was measured while others used the machine, so that it may be higher."""
    peak = best_peak(readings)
    if peak is None:
        return False
    return peak.flops_per_second > max(_undisturbed(readings))


def _undisturbed(readings: Sequence[PeakReading]) -> list[float]:
    return [
        speed
        for reading in readings
        for operation, speed in reading.operations.items()
        if operation not in reading.disturbed
    ]


def flops_per_item(generations: Sequence[Generation]) -> float | None:
    """Return the analytic count of the workload, None where it has none."""
    return next((one.flops_per_item for one in generations if one.flops_per_item is not None), None)


def utilisation(throughput: Estimate | None, flops: float | None, peak: Peak | None) -> Estimate | None:
    """Return the share of the peak that a throughput is worth; its interval is the throughput's.

    Args:
        throughput: items per second.
        flops: floating-point operations per item.
        peak: of the machine.
    """
    if throughput is None or flops is None or peak is None:
        return None
    share = flops / peak.flops_per_second
    return dataclasses.replace(
        throughput,
        value=throughput.value * share,
        low=None if throughput.low is None else throughput.low * share,
        high=None if throughput.high is None else throughput.high * share,
        unit="of peak",
    )
