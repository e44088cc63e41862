"""Why two contestants differ, as far as their traces tell: attributes side by side, and patterns in the numbers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from trivet.parity import checks, conventions, distance, kernels
from trivet.parity.trace import Tap, Trace

SAME_VALUE = 1e-6
"""Relative difference up to which two attributes count as one value: some frameworks keep them in float32."""

FLOAT32_ROUNDING = 1e-6
"""Largest difference that a step in float32 amid float64 makes: one rounding is 6e-8, a layer sums up some of them."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cause:
    """A likely cause.

    Attributes:
        text: in words; "" if none was found.
        ours: attribute values of the one that differs.
        theirs: those of the reference.
    """

    text: str = ""
    ours: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    theirs: Mapping[str, Any] = dataclasses.field(default_factory=dict)


def of_layer(ours: Trace, theirs: Trace, our_tap: Tap, their_tap: Tap, error: float) -> Cause:
    """Return why a layer's output differs when those of all layers before it agree.

    Args:
        ours: the one that differs.
        theirs: the reference.
        our_tap: of the layer.
        their_tap: of the layer.
        error: the relative difference of its output.
    """
    attributes = differing_attributes(our_tap, their_tap)
    if attributes is not None:
        return attributes
    our_shape, their_shape = ours.array(our_tap.key).shape, theirs.array(their_tap.key).shape
    if our_shape != their_shape:
        return Cause(
            text=f"its output has the shape {list(our_shape)}, the reference's {list(their_shape)}",
            ours={"shape": list(our_shape)},
            theirs={"shape": list(their_shape)},
        )
    return (
        _of_kernel(ours, theirs, their_tap)
        or _of_chance(ours, theirs, our_tap, their_tap)
        or _of_precision(error)
        or Cause(
            text=f"the attributes of this {our_tap.kind} layer agree, and so do the layers before it: its weights are "
            "applied in another way (a transposed kernel), or what lies before it differs (an activation, an addition)"
        )
    )


def _of_kernel(ours: Trace, theirs: Trace, tap: Tap) -> Cause | None:
    """Return in which other way a layer's kernel is applied, None if that does not explain its gradient."""
    key = f"gradient/{tap.layer}.weight"
    if key not in ours.arrays or key not in theirs.arrays:
        return None
    a, b = ours.array(key), theirs.array(key)
    swapped = kernels.transposed(a, b)
    if swapped:
        return Cause(
            text=f"its kernel is used transposed: {swapped} are exchanged",
            ours={"kernel": f"{swapped} exchanged"},
            theirs={"kernel": "as laid out"},
        )
    shapes = [theirs.array(one.key).shape for one in _before(theirs, tap) if one.kind != "attention"]
    images = [shape[1:] for shape in shapes if len(shape) == 4]
    orders = kernels.flattened(a, b, images[-1]) if images else None
    if orders is None:
        return None
    return Cause(
        text=f"the image before it is flattened as ({orders[0]}), in the reference as ({orders[1]})",
        ours={"flattened": orders[0]},
        theirs={"flattened": orders[1]},
    )


def _of_chance(ours: Trace, theirs: Trace, our_tap: Tap, their_tap: Tap) -> Cause | None:
    """Return that something random came before a layer, None if nothing speaks for it."""
    our_rate, their_rate = _dropped(ours, our_tap), _dropped(theirs, their_tap)
    if our_rate != their_rate:
        return Cause(
            text=f"dropout before it has the rate {our_rate:g}, the reference's {their_rate:g}",
            ours={"rate": our_rate},
            theirs={"rate": their_rate},
        )
    if our_rate:
        return of_dropout(our_rate)
    return of_unsteadiness(ours, theirs)


def of_dropout(rate: float) -> Cause:
    """Return that a dropout is at work, which no gate can see through."""
    return Cause(
        text=f"a dropout with the rate {rate:g} is at work: every program draws its own random numbers, so no two can "
        "agree, and none with itself. Give the workload a rate of 0, which does the same work but for the mask "
        "(docs/adding/workload.md)",
        ours={"rate": rate},
        theirs={"rate": rate},
    )


def of_unsteadiness(ours: Trace, theirs: Trace) -> Cause | None:
    """Return that one of the two gives another output whenever it is run, None if both repeat themselves."""
    for subject, whose in ((ours, "it"), (theirs, "the reference")):
        if not subject.repeats <= distance.LIMIT:
            return Cause(
                text=f"{whose} gives another output whenever the same batch is evaluated: something random, such as "
                "dropout, is left on",
                ours={"repeats": subject is not ours},
                theirs={"repeats": subject is ours},
            )
    return None


def _of_precision(error: float) -> Cause | None:
    if not error <= FLOAT32_ROUNDING:
        return None
    return Cause(
        text="the attributes agree, and the difference is as small as the rounding of float32: here, or since the layer "
        "before, something is computed in lower precision",
        ours={"precision": "lower"},
        theirs={"precision": "float64"},
    )


def _before(trace: Trace, tap: Tap) -> list[Tap]:
    return list(trace.taps[: trace.taps.index(tap)])


def _dropped(trace: Trace, tap: Tap) -> float:
    """Return the largest rate of the dropouts up to a layer."""
    return largest_dropout([*_before(trace, tap), tap])


def largest_dropout(taps: Sequence[Tap]) -> float:
    """Return the largest rate of the dropouts among some layers, 0 without any."""
    return max((tap.attributes.get("rate", 0.0) for tap in taps if tap.kind == "dropout"), default=0.0)


def differing_attributes(ours: Tap, theirs: Tap) -> Cause | None:
    """Return the attributes that both layers have with different values, None if there are none."""
    names = [
        name
        for name in theirs.attributes
        if name in ours.attributes and not _same(ours.attributes[name], theirs.attributes[name])
    ]
    if not names:
        return None
    sides = [
        f"{name} is {ours.attributes[name]}, the reference's {theirs.attributes[name]}" for name in names
    ]
    return Cause(
        text="; ".join(sides),
        ours={name: ours.attributes[name] for name in names},
        theirs={name: theirs.attributes[name] for name in names},
    )


def of_loss(ours: Trace, theirs: Trace) -> Cause:
    """Return why losses differ when the outputs agree."""
    if ours.label_smoothing is not None and theirs.label_smoothing is not None:
        a, b = (float(f"{trace.label_smoothing:.9g}") for trace in (ours, theirs))
        return Cause(
            text=f"its labels are smoothed by {a:g}, the reference's by {b:g}",
            ours={"label_smoothing": a},
            theirs={"label_smoothing": b},
        )
    if theirs.losses[0] == 0 or not math.isfinite(ours.losses[0] / theirs.losses[0]):
        return Cause(text=f"it is {ours.losses[0]:g}, the reference's {theirs.losses[0]:g}")
    ratio = ours.losses[0] / theirs.losses[0]
    labels = math.prod(ours.array("train_output").shape[:-1])
    if math.isclose(ratio, labels, rel_tol=SAME_VALUE):
        return Cause(
            text=f"it is {labels} times the reference's, the batch: summed over the examples, not averaged",
            ours={"reduction": "sum"},
            theirs={"reduction": "mean"},
        )
    if math.isclose(ratio, 1 / labels, rel_tol=SAME_VALUE):
        return Cause(
            text=f"it is the reference's over {labels}, the batch: divided by the batch once more",
            ours={"reduction": "mean over the batch, twice"},
            theirs={"reduction": "mean"},
        )
    return Cause(text=f"the outputs agree, but the loss is {ratio:.6g} times the reference's")


def of_gradient(ours: Trace, theirs: Trace, failing: set[str]) -> tuple[str, Cause]:
    """Return where gradients part when outputs and loss agree, and why. They are computed from the last layer backwards.

    Args:
        ours: the one that differs.
        theirs: the reference.
        failing: names of the tensors whose gradients differ.
    """
    order = [checks.tensor(key) for key in theirs.arrays if key.startswith("gradient/")]
    differing = [name for name in order if name in failing]
    frozen = [name for name in differing if _without_gradient(ours, name)]
    if frozen == differing:
        layer = frozen[-1].rpartition(".")[0]
        return layer, Cause(
            text=f"{', '.join(frozen)}: no gradient, all others agree: the layer is frozen",
            ours={"trained": False},
            theirs={"trained": True},
        )
    agreeing = len(order) - len(differing)
    if not agreeing:
        return differing[-1], Cause(text="outputs and loss agree, but no gradient does")
    return differing[-1], Cause(
        text=f"outputs and loss agree; going backwards from the loss, this is the first of {len(differing)} gradients "
        f"that differ ({agreeing} agree)"
    )


def _without_gradient(trace: Trace, name: str) -> bool:
    key = f"gradient/{name}"
    return key not in trace.arrays or distance.norm(trace.array(key)) == 0.0


def of_running_variance(ours: Trace, theirs: Trace, key: str) -> Cause | None:
    """Return that a running variance is not in the form that is declared, None if that does not explain it."""
    for subject, whose in ((ours, "it"), (theirs, "the reference")):
        form = conventions.declared(subject, "running_variance")
        other = "unbiased" if form == "biased" else "biased"
        one = conventions.common_form(ours, key, other if subject is ours else None)
        two = conventions.common_form(theirs, key, other if subject is theirs else None)
        if distance.relative(distance.gap(one, two), distance.norm(two), 0.0) <= checks.limit(key):
            actual = {subject.label: other}
            return Cause(
                text=f"{whose} keeps {conventions.words(other)}, but declares {conventions.words(form)}",
                ours={
                    "running_variance": actual.get(ours.label, conventions.declared(ours, "running_variance"))
                },
                theirs={
                    "running_variance": actual.get(
                        theirs.label, conventions.declared(theirs, "running_variance")
                    )
                },
            )
    return None


def _same(ours: Any, theirs: Any) -> bool:
    numbers = isinstance(ours, (int, float)) and isinstance(theirs, (int, float))
    if numbers and float in (type(ours), type(theirs)):
        return math.isclose(ours, theirs, rel_tol=SAME_VALUE)
    return bool(ours == theirs)
