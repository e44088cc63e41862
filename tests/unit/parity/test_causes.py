"""Causes in made-up traces: what the numbers and attributes of a difference are taken for."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from trivet.parity.judge import judge
from trivet.parity.trace import Replay, Structure, Tap, Trace
from unit.parity.made_up import Maker, fits

Arrays = dict[str, np.ndarray]


OTHERS = ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla")


def found_in_jax(maker: Maker, trace: Trace, labels: tuple[str, ...] = OTHERS, **others: Any):
    """Return the first difference of a faulty jax:jit; the others are changed alike."""
    traces = [dataclasses.replace(maker.trace(label), **others) for label in labels]
    reference, verdicts = judge([*traces, trace])
    assert reference == tuple(one.label for one in traces)
    return verdicts["jax:jit"].first_difference


def scaled(factor: float, *keys: str):
    def change(arrays: Arrays) -> None:
        for key in arrays:
            if key.startswith(keys):
                arrays[key] = arrays[key] * factor

    return change


LATER = ("tap/003", "train_output", "eval_output", "gradient", "update")


def test_a_difference_like_float32_rounding_is_one_of_precision(maker: Maker):
    found = found_in_jax(maker, maker.trace("jax:jit", scaled(1 + 3e-8, *LATER)))
    assert found.where == "fc"
    assert "computed in lower precision" in found.cause
    assert found.ours == {"precision": "lower"}


def test_a_larger_difference_is_not(maker: Maker):
    found = found_in_jax(maker, maker.trace("jax:jit", scaled(1 + 1e-4, *LATER)))
    assert "lower precision" not in found.cause


def test_an_output_that_changes_from_run_to_run_is_random(maker: Maker):
    trace = dataclasses.replace(maker.trace("jax:jit", scaled(1.01, *LATER)), repeats=0.3)
    found = found_in_jax(maker, trace)
    assert found.where == "fc"
    assert "something random, such as dropout, is left on" in found.cause


def test_random_in_evaluation_alone(maker: Maker):
    trace = dataclasses.replace(maker.trace("jax:jit", scaled(1.01, "eval_output")), repeats=0.3)
    found = found_in_jax(maker, trace)
    assert (found.check, found.where) == ("eval_output", "eval output")
    assert "dropout, is left on" in found.cause


def test_a_dropout_before_the_layer_is_named(maker: Maker):
    trace = maker.trace("jax:jit", scaled(1.01, *LATER))
    dropout = Tap(layer="dropout", kind="dropout", key="tap/002", attributes={"rate": 0.1})
    trace = dataclasses.replace(trace, taps=(*trace.taps[:3], dropout, trace.taps[3]))
    found = found_in_jax(maker, trace)
    assert (found.where, found.ours, found.theirs) == ("fc", {"rate": 0.1}, {"rate": 0.0})


def test_label_smoothing_is_shown_side_by_side(maker: Maker):
    trace = maker.trace("jax:jit", losses=tuple(2.1 - 0.1 * step for step in range(10)))
    found = found_in_jax(maker, dataclasses.replace(trace, label_smoothing=0.1), label_smoothing=0.0)
    assert (found.check, found.where) == ("loss", "label smoothing")
    assert (found.ours, found.theirs) == ({"label_smoothing": 0.1}, {"label_smoothing": 0.0})


def test_a_layer_without_a_gradient_is_frozen(maker: Maker):
    found = found_in_jax(maker, maker.trace("jax:jit", scaled(0.0, "gradient/fc")))
    assert (found.check, found.where) == ("gradient", "fc")
    assert "fc.weight, fc.bias: no gradient" in found.cause
    assert found.ours == {"trained": False}


def test_a_tensor_with_a_gradient_that_stays_is_frozen(maker: Maker):
    trace = maker.trace("jax:jit", scaled(0.0, "update/5/fc", "update/10/fc"), momentum="none")
    found = found_in_jax(maker, dataclasses.replace(trace, still=("fc.weight", "fc.bias")))
    assert (found.check, found.where) == ("rule", "fc")
    assert "not handed to the optimizer" in found.cause


def adamw(fitting: str, **more: Any) -> dict[str, Any]:
    """Return what a trace under AdamW with clipping has instead, one form of its rules fitting."""
    forms = ("after_correction", "before_correction")
    keys = [f"{form}, {clip}" for form in forms for clip in ("exact", "guarded", "by_tensor")]
    keys += [f"{form}, {clip}, late" for form in forms for clip in ("exact", "guarded")]
    replays = {
        key: Replay(before=1e-15, after=1e-15, where="fc.bias")
        if key == fitting
        else Replay(before=0.5, after=0.5, where="fc.bias")
        for key in (*keys, "after_correction_coupled, exact")
    }
    optimizer = {"kind": "adamw", "clip_norm": 0.25, "weight_decay": 0.0625}
    return {"optimizer": optimizer, "replays": replays, **more}


@pytest.mark.parametrize(
    ("form", "where", "ours", "words"),
    [
        (
            "before_correction, exact",
            "adam epsilon",
            {"adam_epsilon": "before_correction"},
            "before the bias",
        ),
        ("after_correction, guarded", "clipping", {"clipping": "guarded"}, "1e-6"),
        ("after_correction, by_tensor", "clipping", {"clipping": "by_tensor"}, "by its own norm"),
        ("after_correction, exact, late", "learning rate", {"learning_rate": "late"}, "one step late"),
        (
            "after_correction_coupled, exact",
            "weight decay",
            {"weight_decay": "after_correction_coupled"},
            "coupled weight decay",
        ),
        ("nothing", "adam epsilon", {}, "no known rule (worst in fc.bias)"),
    ],
)
def test_the_part_of_the_rule_that_is_another_is_named(maker: Maker, form, where, ours, words):
    trace = dataclasses.replace(maker.trace("jax:jit"), **adamw(form))
    found = found_in_jax(maker, trace, OTHERS[:2], **adamw("after_correction, exact"))
    assert (found.check, found.where, found.ours) == ("rule", where, ours)
    assert words in found.cause


def test_forms_that_part_at_the_first_update_are_compared_up_to_there(maker: Maker):
    conventions = {"running_variance": "biased", "adam_epsilon": "before_correction"}
    trace = dataclasses.replace(
        maker.trace("jax:jit", scaled(1.5, "update", "statistic/5", "statistic/10"), conventions=conventions),
        **adamw("before_correction, exact"),
        losses=(2.0, *(9.0 - step for step in range(9))),
    )
    others = [
        dataclasses.replace(one, **adamw("after_correction, exact")) for one in map(maker.trace, OTHERS[:2])
    ]
    reference, verdicts = judge([*others, trace])
    assert reference == ("torch:eager", "torch:compile", "jax:jit")
    (said,) = [text for text in verdicts["jax:jit"].by_convention if text.startswith("Adam's epsilon")]
    assert "part at the first update" in said


def test_untied_weights_are_called_so(maker: Maker):
    structure = Structure(unexpected=("head.weight",), untied=(("head.weight", "tokens.weight"),))
    found = found_in_jax(maker, maker.trace("jax:jit", structure=structure))
    assert (found.check, found.where) == ("structure", "head")
    assert "should be tied" in found.cause


def test_several_functions_of_a_kind_are_numbered(maker: Maker):
    def two(trace: Trace, **attributes: Any) -> Trace:
        taps = [
            Tap(
                layer="activation",
                kind="activation",
                key=key,
                attributes={"approximate": False, **attributes},
            )
            for key in ("tap/001", "tap/002")
        ]
        return dataclasses.replace(trace, taps=(trace.taps[0], *taps, trace.taps[3]))

    faulty = two(maker.trace("jax:jit", scaled(1.01, "tap/002", *LATER)), approximate=True)
    traces = [two(maker.trace(label)) for label in OTHERS]
    _, verdicts = judge([*traces, faulty])
    assert verdicts["jax:jit"].first_difference.where == "activation 2"


def test_what_fits_nothing_is_said_to(maker: Maker):
    found = found_in_jax(maker, dataclasses.replace(maker.trace("jax:jit"), replays=fits("none")))
    assert "no known rule" in found.cause
