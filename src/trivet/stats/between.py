"""What changed between two runs: a ratio of two estimates that share no process, hence no pairs.

Within a run, contestants are taken in turn and their ratio comes from pairs. Two runs have nothing to pair: each side's
spread between fresh processes counts in full, drift of the machine from one generation to the next included. The
variances of both sides are added, with the degrees of freedom of Welch (1947, doi:10.2307/2332510) and Satterthwaite
(1946, doi:10.2307/3002019); each side's variance has the prior of `trivet.stats.interval` averaged in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from trivet.stats.interval import PRIOR_DEGREES, Array, LogEstimate, log_speed


def log_change(before: Array, contestant_before: int, after: Array, contestant_after: int) -> LogEstimate:
    """Estimate how many times faster a contestant is in a later run than in an earlier one.

    It is about the machine as it was during each run: what slowed it down all through one of them cannot be told from a
    change of the program.

    Args:
        before: (..., G, R, P), log step times of the earlier run, NaN where there is no clean slice.
        contestant_before: place on its last axis.
        after: (..., H, S, Q), those of the later run.
        contestant_after: place on its last axis.

    Returns:
        The log ratio, later over earlier. Its `generations` are those of the run that has fewer; 0 where one has none.
    """
    return _difference(log_speed(before, contestant_before), log_speed(after, contestant_after))


def log_mean_change(before: ArrayLike, after: ArrayLike, prior_share: float) -> LogEstimate:
    """Estimate the ratio of two means of start-up times or memory peaks over fresh processes, later over earlier.

    Each mean has the variance that `trivet.stats.interval.mean_interval` gives it, as a share of the mean; for shares
    this small that is the variance of its logarithm.

    Args:
        before: (n,), at least one, all positive.
        after: (m,), likewise.
        prior_share: usual spread between fresh processes, as a share of the mean.
    """
    return _difference(_log_mean(before, prior_share), _log_mean(after, prior_share))


def _log_mean(values: ArrayLike, prior_share: float) -> LogEstimate:
    sample = np.asarray(values, dtype=np.float64)
    mean = sample.mean()
    degrees = PRIOR_DEGREES + sample.size - 1
    squares = (((sample - mean) / mean) ** 2).sum()
    return LogEstimate(
        centre=np.log(mean),
        variance=(PRIOR_DEGREES * prior_share**2 + squares) / degrees,
        degrees=np.asarray(degrees),
        generations=np.asarray(sample.size),
    )


def _difference(before: LogEstimate, after: LogEstimate) -> LogEstimate:
    counts = np.maximum(before.generations, 1), np.maximum(after.generations, 1)
    parts = before.variance / counts[0], after.variance / counts[1]
    total = parts[0] + parts[1]
    generations = np.minimum(before.generations, after.generations)
    return LogEstimate(
        centre=after.centre - before.centre,
        # Of a single generation, as everywhere: divided by `generations` it gives the sum of both sides back.
        variance=total * np.maximum(generations, 1),
        degrees=total**2 / (parts[0] ** 2 / before.degrees + parts[1] ** 2 / after.degrees),
        generations=generations,
    )
