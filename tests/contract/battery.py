"""What every adapter must do, as functions that run inside a framework's own interpreter.

Started as a module, ``<python> -m contract.battery <job as JSON>`` with `tests` and the staged code on the path, it builds the job's program once, runs every check
on it and prints one line of JSON: {check: null, or what is wrong}. A check is a function named ``check_...``; what its
docstring says is the contract.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import sys
import traceback

import numpy as np

from contract.case import RATE, Case, changes, close, near, only, same

SMALL_RATE = 0.0078125
KINDS = ("conv", "dense", "batch_norm", "max_pool", "average_pool", "activation", "dropout", "other")
ATTRIBUTES = {
    "conv": {"strides", "padding", "bias"},
    "dense": {"bias"},
    "batch_norm": {"epsilon", "momentum"},
    "max_pool": {"strides", "padding", "window"},
}


def check_compile_changes_nothing(case):
    """`compile` may trace and compile; parameters, statistics and the optimizer stay."""
    case.restart()
    case.program.compile(case.batch)
    same(case.program.tensors(), case.start)
    case.program.step(case.batch)
    case.program.wait()
    compiled = case.program.tensors()
    close(case, case.take(case.batch), compiled, case.start)


def check_tensors_have_the_names_and_shapes_of_the_layout(case):
    """`tensors` names every parameter and statistic of the workload, and nothing else."""
    from trivet_worker import arrays

    found = case.program.tensors()
    structure = arrays.structure(case.tensors, found, case.job.layout)
    assert structure == arrays.Structure((), (), ()), structure


def check_load_is_the_inverse_of_tensors(case):
    """What is loaded is read back to the bit, in the precision of the parameters."""
    for values in (case.other, case.start):
        case.program.load(values)
        found = case.program.tensors()
        same(found, values)
        assert {array.dtype for array in found.values()} == {case.dtype}, "parameters have another precision"


def check_load_leaves_unnamed_tensors(case):
    """A tensor that is not named keeps its value."""
    case.program.load(case.start)
    name = case.parameters[-1]
    case.program.load({name: case.other[name]})
    same(case.program.tensors(), case.start | {name: case.other[name]})


def check_load_forgets_the_optimizer(case):
    """After `load` the same step leads to the same place, whatever came before."""
    first = case.take(case.batch)
    case.take(case.second, case.second)
    close(case, case.take(case.batch), first, case.start)


def check_tensors_are_copies(case):
    """A later step leaves what `tensors` returned alone."""
    case.restart()
    held = case.program.tensors()
    case.program.step(case.batch)
    case.program.wait()
    same(held, case.start)


def check_loaded_arrays_are_copied(case):
    """A step leaves the arrays that were loaded alone."""
    kept = {name: array.copy() for name, array in case.start.items()}
    case.take(case.batch)
    same(case.start, kept)


def check_a_step_changes_every_parameter_and_statistic(case):
    """One step moves each tensor."""
    after = case.take(case.batch)
    still = [name for name, array in case.start.items() if np.array_equal(after[name], array)]
    assert not still, f"unchanged: {still}"


def check_batches_matter(case):
    """A step trains on the batch that it is given."""
    one, other = case.take(case.batch), case.take(case.second)
    assert not np.array_equal(one[case.parameters[0]], other[case.parameters[0]])


def check_wait_waits(case):
    """After `wait`, loss and parameters of the last step are there."""
    case.restart()
    case.program.step(case.batch)
    case.program.wait()
    loss = case.program.loss()
    assert isinstance(loss, float), type(loss)
    assert math.isfinite(loss), loss
    assert loss == case.program.loss(), "reading the loss changes it"


def check_the_loss_falls(case):
    """Twenty small steps on one batch reduce its loss."""
    case.restart(SMALL_RATE)
    losses = []
    for _ in range(20):
        case.program.step(case.batch)
        losses.append(case.program.loss())
    assert all(map(math.isfinite, losses)), losses
    assert losses[-1] < losses[0], losses


def check_rate_zero_freezes_the_parameters(case):
    """With a learning rate of 0 no parameter moves; with another one they move again."""
    case.restart(rate=0.0)
    for batch in (case.batch, case.second):
        case.program.step(batch)
    case.program.wait()
    same(only(case.program.tensors(), case.parameters), only(case.start, case.parameters))
    case.program.set_learning_rate(RATE)
    case.program.step(case.batch)
    case.program.wait()
    assert not np.array_equal(case.program.tensors()[case.parameters[0]], case.start[case.parameters[0]])


def check_the_rate_scales_the_first_update(case):
    """Half the learning rate gives half the first update."""
    whole = changes(case.take(case.batch), case.start)
    case.restart(RATE / 2)
    case.program.step(case.batch)
    case.program.wait()
    half = changes(case.program.tensors(), case.start)
    for name in case.parameters:
        near(2 * half[name], whole[name], case.tolerance, name)


def check_predict_changes_nothing(case):
    """`predict` gives logits (B, classes), twice the same, and leaves every tensor alone."""
    case.restart()
    logits = case.program.predict(case.batch)
    same(case.program.tensors(), case.start)
    assert isinstance(logits, np.ndarray), type(logits)
    assert logits.shape == (case.job.batch, case.job.sizes["classes"]), logits.shape
    near(case.program.predict(case.batch), logits, case.tolerance, "logits")


def check_predict_is_in_evaluation_mode(case):
    """An example's logits don't depend on the other examples in its batch."""
    case.restart()
    host = case.host_batch(1)
    inputs = host.inputs.copy()
    inputs[1:] = case.host_batch(2).inputs[1:]
    mixed = case.program.put(dataclasses.replace(host, inputs=inputs))
    whole, part = case.program.predict(case.batch), case.program.predict(mixed)
    near(part[0], whole[0], case.tolerance, "logits")
    assert not np.allclose(part[1], whole[1]), "the inputs do not matter"


def check_predict_does_not_disturb_training(case):
    """A step after `predict` and `taps` is the step without them."""
    undisturbed = case.take(case.batch, case.second)
    case.restart()
    case.program.step(case.batch)
    case.program.predict(case.second)
    case.program.taps(case.second)
    case.program.step(case.second)
    case.program.wait()
    close(case, case.program.tensors(), undisturbed, case.start)


def check_taps_change_nothing(case):
    """`taps` leaves parameters and statistics alone."""
    case.restart()
    case.program.taps(case.batch)
    same(case.program.tensors(), case.start)


def check_taps_name_the_layers_in_execution_order(case):
    """Each layer that has parameters is tapped once, in execution order; the branches of a block may take turns."""
    from trivet_worker import layouts

    layers = list(dict.fromkeys(tensor.layer for tensor in case.tensors))
    canonical = {layouts.native_layer(layer, case.job.layout): layer for layer in layers}
    tapped = [canonical[tap.layer] for tap in case.program.taps(case.batch) if tap.layer in canonical]
    assert sorted(tapped) == sorted(layers), f"expected {layers}, got {tapped}"
    assert _blocks(tapped) == _blocks(layers), f"expected {_blocks(layers)}, got {_blocks(tapped)}"
    for branch in {_branch(layer) for layer in layers}:
        found, expected = (
            [layer for layer in order if _branch(layer) == branch] for order in (tapped, layers)
        )
        assert found == expected, f"expected {expected}, got {found}"


def check_taps_describe_layers(case):
    """Kinds are known ones, outputs float64 and channels-last, attributes plain and complete."""
    from trivet_worker import layouts

    weights = {
        layouts.native_layer(tensor.layer, case.job.layout): tensor
        for tensor in case.tensors
        if tensor.role == "weight"
    }
    for tap in case.program.taps(case.batch):
        assert tap.kind in KINDS, tap.kind
        assert tap.output.dtype == np.float64, f"{tap.layer}: {tap.output.dtype}"
        assert len(tap.output) == case.job.batch, f"{tap.layer}: {tap.output.shape}"
        assert ATTRIBUTES.get(tap.kind, set()) <= set(tap.attributes), f"{tap.layer}: {tap.attributes}"
        json.dumps(tap.attributes)
        if tap.layer in weights:
            tensor = weights[tap.layer]
            assert tap.kind == tensor.kind, f"{tap.layer} is tapped as {tap.kind}"
            assert tap.output.shape[-1] == tensor.shape[-1], f"{tap.layer}: {tap.output.shape}"


def check_the_last_tap_is_what_training_sees(case):
    """The last layer's tap is the traced step's logits: taps run in training mode."""
    case.restart()
    layers = [tap for tap in case.program.taps(case.batch) if tap.kind == "dense"]
    logits = case.program.traced_step(case.batch).logits
    near(layers[-1].output, logits, case.tolerance, "logits")


def check_a_traced_step_is_a_step(case):
    """Two traced steps lead where two timed steps lead, with the same losses."""
    timed = case.take(case.batch, case.second)
    loss = case.program.loss()
    case.restart()
    traced = [case.program.traced_step(batch) for batch in (case.batch, case.second)]
    close(case, case.program.tensors(), timed, case.start)
    assert abs(traced[1].loss - loss) <= case.tolerance * abs(loss), (traced[1].loss, loss)


def check_a_traced_step_names_all_gradients(case):
    """There is a gradient for each parameter, of its shape, and the first update is the rate times it."""
    case.restart()
    step = case.program.traced_step(case.batch)
    assert set(step.gradients) == set(case.parameters), set(step.gradients) ^ set(case.parameters)
    assert isinstance(step.loss, float), type(step.loss)
    assert step.logits.shape == (case.job.batch, case.job.sizes["classes"]), step.logits.shape
    moved = changes(case.program.tensors(), case.start)
    for name in case.parameters:
        near(moved[name] / -RATE, step.gradients[name], max(case.tolerance, 1e-9), name)


def check_the_loss_is_the_mean_cross_entropy_of_the_logits(case):
    """The loss is computed from the traced logits, averaged over the batch."""
    case.restart()
    step = case.program.traced_step(case.batch)
    logits = step.logits.astype(np.float64)
    logits -= logits.max(axis=1, keepdims=True)
    labels = case.host_batch(1).labels
    expected = (np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(labels)), labels]).mean()
    assert abs(step.loss - expected) <= max(case.tolerance, 1e-9) * abs(expected), (step.loss, expected)


def check_gradients_match_finite_differences(case):
    """In float64 the gradients are those of the loss, by central differences at a few coordinates.

    A normalisation over few values bends sharply, so the differences are narrow.
    """
    if case.job.precision != "float64":
        return
    case.restart()
    gradients = case.program.traced_step(case.batch).gradients
    generator = np.random.default_rng(0)
    some = np.unique(np.linspace(0, len(case.parameters) - 1, 4).astype(int))
    largest = max(np.abs(gradient).max() for gradient in gradients.values())
    for name in (case.parameters[index] for index in some):
        gradient = gradients[name]
        steepest = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        anywhere = tuple(generator.integers(0, side) for side in gradient.shape)
        for place in (steepest, anywhere):
            expected = _slope(case, name, place)
            allowed = 1e-4 * max(abs(expected), 1e-3 * largest)
            assert abs(gradient[place] - expected) <= allowed, (name, place, gradient[place], expected)


def check_the_adapter_says_what_it_is(case):
    """Versions are texts, the job's device is seen, memory counters are whole numbers."""
    versions = case.adapter.versions()
    assert versions, "no versions"
    assert all(isinstance(text, str) and text for text in versions.values()), versions
    devices = case.adapter.devices()
    assert case.job.device in [device.kind for device in devices], devices
    json.dumps([dataclasses.asdict(device) for device in devices])
    counters = case.program.device_memory()
    assert all(type(value) is int for value in counters.values()), counters


def check_the_flop_count_is_that_of_the_layers(case):
    """`training_flops` is what the layers' kernels and the shapes of their outputs, as this framework has them, make."""
    from trivet_worker import layouts

    kernels = {
        layouts.native_layer(tensor.layer, case.job.layout): tensor.shape
        for tensor in case.tensors
        if tensor.role == "weight" and tensor.kind in ("conv", "dense")
    }
    forward = [
        2 * math.prod(kernels[tap.layer]) * math.prod(tap.output.shape[1:-1])
        for tap in case.program.taps(case.batch)
        if tap.layer in kernels
    ]
    assert len(forward) == len(kernels), f"{len(forward)} of {len(kernels)} layers were tapped"
    expected = 3 * sum(forward) - forward[0]  # nobody needs the gradient of the inputs
    found = case.spec.training_flops(**case.job.sizes)
    assert found == expected, (found, expected)


def check_the_program_says_where_and_how_it_computes(case):
    """`placement` gives device and dtypes as they are, and leaves all tensors alone."""
    case.restart()
    placement = case.program.placement(case.batch)
    same(case.program.tensors(), case.start)
    computed = {"bfloat16": "bfloat16", "float64": "float64"}.get(case.job.precision, "float32")
    found = (placement.devices, placement.parameters, placement.compute)
    expected = ((case.job.device,), (case.dtype.name,), (computed,))
    assert found == expected, f"expected {expected}, got {found}"
    json.dumps(dataclasses.asdict(placement))


def check_a_repeated_step_compiles_nothing(case):
    """`compilations` names what was compiled: no step after the first, but predictions on another shape if any."""
    case.take(case.batch)
    case.program.predict(case.batch)
    before = case.program.compilations()
    assert all(isinstance(name, str) and name for name in before), before
    case.program.step(case.second)
    case.program.step(case.batch)
    case.program.wait()
    case.program.predict(case.batch)
    assert case.program.compilations() == before, case.program.compilations()
    larger = case.spec.batch(case.job.batch + 1, 1, **case.job.sizes)
    case.program.predict(case.program.put(larger))
    after = case.program.compilations()
    assert len(after) > len(before) or not before, f"another shape compiled nothing: {after}"


def check_the_peaks_operations_run(case):
    """`peak.py` has a matrix product at least, in every precision that is timed."""
    from trivet_worker import modules

    native = modules.peak(case.job.framework)
    precision = "float32" if case.job.precision == "float64" else case.job.precision
    operations = [native.matmul(8, precision, case.job.device)]
    if hasattr(native, "convolution"):
        operations.append(native.convolution(2, 4, 3, precision, case.job.device))
    for repeat in operations:
        for times in (1, 2):
            assert repeat(times) is None, "it is to return nothing"


def check_only_memory_errors_are_memory_errors(case):
    """`out_of_memory` answers for any exception."""
    assert case.adapter.out_of_memory(MemoryError("Unable to allocate 1 TiB"))
    assert not case.adapter.out_of_memory(ValueError("shapes differ"))
    assert not case.adapter.out_of_memory(RuntimeError("shapes differ"))


def check_an_unknown_variant_is_unsupported(case):
    """`build` refuses a variant that it does not have."""
    from trivet_worker.contract import Unsupported

    try:
        case.adapter.build(dataclasses.replace(case.job, variant="abacus"), case.model)
    except Unsupported:
        return
    problem = "it was built"
    raise AssertionError(problem)


CHECKS = {
    name.removeprefix("check_"): function for name, function in globals().items() if name.startswith("check_")
}


def _slope(case, name, place):
    width = 1e-7
    losses = []
    for sign in (1, -1):
        moved = case.start[name].copy()
        moved[place] += sign * width
        case.program.load(case.start | {name: moved})
        losses.append(case.program.traced_step(case.batch).loss)
    return (losses[0] - losses[1]) / (2 * width)


def _branch(layer):
    """Return what a layer's path is below: "layer2.0.downsample" of "layer2.0.downsample.1"."""
    return layer.rpartition(".")[0]


def _blocks(layers):
    """Return the blocks that a sequence of layers passes: "layer2.0" for all that is in it."""
    return [block for block, _ in itertools.groupby(".".join(layer.split(".")[:2]) for layer in layers)]


def _run(job):
    from trivet_worker.protocol import Job

    case = Case(Job(**job))
    found = {}
    for name, check in CHECKS.items():
        try:
            check(case)
            found[name] = None
        except Exception as error:
            traceback.print_exc()
            found[name] = f"{type(error).__name__}: {error}"
    return found


if __name__ == "__main__":
    from trivet_worker.channel import take_standard_streams

    channel = take_standard_streams()
    channel.send(json.dumps(_run(json.loads(sys.argv[1]))) + "\n")
