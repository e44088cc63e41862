"""The rules by which a claim holds, does not hold here, or is undecided. docs/against.md says them in words."""

from __future__ import annotations

import dataclasses

from trivet.model.against import Ratio, Verdict
from trivet.model.result import Estimate, Pair
from trivet.stats.interval import assumed_interval
from trivet.stats.verdict import NO_PRACTICAL_DIFFERENCE, UNDECIDED

HOLDS: Verdict = "holds"
FAILS: Verdict = "does not hold here"
UNTESTED: Verdict = "cannot be tested here"
OPEN: Verdict = "undecided"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Times:
    """How many times one number is another.

    Attributes:
        value: the ratio.
        low, high: its interval.
        assumed: True if one of the two has a single process, whose interval is assumed.
    """

    value: float
    low: float
    high: float
    assumed: bool

    def inside(self, low: float, high: float) -> bool:
        """Say whether the whole interval lies within two ends."""
        return low <= self.low and self.high <= high


def times(more: Estimate, less: Estimate, prior_share: float) -> Times:
    """Return how many times `less` makes `more`, by the ends of both intervals: no narrower than the truth.

    Args:
        more: the one that is claimed to be larger.
        less: the other one.
        prior_share: usual spread between fresh processes, for one that has no interval.
    """
    high_of, low_of = _ends(more, prior_share), _ends(less, prior_share)
    return Times(
        value=more.value / less.value,
        low=high_of[0] / low_of[1],
        high=high_of[1] / low_of[0],
        assumed=more.low is None or less.low is None,
    )


def judge_ratio(claimed: Ratio, pair: Pair, margin: float) -> Verdict:
    """Return what a run's pair says of a claimed ratio of speeds.

    Args:
        claimed: by the table.
        pair: of the two that stand for its rows, seen from its a.
        margin: what counts as no practical difference.
    """
    if not agrees(claimed.low, claimed.high, pair.low, pair.high, margin):
        return FAILS
    if pair.verdict == UNDECIDED:
        return OPEN
    if pair.verdict == NO_PRACTICAL_DIFFERENCE and claimed.low > 1 + margin:
        return FAILS
    return HOLDS


def judge_order(claimed: float, here: Times, margin: float) -> Verdict:
    """Return what measurements say of a claim that one needs more than the other.

    Args:
        claimed: how many times as much, at least 1; within the margin, the claim is that there is no difference.
        here: the same, measured.
        margin: what counts as no practical difference.
    """
    edge = 1 + margin
    if claimed > edge:
        if here.low > edge:
            return HOLDS
        return FAILS if here.high <= edge else OPEN
    if here.inside(1 / edge, edge):
        return HOLDS
    return FAILS if here.low > edge or here.high < 1 / edge else OPEN


def judge_figure(claimed: float, here: Estimate, margin: float) -> Verdict:
    """Return what a measurement in the same setting says of a figure."""
    if here.low is None or here.high is None:
        return OPEN
    return HOLDS if agrees(claimed, claimed, here.low, here.high, margin) else FAILS


def agrees(claimed_low: float, claimed_high: float, low: float, high: float, margin: float) -> bool:
    """Say whether what is claimed reaches into a measured interval, widened by the margin at both ends."""
    return claimed_high >= low / (1 + margin) and claimed_low <= high * (1 + margin)


def _ends(estimate: Estimate, prior_share: float) -> tuple[float, float]:
    if estimate.low is None or estimate.high is None:
        return assumed_interval(estimate.value, prior_share)
    return estimate.low, estimate.high
