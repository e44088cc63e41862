"""Adam with decoupled weight decay λ (AdamW), moments' rates β₁ and β₂, learning rate η, t counted from 1.

With m = β₁m + (1 − β₁)g, v = β₂v + (1 − β₂)g², m̂ = m/(1 − β₁ᵗ) and v̂ = v/(1 − β₂ᵗ):

======================  ====================================================  ====================================
form                    rule                                                  who does it
======================  ====================================================  ====================================
``after_correction``    p −= η(m̂/(√v̂ + ε) + λp)                              torch.optim.AdamW, optax.adamw
``before_correction``   p −= η(√(1 − β₂ᵗ)/(1 − β₁ᵗ)·m/(√v + ε) + λp)          keras.optimizers.AdamW ("epsilon hat")
``…_coupled``           the same with g + λp for g, and no λp                 torch.optim.Adam, weight_decay=λ
``…_undecayed``         the same without λp                                   weight decay forgotten
``uncorrected``         p −= η(m/(√v + ε) + λp)                               bias correction forgotten
======================  ====================================================  ====================================

The first two are the rules that a framework may have, and are held against every tensor. The others only help to say
what went wrong, and look at small tensors alone. As for `sgd`, every form predicts from the contestant's *actual*
parameters and own gradients; only the moments are replayed.

References:
    Kingma, Ba (2015), Adam: a method for stochastic optimization; the second form is the one before its section 2.1.
    Loshchilov, Hutter (2019), Decoupled weight decay regularization.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from trivet_worker.distance import norm, relative, whole
from trivet_worker.rules.fits import LARGEST_FOR_HINTS, Fits

RULES = ("after_correction", "before_correction")
HINTS = (
    "after_correction_coupled",
    "before_correction_coupled",
    "after_correction_undecayed",
    "before_correction_undecayed",
    "uncorrected",
)


@dataclasses.dataclass
class _Moments:
    """Running averages of one tensor's gradient and of its square."""

    first: np.ndarray
    second: np.ndarray

    def take(self, gradient: np.ndarray, beta_1: float, beta_2: float) -> None:
        self.first = beta_1 * self.first + (1 - beta_1) * gradient
        self.second = beta_2 * self.second + (1 - beta_2) * gradient**2


class Replay:
    """Holds a contestant's steps against every form of the rule.

    Args:
        optimizer: the job's, of which ``beta_1``, ``beta_2``, ``epsilon`` and ``weight_decay`` are used.
        hints: False for the rules alone.
    """

    def __init__(self, optimizer: Mapping[str, Any], *, hints: bool = True) -> None:
        self._beta_1 = float(optimizer["beta_1"])
        self._beta_2 = float(optimizer["beta_2"])
        self._epsilon = float(optimizer["epsilon"])
        self._decay = float(optimizer["weight_decay"])
        self._hints = hints
        self._taken = 0
        self._moments: dict[str, _Moments] = {}
        self._coupled: dict[str, _Moments] = {}
        self._fits = Fits((*RULES, *HINTS) if hints else RULES)

    def step(
        self,
        rate: float,
        gradients: Mapping[str, np.ndarray],
        before: Mapping[str, np.ndarray],
        after: Mapping[str, np.ndarray],
    ) -> None:
        """Take note of one step; see `trivet_worker.rules.sgd.Replay.step`."""
        self._taken += 1
        self._fits.begin(rate)
        updates = {name: after[name] - before[name] for name in gradients if name in before and name in after}
        sizes = {name: norm(update) for name, update in updates.items()}
        all_updates = whole(sizes.values())
        for name, update in updates.items():
            for form, predicted in self._predictions(name, rate, gradients[name], before[name]):
                self._fits.note(form, name, relative(norm(update - predicted), sizes[name], all_updates))

    def fits(self) -> dict[str, dict[str, Any]]:
        """Return how well each form explains the steps: see `trivet_worker.rules.fits.Fits.results`."""
        return self._fits.results()

    def _predictions(
        self, name: str, rate: float, gradient: np.ndarray, parameter: np.ndarray
    ) -> Iterator[tuple[str, np.ndarray]]:
        """Yield each form with the update that it predicts."""
        moments = self._next(self._moments, name, gradient)
        decay = -rate * self._decay * parameter
        adaptive = {form: -rate * self._direction(form, moments) for form in RULES}
        for form in RULES:
            yield form, adaptive[form] + decay
        if not self._hints or gradient.size > LARGEST_FOR_HINTS:
            return
        coupled = self._next(self._coupled, name, gradient + self._decay * parameter)
        for form in RULES:
            yield f"{form}_coupled", -rate * self._direction(form, coupled)
            yield f"{form}_undecayed", adaptive[form]
        yield "uncorrected", -rate * moments.first / (np.sqrt(moments.second) + self._epsilon) + decay

    def _next(self, kept: dict[str, _Moments], name: str, gradient: np.ndarray) -> _Moments:
        moments = kept.setdefault(name, _Moments(np.zeros_like(gradient), np.zeros_like(gradient)))
        moments.take(gradient, self._beta_1, self._beta_2)
        return moments

    def _direction(self, form: str, moments: _Moments) -> np.ndarray:
        """Return what the rate is multiplied by, decay apart."""
        first = 1 - self._beta_1**self._taken
        second = 1 - self._beta_2**self._taken
        if form == "after_correction":
            corrected: np.ndarray = (moments.first / first) / (
                np.sqrt(moments.second / second) + self._epsilon
            )
            return corrected
        hat: np.ndarray = second**0.5 / first * moments.first / (np.sqrt(moments.second) + self._epsilon)
        return hat
