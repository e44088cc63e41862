"""Made-up step times with a known truth: processes, drift, noise and bursts as they were seen on real machines.

log step time = speed of the contestant + effect of its process + drift of the machine + noise of the slice. The truth
is the mean over processes: what a user gets on average over fresh starts. `docs/intervals.md` describes the model.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scenario:
    """How a machine and its processes behave; standard deviations on the log scale.

    Attributes:
        ratio_sd: of a pair's ratio between generations.
        odd_sd: of contestant 0's own process effect where it is unlike the others, else None.
        slow_kernel: cost of the slower kernel that contestants in `choosers` draw with probability `slow_share`.
        bursts: share of slices that something slows down 1.5 to 3 times, one contestant at a time.
        drift_sd: of the machine between generations.
    """

    ratio_sd: float = 0.04
    odd_sd: float | None = None
    slow_kernel: float = 0.0
    slow_share: float = 0.0
    choosers: tuple[int, ...] = ()
    bursts: float = 0.02
    drift_sd: float = 0.03


SCENARIOS = {
    "base": Scenario(),
    "calm": Scenario(ratio_sd=0.01),
    "mild": Scenario(ratio_sd=0.02),
    "rough": Scenario(ratio_sd=0.06),
    "wild": Scenario(ratio_sd=0.08),
    "two kernels": Scenario(ratio_sd=0.01 * 2**0.5, slow_kernel=np.log(1.05), slow_share=0.3, choosers=(0,)),
    "rare kernel": Scenario(ratio_sd=0.01 * 2**0.5, slow_kernel=np.log(1.10), slow_share=0.1, choosers=(0,)),
    "odd one out": Scenario(ratio_sd=0.01 * 2**0.5, odd_sd=0.056),
    "bursts": Scenario(bursts=0.10),
}


def simulate(
    scenario: Scenario,
    *,
    generations: int,
    rounds: int = 3,
    contestants: int = 5,
    sets: int = 2000,
    seed: int = 0,
) -> Array:
    """Return log step times, (sets, generations, rounds, contestants), of contestants that are equal in truth."""
    draw = np.random.default_rng(seed)
    shape = (sets, generations, rounds, contestants)
    process = draw.normal(0, scenario.ratio_sd / 2**0.5, (sets, generations, contestants))
    if scenario.odd_sd is not None:
        process[..., 0] = draw.normal(0, scenario.odd_sd, (sets, generations))
    for place in scenario.choosers:
        slow = draw.random((sets, generations)) < scenario.slow_share
        process[..., place] += scenario.slow_kernel * (slow - scenario.slow_share)

    slots = rounds * contestants
    walk = draw.normal(0, 0.003, (sets, generations, slots))
    shifts = (draw.random((sets, generations, slots)) < 0.01) * draw.normal(
        0, 0.05, (sets, generations, slots)
    )
    drift = draw.normal(0, scenario.drift_sd, (sets, generations, 1)) + np.cumsum(walk + shifts, axis=-1)
    turn = np.arange(contestants)
    order = np.array([number * contestants + (turn + number) % contestants for number in range(rounds)])

    noise = draw.standard_t(4, shape) * 0.02 / 2**0.5
    hit = draw.random(shape) < scenario.bursts
    noise += hit * np.log(draw.uniform(1.5, 3.0, shape))
    return process[:, :, None, :] + drift[:, :, order] + noise
