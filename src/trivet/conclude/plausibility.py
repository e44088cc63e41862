"""Numbers that cannot be, or do not mean what they seem to: a function for each suspicion, each with its sentence.

A flag stands beside the number that it doubts, and names what was seen. It withholds nothing by itself; a loss that is
not the others' does.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from trivet import figures
from trivet.conclude.losses import FIRST_LOSSES, Departure, changed
from trivet.model.measurement import Generation, Placement
from trivet.model.result import ContestantResult, Estimate, Flag, Peak

UNEXPLAINED = 0.10
"""Share of a slice's time that may be independent of its number of steps. Blocks and slices of a sound contestant differ
by up to 15 % per step, which looks like 9 %."""

PREALLOCATED = (0.72, 0.78)
"""Share of a device's memory that JAX takes at the start unless it is told not to: three quarters."""

SHORT_STEP_SECONDS = 1e-3
LITTLE_WORK_SECONDS = 1e-4
"""What a step would take at the machine's peak, below which it is too little work to keep the machine busy."""
LOW_UTILISATION = 0.1

_DTYPES = {"float32": "float32", "tf32": "float32", "bfloat16": "bfloat16", "float64": "float64"}
"""Precision -> dtype of the operands of matrix products and convolutions."""


def flags_of(
    one: ContestantResult,
    generations: Sequence[Generation],
    *,
    device: str,
    device_bytes: int | None,
    batch: int,
    flops: float | None,
    peak: Peak | None,
    departure: Departure | None = None,
) -> tuple[Flag, ...]:
    """Return every flag that a contestant's numbers deserve.

    Args:
        one: all that is known of it.
        generations: of the workload.
        device: that was asked for.
        device_bytes: memory of the device, None on a CPU.
        batch: items per step.
        flops: floating-point operations per item.
        peak: of the machine.
        departure: where its losses are not the others'.
    """
    label = one.contestant
    placement = next((g.placements[label] for g in generations if label in g.placements), None)
    raised = (
        not_finite(label, generations),
        loss_differs(departure),
        changed_behaviour(one, generations, device),
        clock(label, generations),
        over_peak(one.utilisation, peak),
        not_linear(label, generations),
        wrong_device(placement, device),
        wrong_dtype(placement, one.precision),
        preallocated(one.memory, device_bytes),
        overhead_bound(one.throughput, batch, one.utilisation, flops, peak),
        recompiles(label, generations),
    )
    return tuple(flag for flag in raised if flag is not None)


def not_finite(label: str, generations: Sequence[Generation]) -> Flag | None:
    """Flag a loss that became NaN or infinite: what was timed from there on is no training."""
    found = [one.losses[label] for one in generations if label in one.losses]
    diverged = [losses for losses in found if not all(map(math.isfinite, losses))]
    if not diverged:
        return None
    step = next(number for number, loss in enumerate(diverged[0], start=1) if not math.isfinite(loss))
    when = f"at step {step}" if step <= FIRST_LOSSES else "while it was timed"
    message = (
        f"Its loss became NaN or infinite {when}, in {len(diverged)} of {len(found)} generations: its speed is not that of "
        "a training that works."
    )
    return Flag(code="not_finite", message=message)


def loss_differs(departure: Departure | None) -> Flag | None:
    """Flag a loss of the first steps that is not that of the others, from the same parameters and batches."""
    if departure is None:
        return None
    if departure.median is None:
        others = ", ".join(f"{label} {loss:.6g}" for label, loss in departure.theirs.items())
        whose = f"elsewhere it is {others}, and no side outweighs the other"
    else:
        whose = f"that of {', '.join(departure.theirs)} is {departure.median:.6g}"
    apart = "" if math.isnan(departure.distance) else f"{departure.distance:.1e} apart, "
    message = (
        f"Its loss of step {departure.step} is {departure.ours:.6g} in {departure.precision}; {whose} "
        f"({apart}limit {departure.limit:.0e}). All start from the same parameters and take the same batches, so at this "
        "batch and in this precision it computes something else than at the parity gate."
    )
    return Flag(code="loss_differs", message=message)


def changed_behaviour(one: ContestantResult, generations: Sequence[Generation], device: str) -> Flag | None:
    """Flag a program that does something else at the end than at the start, told by the losses of the same steps."""
    if one.parity["equal"] is False:  # dropout at work, for one, is told by the gate
        return None
    found = changed(one.contestant, generations, device)
    if found is None:
        return None
    step, start, end = found
    message = (
        "The same three steps from the same parameters gave other losses at the end than at the start: "
        f"{end:.6g} after {start:.6g} at step {step}. What was timed in between may be other "
        "work than what was proved equal."
    )
    return Flag(code="changed_behaviour", message=message)


def clock(label: str, generations: Sequence[Generation]) -> Flag | None:
    """Flag a worker that tells of other seconds than passed meanwhile."""
    found = [one.clocks[label] for one in generations if label in one.clocks]
    if not found:
        return None
    told, passed = max(found, key=lambda pair: abs(pair[1] - pair[0]))
    message = (
        f"Its process told of {figures.number(told)} s for steps around which {figures.number(passed)} s passed here, in "
        f"{len(found)} of {len(generations)} generations: its clock is not that of the machine. Such slices do not count."
    )
    return Flag(code="clock", message=message)


def over_peak(utilisation: Estimate | None, peak: Peak | None) -> Flag | None:
    """Flag a speed above what the machine was seen to reach at best."""
    if utilisation is None or peak is None or utilisation.value <= 1:
        return None
    message = (
        f"It would use {utilisation.value:.0%} of the machine's peak ({figures.flops(peak.flops_per_second)}, "
        f"{peak.framework}'s {peak.operation}). Either the peak is understated, or not all of the work was done."
    )
    return Flag(code="over_peak", message=message)


def not_linear(label: str, generations: Sequence[Generation]) -> Flag | None:
    """Flag a time that does not grow with the number of steps.

    Then a clock is read before the work is done, or something besides the steps is timed.

    From a block of the warm-up (n steps in t seconds) and the clean slices (N steps, median T): what is left at no steps
    is ``(t N - T n) / (N - n)``; the median over generations of its share of T is judged.
    """
    shares = []
    shown = ""
    for one in generations:
        block = one.blocks.get(label)
        slices = [taken for taken in one.slices if taken.contestant == label and taken.clean]
        if block is None or not slices:
            continue
        taken = sorted(slices, key=lambda taken: taken.seconds / taken.steps)[len(slices) // 2]
        if taken.steps <= block.steps:
            continue
        rest = (block.seconds * taken.steps - taken.seconds * block.steps) / (taken.steps - block.steps)
        shares.append(rest / taken.seconds)
        shown = (
            f"{block.steps} steps took {figures.number(block.seconds)} s, "
            f"{taken.steps} steps {figures.number(taken.seconds)} s"
        )
    if not shares or abs(statistics.median(shares)) <= UNEXPLAINED:
        return None
    message = (
        f"Time does not grow with the number of steps: {shown}, so {statistics.median(shares):.0%} of a slice's time "
        "is not the steps'. The clock may stop before the work is done, or see other work."
    )
    return Flag(code="not_linear", message=message)


def wrong_device(placement: Placement | None, device: str) -> Flag | None:
    """Flag parameters that live elsewhere than was asked."""
    if placement is None or placement.devices == (device,):
        return None
    message = f"Its parameters are on {_listed(placement.devices)}; {device} was asked for."
    return Flag(code="wrong_device", message=message)


def wrong_dtype(placement: Placement | None, precision: str) -> Flag | None:
    """Flag parameters or products of another dtype than the precision means."""
    if placement is None:
        return None
    stored = "float64" if precision == "float64" else "float32"
    if placement.parameters == (stored,) and placement.compute in ((_DTYPES[precision],), ()):
        return None
    message = (
        f"Its parameters are {_listed(placement.parameters)} and its products are computed in "
        f"{_listed(placement.compute)}; {precision} means {stored} and {_DTYPES[precision]}."
    )
    return Flag(code="wrong_dtype", message=message)


def preallocated(memory: Mapping[str, Estimate], device_bytes: int | None) -> Flag | None:
    """Flag memory that looks like a pool taken at the start and not like a need."""
    if device_bytes is None:
        return None
    live = memory.get("live_peak_bytes")
    for counter in ("pool_bytes", "footprint_bytes"):
        taken = memory.get(counter)
        if taken is None or not PREALLOCATED[0] <= taken.value / device_bytes <= PREALLOCATED[1]:
            continue
        if live is not None and live.value > PREALLOCATED[0] * device_bytes:
            continue  # it is needed
        message = (
            f"Its {counter.removesuffix('_bytes')} is {figures.mebibytes(taken)}, {taken.value / device_bytes:.0%} of "
            f"the device's memory: a pool taken at the start, not what training needs (live: {figures.mebibytes(live)})."
        )
        return Flag(code="preallocated", message=message)
    return None


def overhead_bound(
    throughput: Estimate | None,
    batch: int,
    utilisation: Estimate | None,
    flops: float | None,
    peak: Peak | None,
) -> Flag | None:
    """Flag steps so short that what is measured is the cost of starting them.

    Args:
        throughput: items per second.
        batch: items per step.
        utilisation: share of the peak.
        flops: floating-point operations per item.
        peak: of the machine.
    """
    if throughput is None:
        return None
    step_seconds = batch / throughput.value
    at_peak = None if flops is None or peak is None else batch * flops / peak.flops_per_second
    little = (
        at_peak is not None
        and utilisation is not None
        and at_peak < LITTLE_WORK_SECONDS
        and utilisation.value < LOW_UTILISATION
    )
    if step_seconds >= SHORT_STEP_SECONDS and not little:
        return None
    work = "" if at_peak is None else f"; at the machine's peak it would take {figures.time(at_peak)}"
    message = (
        f"A step takes {figures.time(step_seconds)}{work}. So short a step is mostly the cost of starting operations: "
        "the numbers compare frameworks' overhead, and a larger batch may turn them around."
    )
    return Flag(code="overhead_bound", message=message)


def recompiles(label: str, generations: Sequence[Generation]) -> Flag | None:
    """Flag tracing or compiling while slices were timed."""
    found: Counter[str] = Counter()
    for one in generations:
        found.update(one.compilations.get(label, {}))
    if not found:
        return None
    named = ", ".join(f"{name} ({count})" for name, count in found.most_common(3))
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    times = "once" if found.total() == 1 else f"{found.total()} times"
    message = f"It traced or compiled {times} while slices were timed: {named}{more}."
    return Flag(code="recompiles", message=message)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(parts) or "nothing"
