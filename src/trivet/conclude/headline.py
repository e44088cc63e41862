"""The verdict on a workload in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from trivet.conclude.upgrades import upgrades
from trivet.conclude.words import listed, unequal
from trivet.figures import interval, number
from trivet.model.result import ContestantResult, Pair
from trivet.stats.verdict import A_FASTER, NO_PRACTICAL_DIFFERENCE


def headline(contestants: Sequence[ContestantResult], pairs: Sequence[Pair]) -> str:
    """Return who is ahead of whom and by how much, who is not, who is withheld, and whether upgrades pay.

    Args:
        contestants: of one workload.
        pairs: of those that are ranked.
    """
    sentences = [_ranking(contestants, pairs), *_absent(contestants), *upgrades(contestants, pairs)]
    return " ".join(sentence for sentence in sentences if sentence)


def _ranking(contestants: Sequence[ContestantResult], pairs: Sequence[Pair]) -> str:
    labels = {label for pair in pairs for label in (pair.a, pair.b)}
    ranked = [one for one in contestants if one.contestant in labels and one.throughput]
    if not ranked:
        return _alone(contestants)
    leader = max(ranked, key=lambda one: one.throughput.value if one.throughput else 0.0).contestant
    races = sorted(
        (pair.seen_from(leader) for pair in pairs if leader in (pair.a, pair.b)), key=lambda pair: pair.ratio
    )
    behind = [pair for pair in races if pair.verdict == A_FASTER]
    equal = [pair for pair in races if pair.verdict == NO_PRACTICAL_DIFFERENCE]
    undecided = [pair for pair in races if pair not in behind and pair not in equal]
    parts = []
    if behind:
        parts.append(f"{leader} is faster than {listed([f'{pair.b} by {_times(pair)}' for pair in behind])}")
    if equal:
        others = listed([f"{pair.b} at {_times(pair)}" for pair in equal])
        parts.append(f"there is no practical difference between {leader} and {others}")
    if undecided:
        others = listed([f"{pair.b} at {_times(pair)}" for pair in undecided])
        parts.append(f"it is undecided between {leader} and {others}")
    sentence = "; ".join(parts)
    if any(pair.provisional for pair in races):
        sentence = f"Provisionally, from one generation with assumed intervals: {sentence}"
    elif not behind:  # else it begins with a label, which keeps its spelling
        sentence = sentence[0].upper() + sentence[1:]
    if any(pair.unguarded for pair in races):
        sentence += " (unguarded: other processes could not be watched)"
    return f"{sentence}."


def _alone(contestants: Sequence[ContestantResult]) -> str:
    speeds = [
        f"{one.contestant} runs at {number(one.throughput.value)} {one.throughput.unit}"
        for one in contestants
        if one.throughput and one.status == "measured"
    ]
    if not speeds:
        return (
            "Nothing is measured yet."
            if any(one.status == "pending" for one in contestants)
            else "No throughput was measured."
        )
    return f"{listed(speeds)}; there is nothing to rank."


def _absent(contestants: Sequence[ContestantResult]) -> list[str]:
    sentences = []
    for why in dict.fromkeys(unequal(one) for one in contestants if one.status == "not_equal"):
        labels = [one.contestant for one in contestants if one.status == "not_equal" and unequal(one) == why]
        sentences.append(f"{listed(labels)} {_are(labels)} not ranked, because {why}.")
    for status, words in (
        ("disturbed", "without a result, because other processes used the machine"),
        ("failed", "without a result, because of a failure"),
        ("timed_out", "without a result, because the time was up"),
        ("out_of_memory", "without a result, because memory ran out"),
        ("unsupported", "not supported here"),
    ):
        labels = [one.contestant for one in contestants if one.status == status]
        if labels:
            sentences.append(f"{listed(labels)} {_are(labels)} {words}.")
    return sentences


def _are(labels: Sequence[str]) -> str:
    return "is" if len(labels) == 1 else "are"


def _times(pair: Pair) -> str:
    return f"{number(pair.ratio)}x ({interval(pair.low, pair.high)})"
