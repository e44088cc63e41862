"""Stochastic gradient descent, with momentum μ and learning rate η: which rule explains a contestant's own steps?

Every form below predicts the next parameters from the contestant's *actual* previous ones and own gradients; only the
velocity is replayed. So a residual says how far one update is from the form, and does not grow over the steps.

=====================  ==================================================  =========================================
form                   rule                                                who does it
=====================  ==================================================  =========================================
``rate_outside``       v = μv + g;          p −= ηv                        torch.optim.SGD, optax.sgd
``rate_inside``        v = μv − ηg;         p += v                         keras.optimizers.SGD
``nesterov``           v = μv + g;          p −= η(g + μv)                 torch and optax, nesterov=True
``nesterov_inside``    v = μv − ηg;         p += μv − ηg                   Keras, nesterov=True
``dampened``           v = μv + (1 − μ)g;   p −= ηv                        an exponential average as velocity
``dampened_later``     the same, but v = g at first;                       torch, dampening=μ
``no_momentum``        p −= ηg                                             momentum forgotten
``rate_unchanged``     v = μv + g;          p −= η₀v                       a rate that was compiled in
``other_momentum``     v = νv + g;          p −= ηv, ν fitted              another momentum
``coupled_decay``      v = μv + g + λp;     p −= ηv, λ fitted              torch, weight_decay=λ
``decoupled_decay``    v = μv + g;          p −= η(v + λp), λ fitted       Keras, weight_decay=λ
=====================  ==================================================  =========================================

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

_LARGEST_FOR_HINTS = 1 << 16
"""Elements of the largest tensor that hints look at: biases, normalisations, a first and a last layer."""


@dataclasses.dataclass(frozen=True)
class _Step:
    """One tensor's step: what a form may look at.

    Attributes:
        momentum, rate: of this step.
        first_rate: of the first step.
        gradient: the contestant's own.
        parameter: its value before the step.
        update: its change by the step.
        velocity: the replayed ones after this step, as `_next_velocity` names them.
    """

    momentum: float
    rate: float
    first_rate: float
    gradient: np.ndarray
    parameter: np.ndarray
    update: np.ndarray
    velocity: Mapping[str, np.ndarray]


@dataclasses.dataclass
class _Fit:
    """How well a form explains the steps so far; `fitted` is the number of the tensor in which it explains most."""

    before: float = 0.0
    after: float = 0.0
    where: str = ""
    fitted: float | None = None


class Replay:
    """Holds a contestant's steps against every form of the rule.

    Args:
        optimizer: the job's, of which ``momentum`` is used.
    """

    def __init__(self, optimizer: Mapping[str, Any]) -> None:
        self._momentum = float(optimizer.get("momentum", 0.0))
        self._first_rate: float | None = None
        self._changed = False
        self._velocities: dict[str, dict[str, np.ndarray]] = {}
        self._fits = {form: _Fit() for form in (*_RULES, *_HINTS, *_FITTED_HINTS)}

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
        if self._first_rate is None:
            self._first_rate = rate
        self._changed = self._changed or rate != self._first_rate
        updates = {name: after[name] - before[name] for name in gradients if name in before and name in after}
        sizes = {name: norm(update) for name, update in updates.items()}
        all_updates = whole(sizes.values())
        most_explained = dict.fromkeys(_FITTED_HINTS, 0.0)
        for name, update in updates.items():
            velocity = _next_velocity(
                self._velocities.get(name), self._momentum, rate, gradients[name], before[name]
            )
            step = _Step(
                self._momentum, rate, self._first_rate, gradients[name], before[name], update, velocity
            )
            for form, predict in _RULES.items():
                self._note(form, name, relative(norm(update - predict(step)), sizes[name], all_updates))
            if update.size <= _LARGEST_FOR_HINTS:
                for form, predict in _HINTS.items():
                    self._note(form, name, relative(norm(update - predict(step)), sizes[name], all_updates))
                for form, term in _FITTED_HINTS.items():
                    base, direction = term(step)
                    factor = _least_squares(update - base, direction)
                    gap = norm(update - base - factor * direction)
                    self._note(form, name, relative(gap, sizes[name], all_updates))
                    explained = abs(factor) * norm(direction)
                    if explained > most_explained[form]:
                        most_explained[form] = explained
                        self._fits[form].fitted = factor
                velocity["actual"] = -update / rate if rate else np.zeros_like(update)
            self._velocities[name] = velocity

    def fits(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return how well each form explains the steps.

        Returns:
            ``{"momentum": {form: {"before", "after", "where"}}}``: the largest residual of a tensor's update before
            and after the rate's first change, ‖actual − predicted‖ / max(‖actual‖, 1e-6 ‖all updates‖), and the tensor
            with the largest. Fitted forms also have ``fitted``, the number of the tensor in which it explains most at
            the last step. A form that no tensor was held against is absent.
        """
        found: dict[str, dict[str, Any]] = {}
        for form, fit in self._fits.items():
            if fit.where:
                found[form] = {"before": fit.before, "after": fit.after, "where": fit.where}
                if form in _FITTED_HINTS:
                    found[form]["fitted"] = fit.fitted
        return {"momentum": found}

    def _note(self, form: str, name: str, residual: float) -> None:
        fit = self._fits[form]
        if not fit.where or residual > max(fit.before, fit.after):
            fit.where = name
        if self._changed:
            fit.after = max(fit.after, residual)
        else:
            fit.before = max(fit.before, residual)


def _next_velocity(
    last: dict[str, np.ndarray] | None,
    momentum: float,
    rate: float,
    gradient: np.ndarray,
    parameter: np.ndarray,
) -> dict[str, np.ndarray]:
    """Return what the forms carry on for one tensor, from what they carried before (None at first; reused).

    These are ``outside``: v = μv + g; ``inside``: v = μv − ηg; and for a small tensor also ``later``: v = μv + (1 − μ)g,
    but g at first; ``parameters``: v = μv + p, what a coupled decay adds to ``outside`` for λ = 1; ``actual``: what v
    was after the step before, if p −= ηv.
    """
    small = gradient.size <= _LARGEST_FOR_HINTS
    if last is None:
        velocity = {"outside": gradient.copy(), "inside": -rate * gradient}
        if small:
            velocity |= {
                "later": gradient.copy(),
                "parameters": parameter.copy(),
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


def _rate_unchanged(step: _Step) -> np.ndarray:
    return -step.first_rate * step.velocity["outside"]


_Predict = Callable[[_Step], np.ndarray]

_RULES: dict[str, _Predict] = {"rate_outside": _rate_outside, "rate_inside": _rate_inside}
"""Form -> the update that it predicts."""

_HINTS: dict[str, _Predict] = {
    "nesterov": _nesterov,
    "nesterov_inside": _nesterov_inside,
    "dampened": _dampened,
    "dampened_later": _dampened_later,
    "no_momentum": _no_momentum,
    "rate_unchanged": _rate_unchanged,
}


def _other_momentum(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return _no_momentum(step), -step.rate * step.velocity["actual"]


def _coupled_decay(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return _rate_outside(step), -step.rate * step.velocity["parameters"]


def _decoupled_decay(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return _rate_outside(step), -step.rate * step.parameter


_FITTED_HINTS: dict[str, Callable[[_Step], tuple[np.ndarray, np.ndarray]]] = {
    "other_momentum": _other_momentum,
    "coupled_decay": _coupled_decay,
    "decoupled_decay": _decoupled_decay,
}
"""Form -> the update that it predicts for the number 0, and what the number 1 adds."""


def _least_squares(rest: np.ndarray, direction: np.ndarray) -> float:
    square = float(np.vdot(direction, direction))
    return float(np.vdot(direction, rest)) / square if square > 0 else 0.0
