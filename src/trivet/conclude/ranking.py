"""Which lines a reader wants first: contestants in order of speed, races from the leader's side."""

from __future__ import annotations

from trivet.model.result import ContestantResult, Pair, WorkloadResult


def by_speed(result: WorkloadResult) -> list[ContestantResult]:
    """Return the contestants, fastest first: those that are ranked, those that are not, those without a speed."""
    ranked = {label for pair in result.pairs for label in (pair.a, pair.b)}

    def order(one: ContestantResult) -> tuple[bool, bool, float]:
        speed = one.throughput.value if one.throughput else 0.0
        alone = not ranked and one.status == "measured"
        return not speed, one.contestant not in ranked and not alone, -speed

    return sorted(result.contestants, key=order)


def leader(result: WorkloadResult) -> str | None:
    """Return the label of the fastest contestant that is ranked, or None."""
    ranked = {label for pair in result.pairs for label in (pair.a, pair.b)}
    return next((one.contestant for one in by_speed(result) if one.contestant in ranked), None)


def against_leader(result: WorkloadResult) -> list[Pair]:
    """Return the leader's pairs with the leader as `a`, the closest race first."""
    first = leader(result)
    pairs = [
        pair.seen_from(first) for pair in result.pairs if first is not None and first in (pair.a, pair.b)
    ]
    return sorted(pairs, key=lambda pair: pair.ratio)


def from_faster_side(pair: Pair) -> Pair:
    """Return the pair with the one of the higher estimate as `a`."""
    return pair if pair.ratio >= 1.0 else pair.seen_from(pair.b)


def verdict_words(pair: Pair) -> str:
    """Return the verdict in a few words."""
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
