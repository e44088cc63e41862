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

The first two agree while η stays; they part when it changes. Fitted numbers are least squares for each tensor.

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


@dataclasses.dataclass
class _Velocities:
    """What is carried from step to step for one tensor, each of its shape.

    Attributes:
        outside: v = μv + g.
        inside: v = μv − ηg.
        later: v = μv + (1 − μ)g, but g at first.
        parameters: v = μv + p, what a coupled decay adds to `outside` for λ = 1.
        actual: what v was if p −= ηv.
    """

    outside: np.ndarray
    inside: np.ndarray
    later: np.ndarray
    parameters: np.ndarray
    actual: np.ndarray


@dataclasses.dataclass(frozen=True)
class _Step:
    """One tensor's step: what a form may look at."""

    momentum: float
    rate: float
    first_rate: float
    gradient: np.ndarray
    parameter: np.ndarray
    update: np.ndarray
    velocities: _Velocities


@dataclasses.dataclass
class _Fit:
    """How well a form explains the steps so far."""

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
        self._velocities: dict[str, _Velocities] = {}
        self._fits = {form: _Fit() for form in (*_FORMS, *_FITTED_FORMS)}

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
        names = [name for name in gradients if name in before and name in after]
        all_updates = whole(norm(after[name] - before[name]) for name in names)
        most_explained = dict.fromkeys(_FITTED_FORMS, 0.0)
        for name in names:
            update = after[name] - before[name]
            velocities = self._next_velocities(name, rate, gradients[name], before[name])
            step = _Step(
                self._momentum, rate, self._first_rate, gradients[name], before[name], update, velocities
            )
            size = norm(update)
            for form, predict in _FORMS.items():
                self._note(form, name, relative(norm(update - predict(step)), size, all_updates))
            for form, term in _FITTED_FORMS.items():
                base, direction = term(step)
                rest = update - base
                factor = _least_squares(rest, direction)
                self._note(form, name, relative(norm(rest - factor * direction), size, all_updates))
                explained = abs(factor) * norm(direction)
                if explained > most_explained[form]:
                    most_explained[form] = explained
                    self._fits[form].fitted = factor
            velocities.actual = update / -rate if rate else np.zeros_like(update)

    def fits(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return how well each form explains the steps.

        Returns:
            ``{"momentum": {form: {"before", "after", "where"}}}``: the largest residual of a tensor's update before
            and after the rate's first change, ‖actual − predicted‖ / max(‖actual‖, 1e-6 ‖all updates‖), and the tensor
            with the largest. Fitted forms also have ``fitted``, the number of the tensor in which it explains most at
            the last step.
        """
        found: dict[str, dict[str, Any]] = {}
        for form, fit in self._fits.items():
            found[form] = {"before": fit.before, "after": fit.after, "where": fit.where}
            if form in _FITTED_FORMS:
                found[form]["fitted"] = fit.fitted
        return {"momentum": found}

    def _next_velocities(
        self, name: str, rate: float, gradient: np.ndarray, parameter: np.ndarray
    ) -> _Velocities:
        last = self._velocities.get(name)
        if last is None:
            found = _Velocities(
                outside=gradient,
                inside=-rate * gradient,
                later=gradient,
                parameters=parameter,
                actual=np.zeros_like(gradient),
            )
        else:
            momentum = self._momentum
            found = _Velocities(
                outside=momentum * last.outside + gradient,
                inside=momentum * last.inside - rate * gradient,
                later=momentum * last.later + (1 - momentum) * gradient,
                parameters=momentum * last.parameters + parameter,
                actual=last.actual,
            )
        self._velocities[name] = found
        return found

    def _note(self, form: str, name: str, residual: float) -> None:
        fit = self._fits[form]
        if not fit.where or residual > max(fit.before, fit.after):
            fit.where = name
        if self._changed:
            fit.after = max(fit.after, residual)
        else:
            fit.before = max(fit.before, residual)


def _nesterov(step: _Step) -> np.ndarray:
    return -step.rate * (step.gradient + step.momentum * step.velocities.outside)


def _nesterov_inside(step: _Step) -> np.ndarray:
    return step.momentum * step.velocities.inside - step.rate * step.gradient


_FORMS: dict[str, Callable[[_Step], np.ndarray]] = {
    "rate_outside": lambda step: -step.rate * step.velocities.outside,
    "rate_inside": lambda step: step.velocities.inside,
    "nesterov": _nesterov,
    "nesterov_inside": _nesterov_inside,
    "dampened": lambda step: -step.rate * (1 - step.momentum) * step.velocities.outside,
    "dampened_later": lambda step: -step.rate * step.velocities.later,
    "no_momentum": lambda step: -step.rate * step.gradient,
    "rate_unchanged": lambda step: -step.first_rate * step.velocities.outside,
}
"""Form -> the update that it predicts."""


def _other_momentum(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return -step.rate * step.gradient, -step.rate * step.velocities.actual


def _coupled_decay(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return -step.rate * step.velocities.outside, -step.rate * step.velocities.parameters


def _decoupled_decay(step: _Step) -> tuple[np.ndarray, np.ndarray]:
    return -step.rate * step.velocities.outside, -step.rate * step.parameter


_FITTED_FORMS: dict[str, Callable[[_Step], tuple[np.ndarray, np.ndarray]]] = {
    "other_momentum": _other_momentum,
    "coupled_decay": _coupled_decay,
    "decoupled_decay": _decoupled_decay,
}
"""Form -> the update that it predicts for a factor of 0, and what a factor of 1 adds."""


def _least_squares(rest: np.ndarray, direction: np.ndarray) -> float:
    square = float(np.vdot(direction, direction))
    return float(np.vdot(direction, rest)) / square if square > 0 else 0.0
