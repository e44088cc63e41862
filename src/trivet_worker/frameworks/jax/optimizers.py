"""Optimizers in optax. The learning rate is in the state: one in the closure would be compiled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import optax

from trivet_worker.contract import Unsupported


def sgd(learning_rate: optax.ScalarOrSchedule, settings: Mapping[str, Any]) -> optax.GradientTransformation:
    """Return SGD: v = momentum v + g, then p = p - rate v."""
    return optax.sgd(learning_rate, momentum=settings["momentum"])


def adamw(learning_rate: optax.ScalarOrSchedule, settings: Mapping[str, Any]) -> optax.GradientTransformation:
    """Return AdamW, its epsilon added after the bias correction."""
    return optax.adamw(
        learning_rate,
        b1=settings["beta_1"],
        b2=settings["beta_2"],
        eps=settings["epsilon"],
        weight_decay=settings["weight_decay"],
    )


KINDS: dict[str, Callable[..., optax.GradientTransformation]] = {"sgd": sgd, "adamw": adamw}


def build(settings: Mapping[str, Any]) -> optax.GradientTransformation:
    """Return the job's optimizer, with clipping and schedule where it has them.

    Its state has the attribute ``hyperparams``, a dict with "learning_rate". Setting that has no effect where the
    settings have milestones: there optax's schedule decides.

    Raises:
        Unsupported: there is no optimizer of this kind here.
    """
    if settings["kind"] not in KINDS:
        problem = f"The JAX adapter has no optimizer {settings['kind']!r}; it has {', '.join(KINDS)}."
        raise Unsupported(problem)

    def clipped(learning_rate: optax.ScalarOrSchedule) -> optax.GradientTransformation:
        optimizer = KINDS[settings["kind"]](learning_rate, settings)
        if settings.get("clip_norm") is None:
            return optimizer
        return optax.chain(optax.clip_by_global_norm(settings["clip_norm"]), optimizer)

    rate = settings["learning_rate"]
    if settings.get("milestones"):
        factors = dict.fromkeys(settings["milestones"], settings["gamma"])
        rate = optax.piecewise_constant_schedule(rate, factors)
    return optax.inject_hyperparams(clipped)(learning_rate=rate)
