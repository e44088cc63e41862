"""Planted faults in made-up traces: who is named, where, and why."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from trivet.parity.distance import NOTHING_IN_COMMON
from trivet.parity.judge import judge
from trivet.parity.trace import Replay, Structure, Tap, Trace
from unit.parity.made_up import BATCH, BN_MOMENTUM, COUNT, FORMS, Maker, fits, unbias

FIVE = ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit")
Arrays = dict[str, np.ndarray]


def spoil(*keys: str):
    """Return a change that makes arrays whose keys start so another program's."""

    def change(arrays: Arrays) -> None:
        for key in arrays:
            if key.startswith(keys):
                arrays[key] = arrays[key] * 1.01

    return change


def from_bn1(arrays: Arrays) -> None:
    """Differ from bn1 on, in all that follows."""
    spoil("tap/001", "tap/002", "tap/003", "train_output", "eval_output", "gradient", "update")(arrays)


def difference_of_jax(maker: Maker, **options):
    """Return the first difference of a faulty jax:jit, having checked that it alone is named."""
    traces = maker.all(jax_jit=maker.trace("jax:jit", **options))
    reference, verdicts = judge(traces)
    assert reference == FIVE[:4]
    assert [label for label, verdict in verdicts.items() if not verdict.equal] == ["jax:jit"]
    assert all(verdicts[label].first_difference is None for label in reference)
    return verdicts["jax:jit"].first_difference


def test_equal_programs_are_equal(maker: Maker):
    reference, verdicts = judge(maker.all())
    assert reference == FIVE
    for verdict in verdicts.values():
        assert verdict.equal is True
        assert verdict.first_difference is None
        assert verdict.note == ""
        assert max(verdict.worst.values()) < 1e-12
    assert set(verdicts["jax:jit"].worst) == {
        "eval_output",
        "train_output",
        "loss",
        "gradient",
        "statistic",
        "parameter",
        "rule",
        "timed_step",
    }


def test_an_attribute_is_shown_side_by_side(maker: Maker):
    found = difference_of_jax(maker, change=from_bn1, tap_attributes={"tap/001": {"epsilon": 1e-3}})
    assert (found.check, found.where) == ("train_output", "bn1")
    assert (found.ours, found.theirs) == ({"epsilon": 1e-3}, {"epsilon": 1e-5})
    assert found.cause == "epsilon is 0.001, the reference's 1e-05"
    assert found.error == pytest.approx(0.01, rel=0.01)
    assert found.limit == 1e-9


def test_an_attribute_kept_in_float32_is_no_other_value(maker: Maker):
    found = difference_of_jax(
        maker, change=from_bn1, tap_attributes={"tap/001": {"epsilon": float(np.float32(1e-5))}}
    )
    assert "attributes of this batch_norm layer agree" in found.cause
    assert found.ours == {}


def test_an_attribute_that_one_framework_does_not_tell_is_no_cause(maker: Maker):
    found = difference_of_jax(maker, change=from_bn1, tap_attributes={"tap/001": {"axis": -1}})
    assert found.ours == {}


def test_pooling_is_named_by_kind(maker: Maker):
    change = spoil("tap/002", "tap/003", "train_output", "eval_output", "gradient")
    padding = {"tap/002": {"padding": [[0, 1], [0, 1]]}}
    found = difference_of_jax(maker, change=change, tap_attributes=padding)
    assert found.where == "max_pool"
    assert found.ours == {"padding": [[0, 1], [0, 1]]}


def test_another_output_shape_is_shown(maker: Maker):
    def change(arrays: Arrays) -> None:
        from_bn1(arrays)
        arrays["tap/002"] = arrays["tap/002"][:, :1]
        arrays["tap/001"] = arrays["tap/001"] / 1.01

    found = difference_of_jax(maker, change=change)
    assert (found.where, found.ours, found.theirs) == (
        "max_pool",
        {"shape": [4, 1, 2, 8]},
        {"shape": [4, 2, 2, 8]},
    )
    assert found.error == NOTHING_IN_COMMON


def test_a_transposed_kernel_is_told_by_its_gradient(maker: Maker):
    generator = np.random.default_rng(1)
    inputs = generator.standard_normal((BATCH, 8))

    def gradient(seed: int, *, transposed: bool):
        def change(arrays: Arrays) -> None:
            upper = np.random.default_rng(seed).standard_normal((BATCH, 8))
            kernel = inputs.T @ upper
            arrays["gradient/fc.weight"] = kernel.T if transposed else kernel
            if transposed:
                spoil("tap/003", "train_output", "eval_output")(arrays)

        return change

    labels = FIVE[:4]
    traces = [maker.trace(label, gradient(2, transposed=False)) for label in labels]
    reference, verdicts = judge([*traces, maker.trace("jax:jit", gradient(3, transposed=True))])
    assert reference == labels
    found = verdicts["jax:jit"].first_difference
    assert found.where == "fc"
    assert found.cause == "its kernel is used transposed: in and out are exchanged"


@pytest.mark.parametrize(
    ("factor", "word"), [(BATCH, "summed"), (1 / BATCH, "divided by the batch once more")]
)
def test_a_loss_that_is_a_multiple_by_the_batch_names_the_reduction(maker: Maker, factor: float, word: str):
    losses = tuple(factor * (2.0 - 0.1 * step) for step in range(10))
    found = difference_of_jax(maker, losses=losses, change=spoil("gradient", "update"))
    assert (found.check, found.where) == ("loss", "loss reduction")
    assert word in found.cause


def test_another_loss_is_shown_as_a_factor(maker: Maker):
    found = difference_of_jax(maker, losses=(3.0, *(1.9 - 0.1 * step for step in range(9))))
    assert (found.check, found.where) == ("loss", "loss")
    assert "1.5 times" in found.cause


def test_evaluation_mode_alone(maker: Maker):
    found = difference_of_jax(maker, change=spoil("eval_output"))
    assert (found.check, found.where) == ("eval_output", "eval output")
    assert "only evaluation mode differs" in found.cause


def test_layers_agree_but_the_compiled_output_does_not(maker: Maker):
    found = difference_of_jax(maker, change=spoil("train_output", "gradient"))
    assert (found.check, found.where) == ("train_output", "train output")
    assert "or in the compiled form (jax:jit" in found.cause


def test_what_compiles_nothing_is_not_said_to(maker: Maker):
    faulty = maker.trace("torch:eager", spoil("train_output", "gradient"))
    pair = [dataclasses.replace(faulty, compiles=False), maker.trace("jax:jit")]
    _, verdicts = judge(pair)
    assert verdicts["torch:eager"].first_difference.cause.endswith("in the compiled form (jax:jit)")
    _, verdicts = judge([dataclasses.replace(trace, compiles=False) for trace in pair])
    found = verdicts["torch:eager"].first_difference
    assert "an operation that is no layer" in found.cause
    assert "compiled" not in found.cause


def with_dropout(trace: Trace, rate: float = 0.1) -> Trace:
    """Return the trace with its pooling turned into a dropout."""
    dropout = Tap(layer="drop", kind="dropout", key="tap/002", attributes={"rate": rate})
    taps = tuple(dropout if tap.key == "tap/002" else tap for tap in trace.taps)
    return dataclasses.replace(trace, taps=taps)


@pytest.mark.parametrize("parts", [("tap/002", "tap/003"), ("tap/003",)])
def test_a_dropout_at_work_is_named_and_what_to_do(maker: Maker, parts):
    faulty = maker.trace("jax:jit", spoil(*parts, "train_output", "gradient"))
    _, verdicts = judge([with_dropout(maker.trace("torch:eager")), with_dropout(faulty)])
    for verdict in verdicts.values():
        assert "no two can agree" in verdict.first_difference.cause
        assert "a rate of 0" in verdict.first_difference.cause
        assert "transposed" not in verdict.first_difference.cause


def test_a_dropout_at_work_in_a_lone_contestant(maker: Maker):
    _, verdicts = judge([with_dropout(maker.trace("jax:jit", step_agrees=0.1))])
    assert "dropout with the rate 0.1" in verdicts["jax:jit"].first_difference.cause


def test_of_gradients_the_one_nearest_to_the_loss_is_named(maker: Maker):
    found = difference_of_jax(maker, change=spoil("gradient/conv1", "gradient/bn1", "update"))
    assert (found.check, found.where) == ("gradient", "bn1.bias")
    assert "first of 3 gradients that differ (2 agree)" in found.cause


def test_a_statistic_names_the_layers_momentum(maker: Maker):
    found = difference_of_jax(
        maker, change=spoil("statistic/1/bn1.mean"), tap_attributes={"tap/001": {"momentum": 0.99}}
    )
    assert (found.check, found.where) == ("statistic", "bn1.mean")
    assert found.ours == {"momentum": 0.99}


@pytest.mark.parametrize("declared", [{}, {"running_variance": "biased"}])
def test_an_undeclared_running_variance_fails_by_name(maker: Maker, declared: dict[str, str]):
    found = difference_of_jax(maker, change=unbias, conventions={"momentum": "rate_outside", **declared})
    assert (found.check, found.where) == ("rule", "running variance")
    assert found.ours == {"running_variance": "unbiased"}
    assert found.theirs["running_variance"] in ("biased", "unbiased")
    # COUNT/(COUNT - 1) of the part that is not the start's
    assert found.error == pytest.approx((1 - BN_MOMENTUM) / (COUNT - 1), rel=0.5)


def test_a_wrongly_declared_running_variance_fails_by_name(maker: Maker):
    found = difference_of_jax(maker, conventions={"running_variance": "unbiased"})
    assert (found.check, found.where) == ("rule", "running variance")
    assert found.ours == {"running_variance": "biased"}


def test_a_momentum_form_is_named_by_the_replay_that_fits(maker: Maker):
    found = difference_of_jax(maker, change=spoil("update"), momentum="nesterov")
    assert (found.check, found.where) == ("rule", "momentum")
    assert found.cause.startswith("its steps follow Nesterov's form")
    assert (found.ours, found.theirs) == ({"momentum": "nesterov"}, {"momentum": "rate_outside"})


def test_an_undeclared_momentum_form_fails_by_name(maker: Maker):
    trace = maker.trace("tensorflow:graph", conventions={"running_variance": "biased"})
    _, verdicts = judge(maker.all(tensorflow_graph=trace))
    assert not verdicts["tensorflow:graph"].equal
    assert verdicts["tensorflow:graph"].first_difference.where == "momentum"
    assert verdicts["tensorflow:graph"].first_difference.ours == {"momentum": "rate_inside"}
    assert verdicts["tensorflow:xla"].equal


def test_a_declared_form_that_nobody_replays_fails(maker: Maker):
    found = difference_of_jax(maker, conventions={"momentum": "magic"})
    assert (found.check, found.where, found.error) == ("rule", "momentum", NOTHING_IN_COMMON)
    assert "it declares 'magic'" in found.cause


def test_a_rule_that_is_left_after_the_change_fails_though_nobody_is_compared_there(maker: Maker):
    late = {form: Replay(before=1e-15, after=0.3, where="fc.bias") for form in FORMS}
    for label in ("tensorflow:graph", "tensorflow:xla"):
        traces = maker.all(
            **{
                name.replace(":", "_"): dataclasses.replace(maker.trace(name), replays=late)
                for name in ("tensorflow:graph", "tensorflow:xla")
            }
        )
        reference, verdicts = judge(traces)
        assert reference == ("torch:eager", "torch:compile", "jax:jit")
        found = verdicts[label].first_difference
        assert (found.check, found.where) == ("rule", "momentum")
        assert "no known rule after it" in found.cause


def test_a_fitted_number_is_in_the_words(maker: Maker):
    replays = {
        **fits("none"),
        "coupled_decay": Replay(before=1e-13, after=1e-13, where="fc.bias", fitted=0.01),
    }
    trace = dataclasses.replace(maker.trace("jax:jit", spoil("update")), replays=replays)
    _, verdicts = judge(maker.all(jax_jit=trace))
    assert "coupled weight decay, v = 0.875 v + g + 0.01 p" in verdicts["jax:jit"].first_difference.cause


def test_a_timed_step_that_does_something_else_fails(maker: Maker):
    found = difference_of_jax(maker, step_agrees=1e-3)
    assert (found.check, found.where, found.error) == ("parameter", "timed step", 1e-3)


def test_later_steps_that_no_rule_explains(maker: Maker):
    found = difference_of_jax(maker, change=spoil("update/10/fc.weight", "statistic/10"))
    assert (found.check, found.where) == ("parameter", "fc.weight, step 10")
    assert "each follows its declared rule" in found.cause
    assert "all losses agree" in found.cause


def test_what_differs_most_at_the_first_step_is_named_and_up_to_where_losses_agree(maker: Maker):
    def change(arrays: Arrays) -> None:
        for key in arrays:
            if key.startswith("update"):
                arrays[key] *= 1.5 if key.endswith("fc.bias") else 1.001
        arrays["update/10/conv1.weight"] *= 9

    losses = (2.0, 1.9, 1.8, 1.75, *(1.65 - 0.1 * step for step in range(6)))
    found = difference_of_jax(maker, change=change, losses=losses)
    assert (found.check, found.where) == ("parameter", "fc.bias, step 5")
    assert found.error == pytest.approx(0.5, rel=0.01)
    assert "the losses up to step 3 agree" in found.cause


@pytest.mark.parametrize(
    ("structure", "where", "ours", "words"),
    [
        (Structure(missing=("fc.bias",)), "fc", {"bias": "absent"}, "fc has no bias"),
        (
            Structure(unexpected=("conv1.bias", "bn1.extra")),
            "conv1",
            {"bias": "present"},
            "(and 1 more such differences)",
        ),
        (Structure(shapes=(("fc.weight", (8, 8), (8, 9)),)), "fc", {"weight": [8, 9]}, "[8, 9]"),
    ],
)
def test_other_tensors_than_the_workloads(maker: Maker, structure, where, ours, words):
    found = difference_of_jax(maker, structure=structure)
    assert (found.check, found.where, found.ours, found.error) == ("structure", where, ours, None)
    assert words in found.cause


def test_a_native_name_is_led_back_to_the_layer(maker: Maker):
    faulty = maker.trace("tensorflow:graph", structure=Structure(unexpected=("conv1/bias",)))
    _, verdicts = judge(maker.all(tensorflow_graph=faulty))
    assert verdicts["tensorflow:graph"].first_difference.where == "conv1"


def test_the_same_mistake_in_all_is_still_one_against_the_workload(maker: Maker):
    structure = Structure(missing=("fc.bias",))
    traces = [maker.trace(label, structure=structure) for label in FIVE]
    reference, verdicts = judge(traces)
    assert reference == ()
    assert all(verdict.equal is False for verdict in verdicts.values())


def test_a_loss_that_is_not_finite_fails_even_alone(maker: Maker):
    losses = (2.0, math.nan, *(1.8 - 0.1 * step for step in range(8)))
    reference, verdicts = judge([maker.trace("jax:jit", losses=losses)])
    assert reference == ()
    assert verdicts["jax:jit"].first_difference.where == "step 2"


def test_nan_outputs_agree_with_nobody(maker: Maker):
    def change(arrays: Arrays) -> None:
        arrays["train_output"][0, 0] = np.nan

    traces = [maker.trace(label, change) for label in ("torch:eager", "jax:jit")]
    reference, verdicts = judge(traces)
    assert reference == ()
    assert verdicts["jax:jit"].worst["train_output"] == NOTHING_IN_COMMON


def test_on_a_tie_nobody_is_ranked_and_both_sides_are_shown(maker: Maker):
    options = {"change": from_bn1, "tap_attributes": {"tap/001": {"epsilon": 1e-3}}}
    traces = [maker.trace("torch:eager"), maker.trace("torch:compile"), maker.trace("jax:jit", **options)]
    reference, verdicts = judge(traces)
    assert reference == ()
    assert [verdict.equal for verdict in verdicts.values()] == [False] * 3
    assert verdicts["torch:eager"].first_difference.ours == {"epsilon": 1e-5}
    assert verdicts["jax:jit"].first_difference.ours == {"epsilon": 1e-3}
    assert verdicts["torch:eager"].first_difference.where == "bn1"
    assert "torch:eager, torch:compile | jax:jit" in verdicts["torch:eager"].note


def test_a_variant_is_compared_with_its_own_framework_first(maker: Maker):
    faulty = maker.trace("torch:compile", spoil("train_output"))
    _, verdicts = judge(maker.all(torch_compile=faulty))
    assert verdicts["torch:eager"].equal
    assert not verdicts["torch:compile"].equal
    assert "compiled form" in verdicts["torch:compile"].first_difference.cause


def test_a_lone_contestant_is_equal_with_a_note(maker: Maker):
    reference, verdicts = judge([maker.trace("jax:jit")])
    assert reference == ("jax:jit",)
    assert verdicts["jax:jit"].equal
    assert verdicts["jax:jit"].note.startswith("Nothing to compare with")


def test_one_framework_alone_says_so(maker: Maker):
    _, verdicts = judge([maker.trace("torch:eager"), maker.trace("torch:compile")])
    assert verdicts["torch:eager"].equal
    assert verdicts["torch:eager"].note == "Compared with other torch contestants only."


def test_nobody(maker: Maker):
    assert judge([]) == ((), {})
