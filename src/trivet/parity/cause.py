"""Why two contestants differ, as far as their traces tell: attributes side by side, and patterns in the numbers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from trivet.parity import checks, conventions, distance
from trivet.parity.recipe import MOMENTUM
from trivet.parity.trace import Tap, Trace

SAME_VALUE = 1e-6
"""Relative difference up to which two attributes count as one value: some frameworks keep them in float32."""

IN_SPAN = 1e-6
"""Share of a gradient outside a space up to which it counts as inside: rounding leaves 1e-12, another input 1."""

FORMS = {
    **conventions.FORMS,
    "nesterov": f"Nesterov's form, v = {MOMENTUM:g} v + g; p −= rate·(g + {MOMENTUM:g} v)",
    "nesterov_inside": f"Nesterov's form, v = {MOMENTUM:g} v − rate·g; p += {MOMENTUM:g} v − rate·g",
    "dampened": f"a dampened form, v = {MOMENTUM:g} v + {1 - MOMENTUM:g} g; p −= rate·v",
    "dampened_later": f"a dampened form, v = g at first, then {MOMENTUM:g} v + {1 - MOMENTUM:g} g; p −= rate·v",
    "no_momentum": "plain descent, p −= rate·g",
    "rate_unchanged": f"the first rate to the end, v = {MOMENTUM:g} v + g; p −= rate(1)·v",
    "other_momentum": "another momentum, v = {fitted:.6g} v + g; p −= rate·v",
    "coupled_decay": f"coupled weight decay, v = {MOMENTUM:g} v + g + {{fitted:.6g}} p; p −= rate·v",
    "decoupled_decay": f"decoupled weight decay, v = {MOMENTUM:g} v + g; p −= rate·(v + {{fitted:.6g}} p)",
}
"""Form that a worker replays -> the rule in words; those with a fitted number come last, since they fit more."""


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


def of_layer(ours: Trace, theirs: Trace, our_tap: Tap, their_tap: Tap) -> Cause:
    """Return why a layer's output differs when those of all layers before it agree."""
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
    key = f"gradient/{our_tap.layer}.weight"
    if key in ours.arrays and key in theirs.arrays:
        swapped = transposed(ours.array(key), theirs.array(key))
        if swapped:
            return Cause(
                text=f"its kernel is used transposed: {swapped} are exchanged",
                ours={"kernel": f"{swapped} exchanged"},
                theirs={"kernel": "as laid out"},
            )
    return Cause(
        text=f"the attributes of this {our_tap.kind} layer agree, and so do the layers before it: its weights are "
        "applied in another way (a transposed kernel), or what lies before it differs (an activation, an addition)"
    )


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


def transposed(ours: np.ndarray, theirs: np.ndarray) -> str:
    """Say which equally long axes of a kernel one contestant exchanges, judging by the kernel's gradients.

    The gradient of a kernel is Σ input ⊗ output gradient, so that with few examples its columns span only the space
    of the layer's inputs. Inputs that agree span the same space even where the outputs differ. A kernel that is used
    with two axes exchanged has a gradient that lies in that space only after they are exchanged back.

    Args:
        ours: gradient (in, out) or (height, width, in, out).
        theirs: the reference's, of the same shape.

    Returns:
        The names of the two axes, "" if there are none or if the batch has too many values to tell.
    """
    if ours.shape != theirs.shape:
        return ""
    names = {2: ("in", "out"), 4: ("height", "width", "in", "out")}.get(theirs.ndim, ())
    axes = range(len(names))
    swaps = [(a, b) for a in axes for b in axes if b == a + 1 and theirs.shape[a] == theirs.shape[b] > 1]
    swaps = [(a, b) for a, b in swaps if (names[a], names[b]) != ("width", "in")]
    if not swaps:
        return ""
    columns, values, _ = np.linalg.svd(theirs.reshape(-1, theirs.shape[-1]), full_matrices=False)
    rank = int(np.count_nonzero(values > 1e-10 * values[0]))
    if rank == len(values):
        return ""
    basis = columns[:, :rank]
    if _outside(ours, basis) <= IN_SPAN:
        return ""
    for a, b in swaps:
        if _outside(np.swapaxes(ours, a, b), basis) <= IN_SPAN:
            return f"{names[a]} and {names[b]}"
    return ""


def of_loss(ours: Trace, theirs: Trace) -> Cause:
    """Return why losses differ when the outputs agree."""
    if theirs.losses[0] == 0 or not math.isfinite(ours.losses[0] / theirs.losses[0]):
        return Cause(text=f"it is {ours.losses[0]:g}, the reference's {theirs.losses[0]:g}")
    ratio = ours.losses[0] / theirs.losses[0]
    if math.isclose(ratio, ours.batch, rel_tol=SAME_VALUE):
        return Cause(
            text=f"it is {ours.batch} times the reference's, the batch: summed over the examples, not averaged",
            ours={"reduction": "sum"},
            theirs={"reduction": "mean"},
        )
    if math.isclose(ratio, 1 / ours.batch, rel_tol=SAME_VALUE):
        return Cause(
            text=f"it is the reference's over {ours.batch}, the batch: divided by the batch once more",
            ours={"reduction": "mean over the batch, twice"},
            theirs={"reduction": "mean"},
        )
    return Cause(text=f"the outputs agree, but the loss is {ratio:.6g} times the reference's")


def of_gradient(theirs: Trace, failing: set[str]) -> Cause:
    """Return which way gradients part when outputs and loss agree. They are computed from the last layer backwards.

    Args:
        theirs: the reference.
        failing: names of the tensors whose gradients differ.
    """
    order = [checks.tensor(key) for key in theirs.arrays if key.startswith("gradient/")]
    agreeing = [name for name in order if name not in failing]
    if not agreeing:
        return Cause(text="outputs and loss agree, but no gradient does")
    return Cause(
        text=f"outputs and loss agree; going backwards from the loss, this is the first of {len(failing)} gradients "
        f"that differ ({len(agreeing)} agree)"
    )


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


def of_momentum(trace: Trace) -> Cause:
    """Return which rule a contestant's steps follow when it is not the declared one."""
    declared = conventions.declared(trace, "momentum")
    declares = FORMS.get(declared, repr(declared))
    for form, words in FORMS.items():
        replay = trace.momentum.get(form)
        if replay is not None and replay.worst <= distance.LIMIT:
            return Cause(
                text=f"its steps follow {words.format(fitted=replay.fitted)}; it declares {declares}",
                ours={"momentum": form},
                theirs={"momentum": declared},
            )
    replay = trace.momentum.get(declared)
    if replay is not None and replay.before <= distance.LIMIT:
        return Cause(
            text=f"its steps follow {declares} up to the change of the learning rate, and no known rule after it"
        )
    where = f" (worst in {replay.where})" if replay is not None else ""
    return Cause(text=f"its steps follow no known rule{where}; it declares {declares}")


def _same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) or isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=SAME_VALUE)
    return bool(ours == theirs)


def _outside(gradient: np.ndarray, basis: np.ndarray) -> float:
    """Return the share of a kernel's gradient that lies outside the span of the basis."""
    matrix = gradient.reshape(-1, gradient.shape[-1])
    size = distance.norm(matrix)
    if size == 0.0:
        return math.inf
    return distance.norm(matrix - basis @ (basis.T @ matrix)) / size
