"""Words around a table, for terminal, Markdown and page: counts, reasons, shares of the peak, largest batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from trivet import figures
from trivet.conclude.ranking import by_speed
from trivet.model.against import Judgement, Verdict, WorkloadAgainst
from trivet.model.result import ContestantResult, LargestBatch, Pair, WorkloadResult
from trivet.parity.judge import ALONE


def generations(result: WorkloadResult) -> str:
    """Return how many generations there are; one alone decides nothing."""
    return "1 generation, provisional" if result.generations == 1 else f"{result.generations} generations"


def listed(parts: Sequence[str]) -> str:
    """Return "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def parity_words(contestant: ContestantResult) -> str:
    """Return "equal", "alone" (nobody was there to be equal to), "not equal" or "not checked"."""
    equal = contestant.parity.get("equal")
    if equal is None:
        return "not checked"
    if not equal:
        return "not equal"
    return "alone" if contestant.parity.get("note") == ALONE else "equal"


def unequal(contestant: ContestantResult) -> str:
    """Return why a contestant is "not_equal": by the parity gate, or by its losses in the precision that is timed."""
    if contestant.parity["equal"] is False:
        return "the parity gate found a difference"
    return f"losses differ in {contestant.precision}"


def reasons(result: WorkloadResult) -> dict[str, str]:
    """Return reason -> the contestants that have it, for those that are not simply measured."""
    found: dict[str, list[str]] = {}
    for contestant in result.contestants:
        if contestant.reason:
            found.setdefault(contestant.reason, []).append(contestant.contestant)
    return {reason: ", ".join(labels) for reason, labels in found.items()}


def peak_line(result: WorkloadResult) -> str:
    """Return who uses how much of the machine's peak, the fastest first; "" if nobody's share is known."""
    known = [one for one in by_speed(result) if one.utilisation is not None]
    if result.peak is None or not known:
        return ""
    peak = result.peak
    shares = ", ".join(f"{one.contestant} {used_share(one)}" for one in known)
    return (
        f"Share of this machine's peak ({figures.flops(peak.flops_per_second)} in {peak.precision}, "
        f"{peak.framework}'s {peak.operation}): {shares}."
    )


def used_share(contestant: ContestantResult) -> str:
    """Return a contestant's share of the peak; one that cannot be is marked."""
    doubt = "?" if any(flag.code == "over_peak" for flag in contestant.flags) else ""
    return figures.share(contestant.utilisation) + doubt


def flag_lines(result: WorkloadResult) -> list[str]:
    """Return "labels: message" for each implausible number, contestants that share a message together."""
    found: dict[str, list[str]] = {}
    for one in result.contestants:
        for flag in one.flags:
            found.setdefault(flag.message, []).append(one.contestant)
    return [f"{', '.join(labels)}: {message}" for message, labels in found.items()]


def ahead_after(pair: Pair, unit: str) -> str:
    """Return after how many items, and how much time, the faster one of a pair is ahead from a cold start."""
    return figures.break_even(pair.break_even_items.get("cold"), pair.break_even_seconds.get("cold"), unit)


def largest_batch_line(result: WorkloadResult) -> str:
    """Return the largest batch of each contestant that fits, the largest first; "" if nobody searched."""
    found = [(one.contestant, one.largest_batch) for one in result.contestants if one.largest_batch]
    if not found:
        return ""
    found.sort(key=lambda item: -item[1].value)
    parts = [f"{label} {_fits(batch)}" for label, batch in found]
    return f"Largest batch within {figures.size(found[0][1].limit_bytes)} for a process: {', '.join(parts)}."


def _fits(batch: LargestBatch) -> str:
    if batch.failed_at is None:
        return f"{batch.value} or more"
    return f"{batch.value} ({batch.failed_at} does not fit)"


def verdict_of_claim(judgement: Judgement) -> str:
    """Return the verdict on a claim; one that rests on an assumed interval is marked."""
    decided = judgement.verdict in ("holds", "does not hold here")
    return f"{judgement.verdict} (provisional)" if judgement.provisional and decided else judgement.verdict


def against_facts(workload: WorkloadAgainst) -> list[str]:
    """Return in which a run's setting is not that of a table of claims, and what that means for the verdicts."""
    lines = []
    for what, facts in (("Setting", workload.elsewhere), ("Versions", workload.versions)):
        if facts:
            lines.append(
                f"{what}: {'; '.join(f'{one.name} {one.there} there, {one.here} here' for one in facts)}."
            )
    found = Counter(one.verdict for one in workload.judgements)
    counts = ", ".join(f"{words} {found[verdict]}" for verdict, words in _COUNTED.items() if found[verdict])
    return [*lines, workload.meaning, f"{sum(found.values())} claims: {counts}."]


_COUNTED: Mapping[Verdict, str] = {
    "holds": "hold",
    "does not hold here": "do not hold here",
    "undecided": "undecided",
    "cannot be tested here": "cannot be tested here",
}
