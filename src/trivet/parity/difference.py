"""Where a contestant first parts from the reference, in the order in which a training step comes to it.

The layers' outputs only locate a difference of the model's outputs: they decide nothing themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trivet.model.parity import Difference
from trivet.parity import cause, checks, conventions, deviation, distance, finite
from trivet.parity.cause import Cause
from trivet.parity.compare import Comparison
from trivet.parity.distance import LIMIT
from trivet.parity.trace import Tap, Trace
from trivet_worker.layouts import KINDS, native_layer


def first_difference(ours: Trace, theirs: Trace | None, comparison: Comparison) -> Difference | None:
    """Return where a contestant first differs, None if it does not.

    Args:
        ours: the contestant's trace.
        theirs: that of a member of the reference group, None if there is nobody to compare with.
        comparison: holds both, unless ours has other tensors than the workload.
    """
    if not ours.structure.sound:
        return structural(ours)
    if theirs is not None:
        errors = comparison.errors[ours.label, theirs.label]
        failing = comparison.failing(ours.label, theirs.label)
        lost = finite.first_key(ours)
        if lost is not None and not _differs_before(lost, ours, theirs, failing):
            return finite.fault(ours, [theirs])
        if failing:
            return _first_of(ours, theirs, {key: errors[key] for key in failing})
    return own_fault(ours)


def _differs_before(lost: str, ours: Trace, theirs: Trace, failing: Sequence[str]) -> bool:
    """Say whether two contestants part before the first quantity of ours that is not finite: that tells more."""
    if any(finite.place(key) < finite.place(lost) for key in failing):
        return True
    if checks.check(lost) != "train_output":
        return False
    for our_tap, their_tap in aligned_taps(ours, theirs):
        if our_tap.key in ours.not_finite:
            return False
        if not _tap_error(ours, theirs, our_tap, their_tap) <= LIMIT:
            return True
    return False


def own_fault(trace: Trace) -> Difference | None:
    """Return what is wrong with a contestant whatever the others do: tensors, finite numbers, its own rules."""
    if not trace.structure.sound:
        return structural(trace)
    lost = finite.fault(trace)
    if lost is not None:
        return lost
    if not rule_error(trace) <= LIMIT:
        return _update(trace)
    if not trace.step_agrees <= LIMIT:
        rate = cause.largest_dropout(trace.taps)
        text = "the step that is timed leaves other parameters than the same step taken apart"
        found = cause.of_dropout(rate) if rate else Cause(text=text)
        return _difference("parameter", "timed step", trace.step_agrees, LIMIT, found)
    return None


def rule_error(trace: Trace) -> float:
    """Return how far a contestant's steps are from the rules that it declares; 0 for an optimizer without."""
    if not trace.replays:
        return 0.0
    replay = trace.replays.get(conventions.declared_update(trace))
    if replay is None:
        return distance.NOTHING_IN_COMMON
    return distance.capped(replay.worst)


def structural(trace: Trace) -> Difference:
    """Return the first tensor in which a model and its workload differ: one too few, of another shape, too many."""
    structure = trace.structure
    total = len(structure.missing) + len(structure.shapes) + len(structure.unexpected)
    more = f" (and {total - 1} more such differences)" if total > 1 else ""
    if structure.missing:
        layer, _, role = structure.missing[0].rpartition(".")
        text = f"{layer} has no {role}, the workload has one{more}"
        found = Cause(text=text, ours={role: "absent"}, theirs={role: "present"})
    elif structure.shapes:
        name, expected, got = structure.shapes[0]
        layer, _, role = name.rpartition(".")
        text = f"{role} has the shape {list(got)}, the workload's {list(expected)}{more}"
        found = Cause(text=text, ours={role: list(got)}, theirs={role: list(expected)})
    else:
        native = structure.unexpected[0]
        layer, role = _native_parts(trace, native)
        tied = dict(structure.untied).get(native)
        why = f" (as large as {tied}: weights that should be tied to it)" if tied else ""
        text = f"{layer} has a {role} ({native}), the workload has none{why}{more}"
        found = Cause(text=text, ours={role: "present"}, theirs={role: "absent"})
    return _difference("structure", layer, None, 0.0, found)


def _first_of(ours: Trace, theirs: Trace, failing: Mapping[str, float]) -> Difference:
    """Return the first of the differences that were found."""
    outputs = [key for key in ("train_output", "eval_output") if key in failing]
    if outputs:
        return _outputs(ours, theirs, failing, outputs)
    if "loss/1" in failing:
        found = cause.of_loss(ours, theirs)
        places = {"reduction": "loss reduction", "label_smoothing": "label smoothing"}
        where = next((places[name] for name in found.ours), "loss")
        return _difference("loss", where, failing["loss/1"], LIMIT, found)
    gradients = [key for key in failing if checks.check(key) == "gradient"]
    if gradients:
        names = {checks.tensor(key) for key in gradients}
        nearest_to_loss = gradients[-1]
        where, found = cause.of_gradient(ours, theirs, names)
        return _difference("gradient", where, failing[nearest_to_loss], LIMIT, found)
    statistics = [key for key in failing if checks.check(key) == "statistic" and checks.step(key) == 1]
    if statistics:
        return _statistic(ours, theirs, statistics[0], failing[statistics[0]])
    return _later(ours, theirs, failing)


def _outputs(ours: Trace, theirs: Trace, failing: Mapping[str, float], outputs: Sequence[str]) -> Difference:
    check = outputs[0]
    for our_tap, their_tap in aligned_taps(ours, theirs):
        error = _tap_error(ours, theirs, our_tap, their_tap)
        if not error <= LIMIT:
            return _difference(
                check,
                _place(ours, our_tap),
                error,
                LIMIT,
                cause.of_layer(ours, theirs, our_tap, their_tap, error),
            )
    unsteady = cause.of_unsteadiness(ours, theirs)
    if unsteady is not None:
        return _difference(check, check.replace("_", " "), failing[check], LIMIT, unsteady)
    if check == "eval_output":
        text = (
            "in training mode every layer and the output agree: only evaluation mode differs (running statistics, "
            "dropout)"
        )
    else:
        compiled = [trace.label for trace in (ours, theirs) if trace.compiles]
        form = f", or in the compiled form ({', '.join(compiled)})" if compiled else ""
        text = (
            "every layer run by itself agrees: the difference arises in an operation that is no layer, between them or "
            f"after the last{form}"
        )
    return _difference(check, check.replace("_", " "), failing[check], LIMIT, Cause(text=text))


def _tap_error(ours: Trace, theirs: Trace, our_tap: Tap, their_tap: Tap) -> float:
    a, b = ours.array(our_tap.key), theirs.array(their_tap.key)
    return distance.relative(distance.gap(a, b), distance.norm(b), 0.0)


def _statistic(ours: Trace, theirs: Trace, key: str, error: float) -> Difference:
    name = checks.tensor(key)
    our_tap, their_tap = ours.tap(name.rpartition(".")[0]), theirs.tap(name.rpartition(".")[0])
    if our_tap and their_tap:
        attributes = cause.differing_attributes(our_tap, their_tap)
        if attributes is not None:
            return _difference("statistic", name, error, checks.limit(key), attributes)
    form = cause.of_running_variance(ours, theirs, key) if name.endswith(".variance") else None
    if form is not None:
        return _difference("rule", "running variance", error, checks.limit(key), form)
    return _difference("statistic", name, error, checks.limit(key), Cause())


def _later(ours: Trace, theirs: Trace, failing: Mapping[str, float]) -> Difference:
    """Return the first difference after a first step that agreed in all that it computed."""
    for trace in (ours, theirs):
        if not rule_error(trace) <= LIMIT:
            return _update(trace)
    # The first step at which anything was kept, and there what differs most: one part's fault spreads to all others.
    key = min(failing, key=lambda key: (checks.check(key) != "parameter", checks.step(key), -failing[key]))
    where = f"{checks.tensor(key) or checks.check(key)}, step {checks.step(key)}"
    lost = min((checks.step(key) for key in failing if checks.check(key) == "loss"), default=None)
    agreeing = "all losses agree" if lost is None else f"the losses up to step {lost - 1} agree"
    text = (
        "the first step agrees in outputs, loss, gradients and statistics, each follows its declared rule, and "
        f"{agreeing}: what differs begins later, and most here"
    )
    return _difference(checks.check(key), where, failing[key], checks.limit(key), Cause(text=text))


def _update(trace: Trace) -> Difference:
    where, found = deviation.of_update(trace)
    return _difference("rule", where, rule_error(trace), LIMIT, found)


def aligned_taps(ours: Trace, theirs: Trace) -> list[tuple[Tap, Tap]]:
    """Return the layers that both were tapped at, in the reference's order of execution.

    Layers with parameters are paired by their path. Others are paired by kind and number, where both have as many of
    the kind: what one framework has as a layer may be an untapped function in another.
    """
    by_name = {_identity(ours, tap): tap for tap in ours.taps}
    pairs = []
    for tap in theirs.taps:
        same = by_name.get(_identity(theirs, tap))
        if same is not None:
            pairs.append((same, tap))
    return pairs


def _identity(trace: Trace, tap: Tap) -> tuple[str, int, int]:
    """Return what a tap is known by: its layer and how often that was called before, or its kind and its number."""
    if tap.kind in KINDS:
        calls = [other.key for other in trace.taps if (other.layer, other.kind) == (tap.layer, tap.kind)]
        return tap.layer, calls.index(tap.key), 0
    alike = [other.key for other in trace.taps if other.kind == tap.kind]
    return tap.kind, alike.index(tap.key), len(alike)


def _place(trace: Trace, tap: Tap) -> str:
    """Return where a layer is: its path, or the kind of a function, with its number where there are several."""
    if tap.kind in KINDS:
        return tap.layer
    if tap.layer != tap.kind:
        return f"{tap.kind} ({tap.layer})"
    alike = [other.key for other in trace.taps if other.kind == tap.kind]
    return f"{tap.kind} {alike.index(tap.key) + 1}" if len(alike) > 1 else tap.kind


def _native_parts(trace: Trace, native: str) -> tuple[str, str]:
    """Return the canonical layer, as far as it is known, and the native role in a native tensor name."""
    head, _, role = native.rpartition("/" if "/" in native else ".")
    canonical = {native_layer(layer, trace.layout): layer for layer in trace.layers()}
    return canonical.get(head, head), role


def _difference(check: str, where: str, error: float | None, limit: float, found: Cause) -> Difference:
    return Difference(
        check=check,
        where=where,
        error=None if error is None else distance.capped(error),
        limit=limit,
        cause=found.text,
        ours=dict(found.ours),
        theirs=dict(found.theirs),
    )
