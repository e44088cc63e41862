"""Who is right when contestants differ: the largest group that agrees among itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trivet.model.contestant import Contestant


def agreeing_groups(
    contestants: Sequence[Contestant], agree: Callable[[str, str], bool]
) -> list[tuple[str, ...]]:
    """Return the largest sets of contestants in which each agrees with each, as labels.

    Agreement within a limit is not transitive, so two groups may share members. No group is part of another.

    Args:
        contestants: who takes part.
        agree: says whether two contestants (labels) agree; symmetric.
    """
    groups: list[tuple[str, ...]] = []
    for contestant in contestants:
        label = contestant.label
        joined = [(*(member for member in group if agree(member, label)), label) for group in groups]
        groups = _without_parts([*groups, *joined, (label,)])
    return groups


def reference_group(contestants: Sequence[Contestant], groups: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the group that spans most frameworks, and among those the one with most programs; () on a tie.

    The variants of a framework run one model file and can share its mistake, and copies of a contestant are the same
    program. So copies count once, and a group of one framework never outvotes another framework.
    """
    by_label = {contestant.label: contestant for contestant in contestants}

    def rank(group: tuple[str, ...]) -> tuple[int, int]:
        members = [by_label[label] for label in group]
        programs = {(member.framework, member.variant, member.version) for member in members}
        return len({member.framework for member in members}), len(programs)

    ordered = sorted(groups, key=rank, reverse=True)
    if not ordered:
        return ()
    best = ordered[0]
    several_frameworks = len({contestant.framework for contestant in contestants}) > 1
    tied = len(ordered) > 1 and rank(ordered[1]) == rank(best)
    outvotes = rank(best)[0] == 1 and several_frameworks
    return () if tied or outvotes else best


def _without_parts(groups: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    unique = list({frozenset(group): group for group in groups}.values())
    return [
        group
        for group in unique
        if not any(set(group) < set(other) for other in unique if other is not group)
    ]
