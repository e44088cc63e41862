"""Numbers that are not finite: where a contestant's first one arises. Nothing equals it, on whatever side it stands."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trivet.model.parity import Difference
from trivet.parity import checks, distance
from trivet.parity.trace import Trace

_ONLY_LOCATE = ("tap/", "statistic/0/")


def first_key(trace: Trace) -> str | None:
    """Return the first quantity that is not finite, in the order in which training comes to them; None if all are."""
    keys = [key for key in trace.not_finite if not key.startswith(_ONLY_LOCATE)]
    keys += [f"loss/{number}" for number, loss in enumerate(trace.losses, start=1) if not math.isfinite(loss)]
    return min(keys, key=place, default=None)


def place(key: str) -> tuple[int, int]:
    """Return a number by which quantities sort as training comes to them; outputs in training mode come first."""
    if key == "eval_output":
        return 1, 3
    return checks.step(key), 2 * checks.CHECKS.index(checks.check(key))


def fault(trace: Trace, others: Sequence[Trace] = ()) -> Difference | None:
    """Return where a contestant's numbers stop being finite, None if they do not.

    Args:
        trace: the contestant's.
        others: who else may share it.
    """
    key = first_key(trace)
    if key is None:
        return None
    lost = next(
        (number for number, loss in enumerate(trace.losses, start=1) if not math.isfinite(loss)), None
    )
    parts = [f"the loss of step {lost} is nan or infinite"] if lost else []
    layer = next((tap for tap in trace.taps if tap.key in trace.not_finite), None)
    check, where = checks.check(key), _where(key)
    if check == "train_output" and layer is not None:
        check, where = "train_output", layer.layer
        parts.append(
            f"this {layer.kind} is the first layer whose output is not finite, or is given what is not"
        )
    elif check.endswith("output"):
        parts.append(f"the {_where(key)} is not finite, though each layer's output is")
    elif check != "loss":
        parts.append(f"{_where(key)} is the first {check.replace('_', ' ')} that is not finite")
    alike = [other.label for other in others if first_key(other) == key]
    if alike:
        parts.append(f"so it is in {', '.join(alike)}")
    return Difference(
        check=check,
        where=where,
        error=distance.NOTHING_IN_COMMON,
        limit=checks.limit(key),
        cause="; ".join(parts),
        ours={},
        theirs={},
    )


def _where(key: str) -> str:
    name = checks.tensor(key)
    if checks.check(key) == "loss" or checks.step(key) > 1:
        return f"{name}, step {checks.step(key)}" if name else f"step {checks.step(key)}"
    return name or key.replace("_", " ")
