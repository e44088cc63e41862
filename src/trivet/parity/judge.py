"""From traces to verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from trivet.model.parity import Verdict
from trivet.parity import conventions, difference, finite
from trivet.parity.compare import Comparison, compare
from trivet.parity.groups import agreeing_groups, reference_group
from trivet.parity.trace import Trace

ALONE = (
    "Nothing to compare with: checked are its tensors against the workload, its update rule and its timed step, not what it "
    "computes."
)
"""The note of a contestant that no other was there to be equal to."""


def judge(traces: Sequence[Trace]) -> tuple[tuple[str, ...], dict[str, Verdict]]:
    """Return the reference group's labels, () on a tie, and every contestant's verdict.

    Who has other tensors than the workload, or breaks a rule of its own, cannot be a reference.
    """
    sound = [trace for trace in traces if trace.structure.sound]
    comparison = compare(sound)
    eligible = [trace.contestant for trace in sound if difference.own_fault(trace) is None]
    groups = agreeing_groups(eligible, comparison.agree)
    reference = reference_group(eligible, groups)
    return reference, {
        trace.label: _verdict(trace, traces, comparison, groups, reference) for trace in traces
    }


def _verdict(
    trace: Trace,
    traces: Sequence[Trace],
    comparison: Comparison,
    groups: Sequence[tuple[str, ...]],
    reference: tuple[str, ...],
) -> Verdict:
    by_convention = conventions.sentences(trace, traces)
    if trace.label in reference:
        others = [label for label in reference if label != trace.label]
        return Verdict(
            equal=True,
            worst=_worst(trace, others, comparison),
            first_difference=None,
            by_convention=by_convention,
            note=_narrowness([other for other in traces if other.label in reference]),
        )
    opponent = _opponent(trace, traces, comparison, reference)
    against = reference or ((opponent.label,) if opponent else ())
    return Verdict(
        equal=False,
        worst=_worst(trace, against, comparison),
        first_difference=difference.first_difference(trace, opponent, comparison),
        by_convention=by_convention,
        note=_undecided(traces, groups, reference),
    )


def _opponent(
    trace: Trace, traces: Sequence[Trace], comparison: Comparison, reference: tuple[str, ...]
) -> Trace | None:
    """Return whom a contestant's first difference is shown against: of the reference, or of the other side of a tie.

    One whose numbers are finite tells more than another; then another variant of its own framework, then a contestant that shares most forms of the update,
    and is compared through most steps.
    """
    if not trace.structure.sound:
        return None
    others = [other for other in traces if other.structure.sound and other.label != trace.label]
    if reference:
        others = [other for other in others if other.label in reference]
    differing = [other for other in others if not comparison.agree(trace.label, other.label)]

    def farness(other: Trace) -> tuple[bool, bool, int]:
        apart = [
            rule
            for rule in conventions.update_rules(trace)
            if conventions.declared(other, rule) != conventions.declared(trace, rule)
        ]
        another = other.contestant.framework != trace.contestant.framework
        return finite.first_key(other) is not None, another, len(apart)

    return min(differing, key=farness, default=None)


def _worst(trace: Trace, others: Sequence[str], comparison: Comparison) -> dict[str, float]:
    """Return the largest differences to the others, and to the contestant's own rules."""
    if not trace.structure.sound:
        return {}
    own = {"rule": difference.rule_error(trace)} if trace.replays else {}
    return {**comparison.worst(trace.label, others), **own, "timed_step": trace.step_agrees}


def _narrowness(reference: Sequence[Trace]) -> str:
    """Say how little a verdict means that no second framework shares."""
    if len({trace.contestant.framework for trace in reference}) > 1:
        return ""
    if len(reference) == 1:
        return ALONE
    return f"Compared with other {reference[0].contestant.framework} contestants only."


def _undecided(traces: Sequence[Trace], groups: Sequence[tuple[str, ...]], reference: tuple[str, ...]) -> str:
    """Say why there is no reference, "" if there is one."""
    if reference:
        return ""
    if len(traces) > 1 and all(finite.first_key(trace) is not None for trace in traces):
        return (
            "The numbers of all contestants become NaN or infinite, so that there is nothing to compare: look at the "
            "workload (a logarithm or a root of what is negative, a division by zero)."
        )
    return _tie(groups) if len(groups) > 1 else ""


def _tie(groups: Sequence[tuple[str, ...]]) -> str:
    sides = " | ".join(", ".join(group) for group in groups)
    return f"No side outweighs the other, so nobody is ranked: {sides}."
