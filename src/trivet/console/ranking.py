"""Which lines a reader wants first: contestants in order of speed, pairs from the faster one's side."""

from __future__ import annotations

import dataclasses

from trivet.model.result import ContestantResult, Pair, WorkloadResult


def by_speed(result: WorkloadResult) -> list[ContestantResult]:
    """Return the contestants, fastest first, those without a speed last in the order asked."""
    return sorted(result.contestants, key=lambda c: -(c.throughput.value if c.throughput else 0.0))


def from_faster_side(pair: Pair) -> Pair:
    """Return the pair with the one of the higher estimate as `a`."""
    if pair.ratio >= 1.0:
        return pair
    flipped = {"a_faster": "b_faster", "b_faster": "a_faster"}
    return dataclasses.replace(
        pair,
        a=pair.b,
        b=pair.a,
        ratio=1.0 / pair.ratio,
        low=1.0 / pair.high,
        high=1.0 / pair.low,
        generations=tuple(1.0 / ratio for ratio in pair.generations),
        verdict=flipped.get(pair.verdict, pair.verdict),
    )


def against_leader(result: WorkloadResult) -> list[Pair]:
    """Return the leader's pairs, the closest race first."""
    ranked = [c for c in by_speed(result) if c.throughput is not None]
    if not ranked:
        return []
    leader = ranked[0].contestant
    pairs = [from_faster_side(pair) for pair in result.pairs if leader in (pair.a, pair.b)]
    return sorted(pairs, key=lambda pair: pair.ratio)


def verdict_words(pair: Pair) -> str:
    """Return the verdict in a few words, from the side of `a`."""
    words = {
        "a_faster": f"{pair.a} faster",
        "b_faster": f"{pair.b} faster",
        "no_practical_difference": "no practical difference",
        "undecided": "undecided",
    }[pair.verdict]
    if pair.provisional and pair.verdict != "undecided":
        words += " (provisional)"
    if pair.verdict == "undecided" and pair.more_minutes is not None:
        words += f", about {max(1, round(pair.more_minutes))} min more would decide"
    if pair.unguarded:
        words += ", unguarded"
    return words
