"""Learning rates of successive steps: a stepwise schedule, and what they become when it is a step off."""

from __future__ import annotations

from collections.abc import Sequence


def scheduled(rate: float, milestones: Sequence[int], gamma: float, steps: int) -> list[float]:
    """Return the rate of each of the first steps of a stepwise schedule.

    Args:
        rate: the first one.
        milestones: how many steps have been taken when the rate is multiplied by gamma.
        gamma: the factor.
        steps: how many.

    Example:
        >>> scheduled(0.5, [2], 0.5, 4)
        [0.5, 0.5, 0.25, 0.25]
    """
    return [rate * gamma ** sum(taken >= milestone for milestone in milestones) for taken in range(steps)]


def mistaken(rates: Sequence[float]) -> dict[str, list[float]]:
    """Return what the rates would be under common mistakes, {} where they never change.

    ``late``: each change a step too late; ``early``: a step too early; ``unchanged``: the first rate to the end.
    """
    if len(set(rates)) < 2:
        return {}
    return {
        "late": [rates[0], *rates[:-1]],
        "early": [*rates[1:], rates[-1]],
        "unchanged": [rates[0]] * len(rates),
    }
