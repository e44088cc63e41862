"""Intervals over generations of fresh processes: a t-interval whose variance is averaged with a prior.

Three generations say little about their own spread, and an interval from rounds within a process is far too narrow.
So the variance between generations is averaged with what fresh processes usually show (4 %, counted as four degrees
of freedom), or with more if this run's contestants varied more. It is the posterior under a scaled inverse chi-square
prior, and the moderated t statistic of Smyth (2004, doi:10.2202/1544-6115.1027) with the scale set beforehand.

All functions take arrays with leading axes, so that a simulation runs the code that a report runs.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

PRIOR_SD = 0.04
"""Usual spread between fresh processes on the log scale, of a ratio and (drift included) of a speed alone."""

PRIOR_DEGREES = 4
"""How many generations' worth of evidence the prior is."""

START_UP_PRIOR = 0.05
MEMORY_PRIOR = 0.02
"""Usual spread of start-up time and of peak memory between fresh processes, as a share of the value.

First steps were seen to vary by 3 %, imports by 1 to 2 %, peaks by 1.2 to 1.9 %; file caches make start-ups worse."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class LogEstimate:
    """An estimate on the log scale.

    Attributes:
        centre: (...), mean over generations.
        variance: (...), of a single generation, the prior averaged in.
        degrees: (...), degrees of freedom of the variance.
        generations: (...), how many count.
    """

    centre: Array
    variance: Array
    degrees: Array
    generations: Array

    def half_width(self, confidence: float = 0.95) -> Array:
        """Return (...), half the width of the central interval, on the log scale."""
        reach: Array = stdtrit(self.degrees, (1 + confidence) / 2)
        return reach * np.sqrt(self.variance / self.generations)


def log_ratio(log_seconds: Array, a: int, b: int) -> LogEstimate:
    """Estimate how many times faster contestant a is than b, from rounds in which both were taken.

    A generation in which the pair shares no clean round is left out. Contestants seen in every generation that is left
    tell how unsteady this run is, and can raise the prior, never lower it: steady ones must not vouch for an unruly one.

    Args:
        log_seconds: (..., G, R, P), log step times, NaN where there is no clean slice.
        a: place of a contestant on the last axis.
        b: place of another.
    """
    paired = log_seconds[..., b] - log_seconds[..., a]
    centres = median(paired)
    used = np.isfinite(centres)
    prior = PRIOR_SD**2 + _median_variance(paired, centres, used)
    count = used.sum(axis=-1)
    squares, degrees = _interaction(median(np.swapaxes(log_seconds, -1, -2)), used)
    # A ratio has the effects of two contestants in it, hence twice the variance of one.
    raised = (PRIOR_DEGREES * prior + 2 * squares) / (PRIOR_DEGREES + degrees)
    return _moderate(centres, used, np.where(count > 1, np.maximum(prior, raised), prior))


def log_speed(log_seconds: Array, contestant: int) -> LogEstimate:
    """Estimate a contestant's speed in steps per second, on the log scale, by itself.

    Drift of the machine from one generation to the next is part of its spread. A machine that is slower during the
    whole run cannot be seen from within: the interval is about the machine as it was.

    Args:
        log_seconds: (..., G, R, P), log step times, NaN where there is no clean slice.
        contestant: place on the last axis.
    """
    alone = -log_seconds[..., contestant]
    centres = median(alone)
    used = np.isfinite(centres)
    prior = PRIOR_SD**2 + _median_variance(alone, centres, used)
    count = used.sum(axis=-1)
    medians = median(np.swapaxes(log_seconds, -1, -2))
    present = _present(medians, used)
    deviations = medians - _mean(medians, used[..., None] & present, axis=-2)[..., None, :]
    squares = np.where(used[..., None] & present, deviations**2, 0.0).sum(axis=-2)
    # Drift strikes all contestants alike, so all of them together are worth no more degrees than one.
    mean_squares = squares.sum(axis=-1) / np.maximum(present[..., 0, :].sum(axis=-1), 1)
    raised = (PRIOR_DEGREES * prior + mean_squares) / (PRIOR_DEGREES + np.maximum(count - 1, 0))
    return _moderate(centres, used, np.where(count > 1, np.maximum(prior, raised), prior))


def mean_interval(
    values: ArrayLike, prior_share: float, confidence: float = 0.95
) -> tuple[float, float, float]:
    """Return mean, low and high of a start-up time or a memory peak over fresh processes.

    Args:
        values: (n,), at least two, none negative.
        prior_share: usual spread between fresh processes, as a share of the mean.
        confidence: of the central interval.
    """
    sample = np.asarray(values, dtype=np.float64)
    mean = float(sample.mean())
    degrees = PRIOR_DEGREES + sample.size - 1
    squares = float(((sample - mean) ** 2).sum())
    variance = (PRIOR_DEGREES * (prior_share * mean) ** 2 + squares) / degrees
    half = float(stdtrit(degrees, (1 + confidence) / 2) * np.sqrt(variance / sample.size))
    return mean, max(mean - half, 0.0), mean + half


def assumed_interval(value: float, prior_share: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return low and high of a start-up time or a memory peak of which there is one process: from the prior alone.

    Args:
        value: the one that was measured.
        prior_share: usual spread between fresh processes, as a share of it.
        confidence: of the central interval.
    """
    half = float(stdtrit(PRIOR_DEGREES, (1 + confidence) / 2)) * prior_share * value
    return max(value - half, 0.0), value + half


def process_sd(log_seconds: Array) -> float | None:
    """Return the spread of a ratio between generations, pooled over contestants, on the log scale.

    None where fewer than two generations or two contestants are complete.

    Args:
        log_seconds: (G, R, P), log step times, NaN where there is no clean slice.
    """
    medians = median(np.swapaxes(log_seconds, -1, -2))
    used: Mask = np.asarray(np.isfinite(medians).any(axis=-1))
    squares, degrees = _interaction(medians, used)
    return float(np.sqrt(2 * squares / degrees)) if degrees > 0 else None


def median(values: Array) -> Array:
    """Return the median over the last axis, NaN left out; NaN where nothing is left.

    Args:
        values: (..., R).
    """
    ordered = np.sort(values, axis=-1)  # NaN comes last
    count = np.isfinite(values).sum(axis=-1, keepdims=True)
    lower = np.take_along_axis(ordered, np.maximum(count - 1, 0) // 2, axis=-1)
    upper = np.take_along_axis(ordered, np.minimum(count // 2, values.shape[-1] - 1), axis=-1)
    middle: Array = (lower + upper)[..., 0] / 2
    return middle


def _moderate(centres: Array, used: Mask, prior: Array) -> LogEstimate:
    count = used.sum(axis=-1)
    centre = _mean(centres, used, axis=-1)
    squares = np.where(used, (centres - centre[..., None]) ** 2, 0.0).sum(axis=-1)
    degrees = PRIOR_DEGREES + np.maximum(count - 1, 0)
    variance = (PRIOR_DEGREES * prior + squares) / degrees
    return LogEstimate(centre=centre, variance=variance, degrees=degrees, generations=count)


def _median_variance(values: Array, centres: Array, used: Mask) -> Array:
    """Return (...), the variance that the noise of single slices leaves in a median over rounds.

    The factor was fitted by simulation for three to eight rounds.
    """
    deviation = _mean(median(np.abs(values - centres[..., None])), used, axis=-1)
    per_generation = np.isfinite(values).sum(axis=-1)
    rounds = np.maximum(_mean(per_generation.astype(np.float64), used, axis=-1), 1.0)
    noise: Array = 3.5 / rounds * (1 + 1.2 / rounds) * deviation**2
    return noise


def _interaction(medians: Array, used: Mask) -> tuple[Array, Array]:
    """Return sum of squares and degrees of freedom of what is neither the contestant's speed nor the generation's.

    Args:
        medians: (..., G, P), each contestant's median log step time in each generation.
        used: (..., G), generations to look at; contestants missing in one of them are left out.
    """
    present = _present(medians, used)
    inside = used[..., None] & present
    rest = medians - _mean(medians, inside, axis=-2)[..., None, :]
    rest = rest - _mean(rest, inside, axis=-1)[..., :, None]
    squares = np.where(inside, rest**2, 0.0).sum(axis=(-1, -2))
    generations, contestants = used.sum(axis=-1), present[..., 0, :].sum(axis=-1)
    return squares, np.maximum(generations - 1, 0) * np.maximum(contestants - 1, 0)


def _present(medians: Array, used: Mask) -> Mask:
    """Return (..., 1, P), True for contestants seen in every generation used."""
    seen: Mask = np.asarray((np.isfinite(medians) | ~used[..., None]).all(axis=-2, keepdims=True))
    return seen & np.asarray(used.any(axis=-1))[..., None, None]


def _mean(values: Array, inside: Mask, axis: int) -> Array:
    total = np.where(inside, values, 0.0).sum(axis=axis)
    mean: Array = total / np.maximum(np.broadcast_to(inside, values.shape).sum(axis=axis), 1)
    return mean
