"""Which measured contestant stands for a row of a table of claims."""

from __future__ import annotations

from trivet.conclude.ranking import by_speed
from trivet.conclude.words import unequal
from trivet.model.against import Row
from trivet.model.result import ContestantResult, Pair, WorkloadResult

_WHY = {
    "failed": "failed",
    "timed_out": "ran out of time",
    "out_of_memory": "ran out of memory",
    "unsupported": "is not supported here",
    "disturbed": "could not be timed on a disturbed machine",
    "pending": "is not measured yet",
    "measured": "has nobody to be ranked with",
}


class StandIns:
    """Finds the contestants of one workload that stand for rows.

    Attributes:
        workload: its conclusions.
    """

    def __init__(self, workload: WorkloadResult) -> None:
        self.workload = workload
        self._ranked = {label for pair in workload.pairs for label in (pair.a, pair.b)}

    def of(self, row: Row, variant: str | None = None) -> tuple[ContestantResult | None, str]:
        """Return the fastest ranked contestant of a row's framework and variant; without one, why there is none.

        Args:
            row: of the table.
            variant: another than the row's own; "" for any.
        """
        wanted = row.variant if variant is None else variant
        fitting = [
            one
            for one in by_speed(self.workload)
            if one.framework == row.framework and wanted in ("", one.variant)
        ]
        for one in fitting:
            if one.contestant in self._ranked:
                return one, ""
        if fitting:
            first = fitting[0]
            out = first.status == "not_equal"
            why = f"is not ranked, since {unequal(first)}" if out else _WHY[first.status]
            return None, f"{first.contestant} {why}."
        which = f"{row.framework}:{wanted}" if wanted else f"No contestant of {row.title}"
        return None, f"{which} was {'not ' if wanted else ''}measured."

    def pair(self, a: Row, b: Row) -> tuple[Pair | None, str]:
        """Return the pair of two rows' contestants, seen from a; without one, why there is none."""
        (one, why), (other, why_other) = self.of(a), self.of(b)
        if one is None or other is None:
            return None, " ".join(filter(None, (why, why_other)))
        for pair in self.workload.pairs:
            if {pair.a, pair.b} == {one.contestant, other.contestant}:
                return pair.seen_from(one.contestant), ""
        return None, f"{one.contestant} and {other.contestant} share no clean generation."
