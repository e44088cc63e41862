"""Where a contestant stands on a workload: measured, out, withheld, disturbed, or not yet reached."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from trivet.model.measurement import Failure, Generation
from trivet.model.parity import Difference, Verdict
from trivet.stats.samples import ENOUGH_ROUNDS, Samples
from trivet.stats.stopping import FEWEST_GENERATIONS


@dataclasses.dataclass(frozen=True, kw_only=True)
class Standing:
    """A status with its reason.

    Attributes:
        status: one of `trivet.model.result.STATUSES`.
        reason: why it is not "measured", or a remark; "" if there is none.
        log: path within the run, or "".
    """

    status: str
    reason: str = ""
    log: str = ""


def stand(
    label: str,
    *,
    failure: Failure | None,
    verdict: Verdict | None,
    generations: Sequence[Generation],
    samples: Samples,
    complete: bool,
    departs: str = "",
    clock_contradicts: str = "",
) -> Standing:
    """Return where a contestant stands.

    Args:
        label: of the contestant.
        failure: outside of generations, if it had one.
        verdict: of the parity gate, if it got that far.
        generations: of the workload.
        samples: of the workload, this contestant among them.
        complete: True if the run is.
        departs: how its losses in the timed precision are not those of the others; "" if they are.
        clock_contradicts: how its worker's clock is not that of the machine; "" if it is.
    """
    failure = failure or (verdict.failure if verdict else None)
    if failure is not None:
        return Standing(status=failure.status, reason=failure.message, log=failure.log)
    if verdict is not None and verdict.equal is False:
        return Standing(status="not_equal", reason=_difference(verdict.first_difference))
    if departs:
        return Standing(status="not_equal", reason=departs)
    taken_part = [one for one in generations if label in one.failures or label in one.startups]
    failed = [one.failures[label] for one in taken_part if label in one.failures]
    counted = samples.counted(label)
    # Some generations may be lost, but not so many that an interval is built on what happened to be left.
    needed = min(FEWEST_GENERATIONS, len(taken_part))
    some = f"In {len(failed)} of {len(taken_part)} generations: " if len(failed) < len(taken_part) else ""
    if failed and counted < needed:
        return Standing(status=failed[-1].status, reason=f"{some}{failed[-1].message}", log=failed[-1].log)
    if counted < needed:
        reason = clock_contradicts or _disturbed(label, taken_part, counted)
        return Standing(status="disturbed", reason=reason)
    if not taken_part:
        if complete:
            return Standing(status="failed", reason="It was never measured; the run's logs may say why.")
        return Standing(status="pending", reason="Not measured yet.")
    remarks = [f"{some}{failed[-1].message}"] if failed else []
    restless = sum(label in one.unsettled for one in taken_part)
    if restless:
        remarks.append(
            f"In {restless} of {len(taken_part)} generations its speed was still changing when the warm-up ended."
        )
    return Standing(status="measured", reason=" ".join(remarks), log=failed[-1].log if failed else "")


def _difference(difference: Difference | None) -> str:
    if difference is None:
        return "It does not compute what the others compute."
    size = (
        "" if difference.error is None else f", off by {difference.error:.1e} (limit {difference.limit:.0e})"
    )
    cause = f": {difference.cause}" if difference.cause else ""
    return f"It differs first at {difference.where} ({difference.check.replace('_', ' ')}{size}){cause}"


def _disturbed(label: str, generations: Sequence[Generation], counted: int) -> str:
    taken = [one for generation in generations for one in generation.slices if one.contestant == label]
    if not taken:
        return (
            "Other processes used the machine: every round was given up at another contestant's slice, before its own turn "
            "came. Measure again on a quieter machine."
        )
    rejected = sum(not one.clean for one in taken)
    enough = f"only {counted} of {len(generations)} generations" if counted else "no generation"
    return (
        f"Other processes used the machine: {rejected} of its {len(taken)} slices were rejected, and {enough} had "
        f"{ENOUGH_ROUNDS} clean rounds. Measure again on a quieter machine."
    )
