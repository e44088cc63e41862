"""Numbers that are not finite: on one side, on all sides, wherever they arise."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from trivet import catalog
from trivet.parity.initial import initial_values
from trivet.parity.judge import judge
from trivet.parity.trace import read_trace
from trivet_worker import protocol
from unit.parity.made_up import Maker

LOSSES = (2.0, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1)


def lose(*keys: str, value: float = math.nan):
    """Return a change that makes one element of arrays whose keys start so infinite or NaN."""

    def change(arrays: dict[str, np.ndarray]) -> None:
        for key, array in arrays.items():
            if key.startswith(keys):
                array.flat[0] = value

    return change


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize(
    ("keys", "lost", "where", "words"),
    [
        (("tap/003", "train_output", "eval_output", "gradient", "update"), 1, "fc", "loss of step 1 is nan"),
        (("eval_output",), None, "eval output", "eval output is not finite, though each layer"),
        (("gradient/fc.weight", "update"), 2, "fc.weight", "loss of step 2 is nan"),
        (("statistic/1/bn1.variance",), None, "bn1.variance", "bn1.variance is the first statistic"),
        (("statistic/10/bn1.mean",), None, "bn1.mean, step 10", "bn1.mean, step 10 is the first statistic"),
        (("update/5/fc.bias",), 6, "fc.bias, step 5", "loss of step 6 is nan"),
        ((), 4, "step 4", "loss of step 4 is nan"),
    ],
)
def test_one_contestant_is_named_and_the_others_are_equal(maker: Maker, value, keys, lost, where, words):
    losses = tuple(value if lost and number >= lost else loss for number, loss in enumerate(LOSSES, start=1))
    faulty = maker.trace("jax:jit", lose(*keys, value=value), losses=losses)
    reference, verdicts = judge(maker.all(jax_jit=faulty))
    assert reference == ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla")
    assert all(verdicts[label].equal for label in reference)
    found = verdicts["jax:jit"].first_difference
    assert verdicts["jax:jit"].equal is False
    assert (found.where, found.error) == (where, 1e9)
    assert words in found.cause


def test_one_of_two_is_not_equal_and_the_other_has_nobody_to_compare_with(maker: Maker):
    lost = maker.trace("jax:jit", losses=(math.nan,) * 10)
    reference, verdicts = judge([maker.trace("torch:eager"), lost])
    assert reference == ("torch:eager",)
    assert "the loss of step 1 is nan" in verdicts["jax:jit"].first_difference.cause
    assert verdicts["torch:eager"].note.startswith("Nothing to compare with")


def test_where_all_are_lost_it_is_said(maker: Maker):
    change = lose("tap/003", "train_output", "eval_output", "gradient", "update")
    traces = [
        maker.trace(label, change, losses=(math.nan,) * 10)
        for label in ("torch:eager", "torch:compile", "jax:jit")
    ]
    reference, verdicts = judge(traces)
    assert reference == ()
    for verdict in verdicts.values():
        assert verdict.equal is False
        assert verdict.first_difference.where == "fc"
        assert "the loss of step 1 is nan" in verdict.first_difference.cause
        assert "so it is in " in verdict.first_difference.cause
        assert verdict.note.startswith("The numbers of all contestants become NaN")


def test_a_difference_before_the_loss_of_numbers_tells_more(maker: Maker):
    def change(arrays: dict[str, np.ndarray]) -> None:
        arrays["tap/001"] *= 1.01
        lose("tap/003", "train_output", "eval_output")(arrays)

    faulty = maker.trace(
        "jax:jit", change, losses=(math.nan,) * 10, tap_attributes={"tap/001": {"epsilon": 1e-3}}
    )
    _, verdicts = judge(maker.all(jax_jit=faulty))
    assert verdicts["jax:jit"].first_difference.where == "bn1"
    assert "epsilon" in verdicts["jax:jit"].first_difference.cause


def test_what_is_not_finite_survives_the_channel(maker: Maker, tmp_path):
    told = {
        "structure": {"missing": [], "unexpected": [], "untied": [], "shapes": []},
        "losses": [2.0, math.nan, math.inf],
        "taps": [],
        "rules": {},
        "still": [],
        "label_smoothing": None,
        "repeats": 0.0,
        "initial": {"fc.weight": [math.nan, 4], "fc.bias": [1.0, 4]},
        "step_agrees": 0.0,
        "counts": {},
        "arrays": {},
        "not_finite": ["train_output"],
    }
    result = protocol.parse(protocol.done(1, told))["result"]
    base = maker.trace("jax:jit")
    info = catalog.frameworks()["jax"]
    trace = read_trace(result, tmp_path, base.contestant, info, {"batch": 8, "optimizer": {"kind": "sgd"}})
    assert math.isnan(trace.losses[1])
    assert trace.not_finite == ("train_output",)
    assert trace.compiles
    other = dataclasses.replace(
        maker.trace("torch:eager"), initial={"fc.weight": (1.0, 4), "fc.bias": (9.0, 4)}
    )
    assert [one.tensor for one in initial_values([trace, other])] == ["fc.bias"]
