"""Whether the loss falls in the precision that is timed, and how far it is from the reference."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trivet.model.measurement import Generation
from trivet.model.result import LossCheck


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
            abs(ours - own) / abs(own) for ours, own in zip(losses[:3], theirs[:3], strict=False) if own
        ]
        distance = max(distances, default=math.nan)
    return LossCheck(
        losses=tuple(loss if math.isfinite(loss) else None for loss in losses),
        falls=losses[-1] < losses[0],
        reference=other,
        distance=distance if distance is not None and math.isfinite(distance) else None,
    )
