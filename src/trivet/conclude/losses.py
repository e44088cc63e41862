"""Whether the loss falls in the precision that is timed, and whether all have the same one: a looser gate."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Mapping, Sequence

from trivet.model.contestant import Contestant
from trivet.model.measurement import Generation
from trivet.model.result import LossCheck
from trivet.parity.groups import agreeing_groups, reference_group

FIRST_LOSSES = 3
"""So many losses are those of the first steps; the one after them is the last that was read."""

LIMITS: Mapping[str, tuple[float, float]] = {
    "float64": (1e-3, 0.3),
    "float32": (1e-3, 0.3),
    "tf32": (2e-2, 0.5),
    "bfloat16": (2e-2, 0.5),
}
"""Precision -> how far two losses of the first step may be apart, and those of the next two.

The first loss is a forward pass, and rounds a little: equal programs were at most 1e-5 apart in float32 (resnet50, batch
8) and 6e-3 in bfloat16 (the same). Training multiplies that at once: the same were up to 3e-2 apart two steps later in
float32, and a ReLU's mask that flips is no other program. So the later steps only have to be in the same region. tf32
keeps ten bits of the mantissa, bfloat16 seven."""

REPEATS: Mapping[str, tuple[float, float]] = {"cpu": (1e-4, 1e-3), "cuda": (1e-3, 0.1)}
"""Device -> how far the losses of the same step in the same process may be apart: of the first step, and of the next two.

On a CPU they were the same to the last bit. On a GPU sums may be added up in another order each time (atomics), which steps
multiply as they do between frameworks."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Departure:
    """A loss of the first steps that is not the others'.

    Attributes:
        step: which, from 1.
        ours: the contestant's loss.
        theirs: label -> loss of those that it is held against.
        median: what the reference has; None on a tie.
        distance: how far it is from the reference, or from the nearest of the others on a tie; NaN if it is not finite.
        limit: what would have passed.
        precision: of the run.
    """

    step: int
    ours: float
    theirs: Mapping[str, float]
    median: float | None
    distance: float
    limit: float
    precision: str


def check_loss(label: str, generations: Sequence[Generation], reference: Sequence[str]) -> LossCheck | None:
    """Set a contestant's losses beside those of the reference; None where it has none.

    All start from the same parameters and take the same batches, so the first generation that has losses will do.

    Args:
        label: of the contestant.
        generations: of the workload.
        reference: labels of the group that the parity gate found to agree; its first member with losses is taken.
    """
    first = next((one for one in generations if len(one.losses.get(label, ())) > 1), None)
    if first is None:
        return None
    losses = first.losses[label]
    other = next((name for name in reference if len(first.losses.get(name, ())) > 1), "")
    distance = None
    if other:
        theirs = first.losses[other]
        distances = [
            abs(ours - own) / abs(own)
            for ours, own in zip(losses[:FIRST_LOSSES], theirs[:FIRST_LOSSES], strict=False)
            if own
        ]
        distance = max(distances, default=math.nan)
    return LossCheck(
        losses=tuple(loss if math.isfinite(loss) else None for loss in losses),
        falls=losses[-1] < losses[0],
        reference=other,
        distance=distance if distance is not None and math.isfinite(distance) else None,
    )


def departures(
    contestants: Sequence[Contestant], generations: Sequence[Generation], precision: str
) -> dict[str, Departure]:
    """Return label -> the first loss that is not the others', for those that have one.

    The reference is the median of the largest group that agrees, chosen as the parity gate chooses: on a tie all that
    are not of one mind with everybody depart, since nobody is known to be right.

    Args:
        contestants: those that the parity gate found equal.
        generations: of the workload; the first in which somebody departs counts.
        precision: that is timed.
    """
    limits = LIMITS[precision]
    for one in generations:
        first = {
            contestant.label: one.losses[contestant.label][:FIRST_LOSSES]
            for contestant in contestants
            if len(one.losses.get(contestant.label, ())) >= FIRST_LOSSES
        }
        found = _departures([each for each in contestants if each.label in first], first, limits, precision)
        if found:
            return found
    return {}


def _departures(
    contestants: Sequence[Contestant],
    losses: Mapping[str, Sequence[float]],
    limits: tuple[float, float],
    precision: str,
) -> dict[str, Departure]:
    def agree(one: str, other: str) -> bool:
        return _apart(losses[one], losses[other], limits) is None

    group = reference_group(contestants, agreeing_groups(contestants, agree))
    found = {}
    for label, ours in losses.items():
        if group:
            theirs = {other: losses[other] for other in group}
            median = [statistics.median(each) for each in zip(*theirs.values(), strict=True)]
            step = None if label in group else _apart(ours, median, limits)
        else:
            theirs = {other: losses[other] for other in losses if not agree(label, other)}
            median = []
            step = min(
                (_apart(ours, other, limits) or FIRST_LOSSES for other in theirs.values()), default=None
            )
        if step is not None:
            place = step - 1
            against = [median] if median else list(theirs.values())
            found[label] = Departure(
                step=step,
                ours=ours[place],
                theirs={other: each[place] for other, each in theirs.items()},
                median=median[place] if median else None,
                distance=min(distance(ours, other, step) for other in against),
                limit=_limit(limits, step),
                precision=precision,
            )
    return found


def changed(label: str, generations: Sequence[Generation], device: str) -> tuple[int, float, float] | None:
    """Return step, loss at the start and loss at the end where the same step gave two losses; None if none did.

    It is one program in one process, from the same parameters and on the same batch.
    """
    for one in generations:
        start, end = one.losses.get(label, [])[:FIRST_LOSSES], one.repeated.get(label, [])
        if start and end:
            step = _apart(end, start, REPEATS[device])
            if step is not None:
                return step, start[step - 1], end[step - 1]
    return None


def distance(ours: Sequence[float], theirs: Sequence[float], step: int) -> float:
    """Return how far two losses of a step are apart, relative to the larger of that and the first one.

    A loss that is next to nothing since the batch is learnt by heart is not judged by its own size. Losses that are not
    finite on both sides are as far apart as nothing, on one side they have nothing in common.
    """
    a, b = ours[step - 1], theirs[step - 1]
    if not math.isfinite(a) and not math.isfinite(b):
        return 0.0
    if not math.isfinite(a - b):
        return math.nan
    scale = max(abs(one) for one in (a, b, ours[0], theirs[0]) if math.isfinite(one))
    return 0.0 if a == b else abs(a - b) / scale


def _apart(ours: Sequence[float], theirs: Sequence[float], limits: tuple[float, float]) -> int | None:
    """Return the first step at which two contestants' losses are further apart than the limit."""
    steps = range(1, min(len(ours), len(theirs)) + 1)
    return next((step for step in steps if not distance(ours, theirs, step) <= _limit(limits, step)), None)


def _limit(limits: tuple[float, float], step: int) -> float:
    return limits[0] if step == 1 else limits[1]
