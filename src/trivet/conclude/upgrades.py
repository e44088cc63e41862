"""Answers "should I upgrade?" where two contestants differ in nothing but the version of their framework."""

from __future__ import annotations

from collections.abc import Sequence

from packaging.version import InvalidVersion, Version

from trivet.conclude.words import unequal
from trivet.figures import interval, mebibytes, number, seconds
from trivet.model.contestant import parse_contestant
from trivet.model.result import ContestantResult, Pair
from trivet.stats.verdict import A_FASTER, B_FASTER, NO_PRACTICAL_DIFFERENCE


def upgrades(contestants: Sequence[ContestantResult], pairs: Sequence[Pair]) -> list[str]:
    """Return a sentence for each older version that was measured beside the newest one of the same contestant.

    Args:
        contestants: of one workload.
        pairs: of those that are ranked.
    """
    families: dict[tuple[str, str, int], list[ContestantResult]] = {}
    for one in contestants:
        if _version(one) is not None:
            copy = parse_contestant(one.contestant).copy
            families.setdefault((one.framework, one.variant, copy), []).append(one)
    sentences = []
    for (framework, variant, _), members in families.items():
        ordered = sorted(members, key=lambda one: _version(one) or Version("0"))
        newest = ordered[-1]
        sentences += [
            f"Upgrade {framework}:{variant} from {older.version} to {newest.version}? {_answer(older, newest, pairs)}"
            for older in ordered[:-1]
            if _version(older) != _version(newest)
        ]
    return sentences


def _version(one: ContestantResult) -> Version | None:
    try:
        return Version(one.version)
    except InvalidVersion:
        return None


def _answer(older: ContestantResult, newer: ContestantResult, pairs: Sequence[Pair]) -> str:
    pair = next(
        (pair for pair in pairs if {pair.a, pair.b} == {older.contestant, newer.contestant}),
        None,
    )
    if pair is None:
        return _without_speeds(older, newer)
    seen = pair.seen_from(newer.contestant)
    ratio = f"{number(seen.ratio)}x ({interval(seen.low, seen.high)})"
    speed = {
        A_FASTER: f"Yes: {newer.version} is faster by {ratio}",
        B_FASTER: f"Not for speed: {newer.version} is slower, at {ratio}",
        NO_PRACTICAL_DIFFERENCE: f"As you like: no practical difference in speed, at {ratio}",
    }.get(seen.verdict, f"Undecided as to speed, at {ratio}")
    provisional = ", provisionally" if seen.provisional and seen.verdict in (A_FASTER, B_FASTER) else ""
    costs = [*_costs(older, newer), "both compute the same"]
    return f"{speed}{provisional}; {'; '.join(costs)}."


def _without_speeds(older: ContestantResult, newer: ContestantResult) -> str:
    differing = [one for one in (older, newer) if one.status == "not_equal"]
    if differing:
        versions = " and ".join(one.version for one in differing)
        return f"Not before you know why: {unequal(differing[0])} in {versions}."
    missing = [
        f"{one.version} has no result ({one.status.replace('_', ' ')})"
        for one in (older, newer)
        if one.status != "measured"
    ]
    return f"That cannot be said: {' and '.join(missing) or 'they share no clean generation'}."


def _costs(older: ContestantResult, newer: ContestantResult) -> list[str]:
    found = []
    for name, old, new, words in (
        ("cold start-up", older.startup_cold, newer.startup_cold, seconds),
        ("warm start-up", older.startup_warm, newer.startup_warm, seconds),
        ("memory", older.shown_memory, newer.shown_memory, mebibytes),
    ):
        if old and new:
            found.append(f"{name} {words(new)} against {words(old)}")
    return found
