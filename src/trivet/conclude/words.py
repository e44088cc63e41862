"""Words around a table, for terminal, Markdown and page: counts, and reasons."""

from __future__ import annotations

from trivet.model.result import WorkloadResult


def generations(result: WorkloadResult) -> str:
    """Return how many generations there are; one alone decides nothing."""
    return "1 generation, provisional" if result.generations == 1 else f"{result.generations} generations"


def reasons(result: WorkloadResult) -> dict[str, str]:
    """Return reason -> the contestants that have it, for those that are not simply measured."""
    found: dict[str, list[str]] = {}
    for contestant in result.contestants:
        if contestant.reason:
            found.setdefault(contestant.reason, []).append(contestant.contestant)
    return {reason: ", ".join(labels) for reason, labels in found.items()}
