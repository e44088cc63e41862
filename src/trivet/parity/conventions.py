"""The closed list of rules that frameworks really have differently, and that are declared instead of made equal.

======================  ============  ========================================================================
rule                    declared as   meaning
======================  ============  ========================================================================
``running_variance``    biased        the running variance averages Σ(x − x̄)²/N
..                      unbiased      it averages Σ(x − x̄)²/(N − 1)
``momentum``            rate_outside  v = μ·v + g; p −= rate·v
..                      rate_inside   v = μ·v − rate·g; p += v
======================  ============  ========================================================================

A running variance is converted before it is compared, so that a wrong declaration fails. The momentum forms agree as
long as the rate stays; contestants of different forms are compared up to its change, and each is held against a
replay of its declared form to the end. Any other difference fails the gate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trivet.parity import checks
from trivet.parity.recipe import CHANGED_AFTER, MOMENTUM
from trivet.parity.trace import Trace

UNDECLARED = {"running_variance": "biased", "momentum": "rate_outside"}
"""The rules of the list, and what a framework that says nothing is taken to do."""

FORMS = {
    "biased": "the average of batch variances over N",
    "unbiased": "the average of batch variances over N − 1",
    "rate_outside": f"v = {MOMENTUM:g} v + g; p −= rate·v",
    "rate_inside": f"v = {MOMENTUM:g} v − rate·g; p += v",
}


def declared(trace: Trace, rule: str) -> str:
    """Return the form of a rule that the contestant's framework declares."""
    return trace.conventions.get(rule, UNDECLARED[rule])


def comparable(ours: Trace, theirs: Trace, key: str) -> bool:
    """Say whether a quantity should agree between two contestants: not past the point where their rules part.

    A loss and a normalisation statistic come before their step's update; a parameter comes after it.
    """
    if declared(ours, "momentum") == declared(theirs, "momentum"):
        return True
    last = {"parameter": CHANGED_AFTER, "loss": CHANGED_AFTER + 1, "statistic": CHANGED_AFTER + 1}
    return checks.step(key) <= last.get(checks.check(key), 1)


def common_form(trace: Trace, key: str, running_variance: str | None = None) -> np.ndarray:
    """Return a tensor with its running variance, if it is one, in the biased form.

    The running variance after t steps is ``m^t v(0)`` plus a weighted sum of batch variances, and each of these is
    N/(N − 1) times as large in the unbiased form. A layer whose momentum or count is unknown stays as it is.

    Args:
        trace: whose tensor.
        key: which.
        running_variance: the form to convert from, if not the declared one.
    """
    array = trace.array(key)
    form = running_variance or declared(trace, "running_variance")
    layer, _, role = checks.tensor(key).rpartition(".")
    if form != "unbiased" or checks.check(key) != "statistic" or role != "variance":
        return array
    tap, count = trace.tap(layer), trace.counts.get(layer)
    if tap is None or "momentum" not in tap.attributes or count is None:
        return array
    start = tap.attributes["momentum"] ** checks.step(key) * trace.array(f"statistic/0/{layer}.variance")
    converted: np.ndarray = start + (array - start) * ((count - 1) / count)
    return converted


def words(form: str) -> str:
    """Return a form of a rule in words; what is not on the list as it was declared."""
    return FORMS.get(form, repr(form))


def sentences(trace: Trace, traces: Sequence[Trace]) -> tuple[str, ...]:
    """Return how a contestant differs from the others by convention, a sentence for each rule.

    The common form is the one that most frameworks declare.
    """
    found = []
    if trace.counts and _apart(trace, traces, "running_variance"):
        found.append(
            f"running variance: {words(declared(trace, 'running_variance'))}, elsewhere "
            f"{words(_common(traces, 'running_variance'))}; converted by N/(N − 1) before comparing"
        )
    if _apart(trace, traces, "momentum"):
        found.append(
            f"momentum: {words(declared(trace, 'momentum'))}, elsewhere {words(_common(traces, 'momentum'))}; these "
            "part when the rate changes: compared with the others up to there, and with a numpy replay of its own "
            "rule to the end"
        )
    return tuple(found)


def _apart(trace: Trace, traces: Sequence[Trace], rule: str) -> bool:
    return declared(trace, rule) != _common(traces, rule)


def _common(traces: Sequence[Trace], rule: str) -> str:
    frameworks = {trace.contestant.framework: declared(trace, rule) for trace in traces}
    forms = list(frameworks.values())
    return max(forms, key=lambda form: (forms.count(form), form == UNDECLARED[rule]))
