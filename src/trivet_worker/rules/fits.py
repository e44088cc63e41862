"""How well each form of a rule explains the steps so far."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

LARGEST_FOR_HINTS = 1 << 16
"""Elements of the largest tensor that hints look at: biases, normalisations, a first and a last layer."""


@dataclasses.dataclass
class _Fit:
    before: float = 0.0
    after: float = 0.0
    where: str = ""
    fitted: float | None = None


class Fits:
    """The largest residual of each form, before and after the learning rate's first change.

    Args:
        forms: their names.
        fitted: those of them that have a free number.
    """

    def __init__(self, forms: Iterable[str], fitted: Iterable[str] = ()) -> None:
        self._fits = {form: _Fit() for form in forms}
        self._fitted = tuple(fitted)
        self._first_rate: float | None = None
        self._changed = False

    def begin(self, rate: float) -> None:
        """Begin a step of this learning rate."""
        if self._first_rate is None:
            self._first_rate = rate
        self._changed = self._changed or rate != self._first_rate

    def note(self, form: str, name: str, residual: float) -> None:
        """Take note of how far a tensor's update is from what the form predicts."""
        fit = self._fits[form]
        if not fit.where or residual > max(fit.before, fit.after):
            fit.where = name
        if self._changed:
            fit.after = max(fit.after, residual)
        else:
            fit.before = max(fit.before, residual)

    def fit_number(self, form: str, number: float) -> None:
        """Take note of the number that suits a form best at this step."""
        self._fits[form].fitted = number

    def results(self) -> dict[str, dict[str, Any]]:
        """Return {form: {"before", "after", "where"}}, fitted forms with "fitted" too.

        A form that no tensor was held against is absent.
        """
        found: dict[str, dict[str, Any]] = {}
        for form, fit in self._fits.items():
            if fit.where:
                found[form] = {"before": fit.before, "after": fit.after, "where": fit.where}
                if form in self._fitted:
                    found[form]["fitted"] = fit.fitted
        return found
