"""Stochastic gradient descent, with momentum μ and learning rate η: which rule explains a contestant's own steps?

Every form below predicts the next parameters from the contestant's *actual* previous ones and own gradients; only the
velocity is replayed. So a residual says how far one update is from the form, and does not grow over the steps.

==========================  ============================================  =========================================
form                        rule                                          who does it
==========================  ============================================  =========================================
``rate_outside``            v = μv + g;          p −= ηv                  torch.optim.SGD, optax.sgd
``rate_inside``             v = μv − ηg;         p += v                   keras.optimizers.SGD
``nesterov``                v = μv + g;          p −= η(g + μv)           torch and optax, nesterov=True
``nesterov_inside``         v = μv − ηg;         p += μv − ηg             Keras, nesterov=True
``dampened``                v = μv + (1 − μ)g;   p −= ηv                  an exponential average as velocity
``dampened_later``          the same, but v = g at first                  torch, dampening=μ
``no_momentum``             p −= ηg                                       momentum forgotten
``other_momentum``          v = νv + g;          p −= ηv, ν fitted        another momentum
``coupled_decay``           v = μv + g + λp;     p −= ηv, λ fitted        torch, weight_decay=λ
``decoupled_decay``         v = μv + g;          p −= η(v + λp), λ fitted decay apart from the velocity
``coupled_decay_inside``    v = μv − η(g + λp);  p += v, λ fitted         Keras, an L2 penalty in the loss
``decoupled_decay_inside``  v = μv − ηg;         p += v − ηλp, λ fitted   Keras, weight_decay=λ
==========================  ============================================  =========================================

The first two agree while η stays; they part when it changes. They are the rules that a framework may have, and are
held against every tensor. The others only help to say what went wrong, and look at small tensors alone. Fitted numbers
are least squares for each tensor.

References:
    Sutskever, Martens, Dahl, Hinton (2013), On the importance of initialization and momentum in deep learning: the
    form with the rate inside, and Nesterov's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from trivet_worker.distance import norm, relative, whole
from trivet_worker.rules.fits import LARGEST_FOR_HINTS, Fits


@dataclasses.dataclass(frozen=True)
class _Step:
    """One tensor's step: what a form may look at.

    Attributes:
        momentum, rate: of this step.
        gradient: the contestant's own.
        parameter: its value before the step.
        update: its change by the step.
        velocity: the replayed ones after this step, as `_next_velocity` names them.
    """

    momentum: float
    rate: float
    gradient: np.ndarray
    parameter: np.ndarray
    update: np.ndarray
    velocity: Mapping[str, np.ndarray]


class Replay:
    """Holds a contestant's steps against every form of the rule.

    Args:
        optimizer: the job's, of which ``momentum`` is used.
        hints: False for the rules alone, without what else may have been done.
    """

    def __init__(self, optimizer: Mapping[str, Any], *, hints: bool = True) -> None:
        self._momentum = float(optimizer.get("momentum", 0.0))
        self._hints = hints
        self._velocities: dict[str, dict[str, np.ndarray]] = {}
        self._fits = Fits((*_RULES, *_HINTS, *_FITTED_HINTS) if hints else _RULES, _FITTED_HINTS)

    def step(
        self,
        rate: float,
        gradients: Mapping[str, np.ndarray],
        before: Mapping[str, np.ndarray],
        after: Mapping[str, np.ndarray],
    ) -> None:
        """Take note of one step.

        Args:
            rate: its learning rate.
            gradients: parameter name -> gradient.
            before: parameter name -> value before the step; names that are no parameters may be there too.
            after: the same after it.
        """
        self._fits.begin(rate)
        updates = {name: after[name] - before[name] for name in gradients if name in before and name in after}
        sizes = {name: norm(update) for name, update in updates.items()}
        all_updates = whole(sizes.values())
        most_explained = dict.fromkeys(_FITTED_HINTS, 0.0)
        for name, update in updates.items():
            small = self._hints and update.size <= LARGEST_FOR_HINTS
            velocity = _next_velocity(
                self._velocities.get(name), self._momentum, rate, gradients[name], before[name], small=small
            )
            step = _Step(self._momentum, rate, gradients[name], before[name], update, velocity)
            for form, predict in {**_RULES, **(_HINTS if small else {})}.items():
                self._fits.note(form, name, relative(norm(update - predict(step)), sizes[name], all_updates))
            if small:
                for form, term in _FITTED_HINTS.items():
                    base, direction = term(step)
                    factor = _least_squares(update - base, direction)
                    gap = norm(update - base - factor * direction)
                    self._fits.note(form, name, relative(gap, sizes[name], all_updates))
                    explained = abs(factor) * norm(direction)
                    if explained > most_explained[form]:
                        most_explained[form] = explained
                        self._fits.fit_number(form, factor)
                velocity["actual"] = -update / rate if rate else np.zeros_like(update)
            self._velocities[name] = velocity

    def fits(self) -> dict[str, dict[str, Any]]:
        """Return how well each form explains the steps: see `trivet_worker.rules.fits.Fits.results`.

        The number of a fitted form is that of the tensor in which it explains most at the last step.
        """
        return self._fits.results()


def _next_velocity(
    last: dict[str, np.ndarray] | None,
    momentum: float,
    rate: float,
    gradient: np.ndarray,
    parameter: np.ndarray,
    *,
    small: bool,
) -> dict[str, np.ndarray]:
    """Return what the forms carry on for one tensor, from what they carried before (None at first; reused).

    These are ``outside``: v = μv + g; ``inside``: v = μv − ηg; and for a small tensor also ``later``: v = μv + (1 − μ)g,
    but g at first; ``parameters`` and ``parameters_inside``: v = μv + p and v = μv − ηp, what a coupled decay adds to
    the first two for λ = 1; ``actual``: what v was after the step before, if p −= ηv.
    """
    if last is None:
        velocity = {"outside": gradient.copy(), "inside": -rate * gradient}
        if small:
            velocity |= {
                "later": gradient.copy(),
                "parameters": parameter.copy(),
                "parameters_inside": -rate * parameter,
                "actual": np.zeros_like(gradient),
            }
        return velocity
    velocity = {}
    for form, added in (("outside", gradient), ("inside", -rate * gradient)):
        # In place: a fresh array for every large tensor at every step would cost more than the arithmetic.
        velocity[form] = last[form]
        velocity[form] *= momentum
        velocity[form] += added
    if small:
        velocity |= {
            "later": momentum * last["later"] + (1 - momentum) * gradient,
            "parameters": momentum * last["parameters"] + parameter,
            "parameters_inside": momentum * last["parameters_inside"] - rate * parameter,
            "actual": last["actual"],
        }
    return velocity


def _rate_outside(step: _Step) -> np.ndarray:
    return -step.rate * step.velocity["outside"]


def _rate_inside(step: _Step) -> np.ndarray:
    return step.velocity["inside"]


def _nesterov(step: _Step) -> np.ndarray:
    return -step.rate * (step.gradient + step.momentum * step.velocity["outside"])


def _nesterov_inside(step: _Step) -> np.ndarray:
    return step.momentum * step.velocity["inside"] - step.rate * step.gradient


def _dampened(step: _Step) -> np.ndarray:
    return -step.rate * (1 - step.momentum) * step.velocity["outside"]


def _dampened_later(step: _Step) -> np.ndarray:
    return -step.rate * step.velocity["later"]


def _no_momentum(step: _Step) -> np.ndarray:
    return -step.rate * step.gradient


_Predict = Callable[[_Step], np.ndarray]

_RULES: dict[str, _Predict] = {"rate_outside": _rate_outside, "rate_inside": _rate_inside}
"""Form -> the update that it predicts."""

_HINTS: dict[str, _Predict] = {
    "nesterov": _nesterov,
    "nesterov_inside": _nesterov_inside,
    "dampened": _dampened,
    "dampened_later": _dampened_later,
    "no_momentum": _no_momentum,
}


def _other_momentum(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return _no_momentum(step), -step.rate * step.velocity["actual"]


def _coupled_decay(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return _rate_outside(step), -step.rate * step.velocity["parameters"]


def _decoupled_decay(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return _rate_outside(step), -step.rate * step.parameter


def _coupled_decay_inside(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return _rate_inside(step), step.velocity["parameters_inside"]


def _decoupled_decay_inside(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return _rate_inside(step), -step.rate * step.parameter


_FITTED_HINTS: dict[str, Callable[[_Step], tuple[np.ndarray, np.ndarray]]] = {
    "other_momentum": _other_momentum,
    "coupled_decay": _coupled_decay,
    "decoupled_decay": _decoupled_decay,
    "coupled_decay_inside": _coupled_decay_inside,
    "decoupled_decay_inside": _decoupled_decay_inside,
}
"""Form -> the update that it predicts for the number 0, and what the number 1 adds."""


def _least_squares(rest: np.ndarray, direction: np.ndarray) -> float:
    square = float(np.vdot(direction, direction))
    return float(np.vdot(direction, rest)) / square if square > 0 else 0.0
