"""The closed list of rules that frameworks really have differently, and that are declared instead of made equal.

======================  =================  ===================================================================
rule                    declared as        meaning
======================  =================  ===================================================================
``running_variance``    biased             the running variance averages Σ(x − x̄)²/N
..                      unbiased           it averages Σ(x − x̄)²/(N − 1)
``momentum``            rate_outside       v = μ·v + g; p −= rate·v
..                      rate_inside        v = μ·v − rate·g; p += v
``adam_epsilon``        after_correction   p −= rate·m̂/(√v̂ + ε)
..                      before_correction  p −= rate·√(1 − β₂ᵗ)/(1 − β₁ᵗ)·m/(√v + ε), "epsilon hat"
``clipping``            exact              gradients times min(1, c/‖g‖)
..                      guarded            gradients times min(1, c/(‖g‖ + 1e-6))
======================  =================  ===================================================================

A running variance is converted before it is compared, so that a wrong declaration fails. The others can't be
converted: contestants of different forms are compared up to where these must part (a change of the learning rate, or
the first update), and each is held against a numpy replay of its declared form to the end. Any other difference fails
the gate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trivet.parity import checks
from trivet.parity.recipe import CHANGED_AFTER, MOMENTUM
from trivet.parity.trace import Trace

UNDECLARED = {
    "running_variance": "biased",
    "momentum": "rate_outside",
    "adam_epsilon": "after_correction",
    "clipping": "exact",
}
"""The rules of the list, and what a framework that says nothing is taken to do."""

FORMS = {
    "biased": "the average of batch variances over N",
    "unbiased": "the average of batch variances over N − 1",
    "rate_outside": f"v = {MOMENTUM:g} v + g; p −= rate·v",
    "rate_inside": f"v = {MOMENTUM:g} v − rate·g; p += v",
    "after_correction": "epsilon added after the bias correction, p −= rate·m̂/(√v̂ + ε)",
    "before_correction": "epsilon added before the bias correction, p −= rate·√(1 − β₂ᵗ)/(1 − β₁ᵗ)·m/(√v + ε)",
    "exact": "gradients times min(1, c/‖g‖) with the norm of all",
    "guarded": "gradients times min(1, c/(‖g‖ + 1e-6)) with the norm of all",
}

PARTS_AFTER = {"momentum": CHANGED_AFTER, "adam_epsilon": 0, "clipping": 0}
"""Rule of an update -> updates after which its forms must part."""

_UPDATE_RULES = {"sgd": "momentum", "adamw": "adam_epsilon"}

_TITLES = {"momentum": "momentum", "adam_epsilon": "Adam's epsilon", "clipping": "clipping"}


def declared(trace: Trace, rule: str) -> str:
    """Return the form of a rule that the contestant's framework declares."""
    return trace.conventions.get(rule, UNDECLARED[rule])


def update_rules(trace: Trace) -> tuple[str, ...]:
    """Return the rules of the list that a contestant's updates follow: its optimizer's, and clipping where it clips."""
    kind = _UPDATE_RULES.get(trace.optimizer["kind"])
    clips = trace.optimizer.get("clip_norm") is not None
    return ((kind,) if kind else ()) + (("clipping",) if clips else ())


def declared_update(trace: Trace) -> str:
    """Return the form that a contestant declares for its updates: a key of `Trace.replays`."""
    return ", ".join(declared(trace, rule) for rule in update_rules(trace))


def comparable(ours: Trace, theirs: Trace, key: str) -> bool:
    """Say whether a quantity should agree between two contestants: not past the point where their rules part.

    A loss and a normalisation statistic come before their step's update; a parameter comes after it.
    """
    apart = [rule for rule in update_rules(ours) if declared(ours, rule) != declared(theirs, rule)]
    if not apart:
        return True
    updates = min(PARTS_AFTER[rule] for rule in apart)
    last = {"parameter": updates, "loss": updates + 1, "statistic": updates + 1}
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
    for rule in update_rules(trace):
        if _apart(trace, traces, rule):
            when = "when the rate changes" if PARTS_AFTER[rule] else "at the first update"
            found.append(
                f"{_TITLES[rule]}: {words(declared(trace, rule))}, elsewhere {words(_common(traces, rule))}; these "
                f"part {when}: compared with the others up to there, and with a numpy replay of its own rule to the "
                "end"
            )
    return tuple(found)


def _apart(trace: Trace, traces: Sequence[Trace], rule: str) -> bool:
    return declared(trace, rule) != _common(traces, rule)


def _common(traces: Sequence[Trace], rule: str) -> str:
    frameworks = {trace.contestant.framework: declared(trace, rule) for trace in traces}
    forms = list(frameworks.values())
    return max(forms, key=lambda form: (forms.count(form), form == UNDECLARED[rule]))
