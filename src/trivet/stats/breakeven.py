"""After how many items a faster contestant has made up for its slower start."""

from __future__ import annotations


def break_even(*, start_a: float, start_b: float, throughput_b: float, ratio: float) -> float | None:
    """Return the number of items from which on the faster contestant is ahead in total time.

    Total time = start-up + items / throughput; the two lines cross where the seconds lost at the start equal those
    gained since.

    Args:
        start_a: start-up of contestant a in seconds.
        start_b: start-up of contestant b in seconds.
        throughput_b: items per second of contestant b.
        ratio: throughput of a over that of b.

    Returns:
        Items; 0.0 if the faster one is ahead from the start; None if the lines never cross (equal speeds).

    Example:
        >>> break_even(start_a=8.7, start_b=0.5, throughput_b=1850.0, ratio=1980 / 1850)
        231050.76923076928
    """
    if ratio == 1:
        return None
    if ratio > 1:
        lost, slower, gain = start_a - start_b, throughput_b, ratio
    else:
        lost, slower, gain = start_b - start_a, throughput_b * ratio, 1 / ratio
    if lost <= 0:
        return 0.0
    return lost * slower / (1 - 1 / gain)


def wall_seconds(items: float | None, *, start: float, throughput: float) -> float | None:
    """Return how long after its start a process has done so many items.

    Args:
        items: as `break_even` returns them: None for never, 0.0 for ahead from the start.
        start: its start-up in seconds.
        throughput: its items per second.

    Returns:
        Seconds; 0.0 and None as for the items.

    Example:
        >>> round(wall_seconds(231050.8, start=8.7, throughput=1980.0), 1)
        125.4
    """
    return start + items / throughput if items else items
