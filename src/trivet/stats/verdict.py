"""What may be said about two contestants: faster, no practical difference, or undecided."""

from __future__ import annotations

import dataclasses
import math

from trivet.stats.interval import LogEstimate, log_ratio
from trivet.stats.samples import Samples

A_FASTER = "a_faster"
B_FASTER = "b_faster"
NO_PRACTICAL_DIFFERENCE = "no_practical_difference"
UNDECIDED = "undecided"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Comparison:
    """The speed of contestant a over that of contestant b.

    Attributes:
        a, b: labels.
        estimate: the log ratio.
        generations: the ratio in each generation that counts.
        verdict: one of `trivet.model.result.VERDICTS`.
        provisional: True when it rests on one generation, whose interval is assumed and not measured.
    """

    a: str
    b: str
    estimate: LogEstimate
    generations: tuple[float, ...]
    verdict: str
    provisional: bool

    @property
    def ratio(self) -> float:
        """Return the throughput of a over that of b."""
        return math.exp(float(self.estimate.centre))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return low and high of the ratio."""
        centre, half = float(self.estimate.centre), float(self.estimate.half_width(confidence))
        return math.exp(centre - half), math.exp(centre + half)


def compare(samples: Samples, a: str, b: str, margin: float) -> Comparison | None:
    """Set two contestants against each other; None if no generation has clean rounds of both.

    Args:
        samples: of one workload.
        a: label.
        b: label.
        margin: what counts as no practical difference, as a share.
    """
    first, second = samples.index(a), samples.index(b)
    estimate = log_ratio(samples.log_seconds, first, second)
    count = int(estimate.generations)
    if count == 0:
        return None
    return Comparison(
        a=a,
        b=b,
        estimate=estimate,
        generations=_each(samples, first, second),
        verdict=judge(estimate, margin),
        provisional=count == 1,
    )


def judge(estimate: LogEstimate, margin: float, confidence: float = 0.95) -> str:
    """Return the verdict that a whole interval supports.

    One generation says nothing about its own spread, so it can show a large difference but never equality.

    Args:
        estimate: of log(speed of a / speed of b), a single one.
        margin: what counts as no practical difference, as a share: 0.05 stands for ratios from 1/1.05 to 1.05.
        confidence: of the interval.
    """
    edge = math.log1p(margin)
    centre, half = float(estimate.centre), float(estimate.half_width(confidence))
    if centre - half > edge:
        return A_FASTER
    if centre + half < -edge:
        return B_FASTER
    if abs(centre) + half <= edge and int(estimate.generations) > 1:
        return NO_PRACTICAL_DIFFERENCE
    return UNDECIDED


def _each(samples: Samples, a: int, b: int) -> tuple[float, ...]:
    ratios = []
    for generation in samples.log_seconds:
        alone = log_ratio(generation[None], a, b)
        if int(alone.generations) == 1:
            ratios.append(math.exp(float(alone.centre)))
    return tuple(ratios)
