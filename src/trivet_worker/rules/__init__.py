"""Optimizer update rules in numpy, a module per optimizer kind: which rule explains a contestant's own steps?

===============  ==============================================================
`sgd`, `adam`    update rules: a `Replay` each
`clipping`       what may be done to gradients before
`rates`          which rate each step has
`cross_entropy`  which label smoothing explains the losses
`fits`           how well a form explains the steps
===============  ==============================================================
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from trivet_worker.rules import adam, clipping, rates, sgd
from trivet_worker.rules.fits import LARGEST_FOR_HINTS

Arrays = Mapping[str, np.ndarray]


class Rule(Protocol):
    """Holds a contestant's steps against the forms of its optimizer's update rule."""

    def step(self, rate: float, gradients: Arrays, before: Arrays, after: Arrays) -> None:
        """Take note of one step: learning rate, gradients, parameters before and after, by name."""

    def fits(self) -> dict[str, dict[str, Any]]:
        """Return {form: {"before": residual, "after": residual, "where": tensor}}."""


KINDS = {"sgd": sgd.Replay, "adamw": adam.Replay}


@dataclasses.dataclass(frozen=True)
class _Variation:
    """What may be done to gradients and rates before the update rule sees them.

    Attributes:
        clip: a form of `clipping`, "" for an optimizer that does not clip.
        rates: of each step.
        hint: True if it can only be a mistake: then small tensors tell enough.
        rule: the replay.
    """

    clip: str
    rates: Sequence[float]
    hint: bool
    rule: Rule


class Replay:
    """Holds a contestant's steps against its optimizer's update rule, clipping and schedule.

    Args:
        optimizer: the job's.
        step_rates: the learning rate that each step should have.
    """

    def __init__(self, optimizer: Mapping[str, Any], step_rates: Sequence[float]) -> None:
        kind = KINDS[optimizer["kind"]]
        self._limit = optimizer.get("clip_norm")
        self._taken = 0
        self._still: dict[str, bool] = {}
        clips = ("",) if self._limit is None else clipping.RULES
        self._variations = {
            _key(clip): _Variation(clip, step_rates, False, kind(optimizer)) for clip in clips
        }
        hints = {_key(clip): (clip, step_rates) for clip in clipping.HINTS if self._limit is not None}
        for mistake, others in rates.mistaken(step_rates).items():
            hints |= {_key(clip, mistake): (clip, others) for clip in clips}
        for key, (clip, others) in hints.items():
            self._variations[key] = _Variation(clip, others, True, kind(optimizer, hints=False))

    def step(self, gradients: Arrays, before: Arrays, after: Arrays) -> None:
        """Take note of one step.

        Args:
            gradients: parameter name -> gradient, as it came from the loss.
            before: parameter name -> value before the step; names that are no parameters may be there too.
            after: the same after it.
        """
        seen = {"": dict(gradients)}
        for variation in self._variations.values():
            if variation.clip not in seen:
                seen[variation.clip] = clipping.clipped(variation.clip, gradients, self._limit)
            taken = seen[variation.clip]
            if variation.hint:
                taken = {name: array for name, array in taken.items() if array.size <= LARGEST_FOR_HINTS}
            variation.rule.step(variation.rates[self._taken], taken, before, after)
        for name, gradient in gradients.items():
            if name in before and name in after and self._still.get(name, True):
                self._still[name] = bool(np.any(gradient)) and np.array_equal(before[name], after[name])
        self._taken += 1

    def fits(self) -> dict[str, dict[str, Any]]:
        """Return how well each form explains the steps, by a key that names all that it supposes.

        The key is the update rule's form, then a form of clipping where the optimizer clips, then a mistake in the
        rates if it supposes one: ``rate_outside``, ``after_correction, guarded``, ``rate_inside, late``.

        Returns:
            ``{key: {"before", "after", "where"}}``: the largest residual of a tensor's update before and after the
            rate's first change, ‖actual − predicted‖ / max(‖actual‖, 1e-6 ‖all updates‖), and the tensor with the
            largest; forms with a free number also have ``fitted``.
        """
        return {
            form + key: fit
            for key, variation in self._variations.items()
            for form, fit in variation.rule.fits().items()
        }

    def still(self) -> list[str]:
        """Return the parameters that have a gradient, and that no step has moved."""
        return [name for name, still in self._still.items() if still]


def replay(optimizer: Mapping[str, Any], step_rates: Sequence[float]) -> Replay | None:
    """Return a fresh replay for a job's optimizer, None for a kind whose rules are not written down here."""
    return Replay(optimizer, step_rates) if optimizer["kind"] in KINDS else None


def _key(*parts: str) -> str:
    return "".join(f", {part}" for part in parts if part)
