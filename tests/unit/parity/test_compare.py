from __future__ import annotations

import numpy as np
import pytest

from trivet.parity.compare import compare
from trivet.parity.distance import LIMIT, LIMIT_AFTER_STEPS, NOTHING_IN_COMMON
from unit.parity.made_up import Maker, without


def scale(key: str, factor: float):
    def change(arrays: dict[str, np.ndarray]) -> None:
        arrays[key] = arrays[key] * factor

    return change


def test_equal_programs_agree_whatever_they_declare(maker: Maker):
    traces = maker.all()
    comparison = compare(traces)
    assert all(comparison.agree(a.label, b.label) for a in traces for b in traces if a is not b)
    assert max(comparison.worst("torch:eager", ["jax:jit"]).values()) < 1e-12


@pytest.mark.parametrize(
    ("key", "limit"),
    [
        ("eval_output", LIMIT),
        ("train_output", LIMIT),
        ("gradient/fc.weight", LIMIT),
        ("statistic/1/bn1.mean", LIMIT),
        ("statistic/1/bn1.variance", LIMIT),
        ("statistic/10/bn1.mean", LIMIT_AFTER_STEPS),
        ("update/5/conv1.weight", LIMIT_AFTER_STEPS),
        ("update/10/fc.bias", LIMIT_AFTER_STEPS),
    ],
)
def test_every_kind_of_tensor_is_held_to_its_limit(maker: Maker, key: str, limit: float):
    ours = maker.trace("jax:jit", scale(key, 1 + 3 * limit))
    theirs = maker.trace("torch:eager")
    comparison = compare([ours, theirs])
    assert comparison.failing("jax:jit", "torch:eager") == [key]
    assert comparison.errors["jax:jit", "torch:eager"][key] == pytest.approx(3 * limit, rel=0.01)
    just_inside = maker.trace("jax:jit", scale(key, 1 + 0.5 * limit))
    assert compare([just_inside, theirs]).agree("jax:jit", "torch:eager")


def test_a_loss_of_any_step_counts(maker: Maker):
    losses = [2.0, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1]
    losses[8] *= 1 + 1e-6
    comparison = compare([maker.trace("jax:jit", losses=tuple(losses)), maker.trace("torch:eager")])
    assert comparison.failing("jax:jit", "torch:eager") == ["loss/9"]


def test_what_one_lacks_differs(maker: Maker):
    ours = without(maker.trace("jax:jit"), "gradient/fc.bias")
    comparison = compare([ours, maker.trace("torch:eager")])
    for pair in (("jax:jit", "torch:eager"), ("torch:eager", "jax:jit")):
        assert comparison.errors[pair]["gradient/fc.bias"] == NOTHING_IN_COMMON


def test_rounding_noise_in_a_gradient_that_is_zero_passes(maker: Maker):
    def noise(seed: int):
        def change(arrays: dict[str, np.ndarray]) -> None:
            arrays["gradient/fc.bias"] = np.random.default_rng(seed).standard_normal(8) * 1e-17

        return change

    assert compare([maker.trace("jax:jit", noise(1)), maker.trace("torch:eager", noise(2))]).agree(
        "jax:jit", "torch:eager"
    )


def test_momentum_forms_are_compared_up_to_the_change_only(maker: Maker):
    comparison = compare(
        [maker.trace("tensorflow:graph"), maker.trace("jax:jit"), maker.trace("torch:eager")]
    )
    across = comparison.errors["tensorflow:graph", "jax:jit"]
    assert "update/5/fc.weight" in across
    assert "statistic/5/bn1.mean" in across
    assert "loss/6" in across
    assert not {"update/10/fc.weight", "statistic/10/bn1.mean", "loss/7"} & set(across)
    assert {"update/10/fc.weight", "loss/10"} <= set(comparison.errors["torch:eager", "jax:jit"])


def test_taps_decide_nothing(maker: Maker):
    ours = maker.trace("jax:jit", scale("tap/001", 2.0))
    assert compare([ours, maker.trace("torch:eager")]).agree("jax:jit", "torch:eager")


def test_a_loss_that_has_vanished_is_measured_against_the_first(maker: Maker):
    losses = (2.0, 1e-2, 1e-5, *[1e-10] * 7)
    noisy = (2.0, 1e-2, 1e-5, *[1e-10 * (1 + 1e-6)] * 7)
    assert compare([maker.trace("jax:jit", losses=noisy), maker.trace("torch:eager", losses=losses)]).agree(
        "jax:jit", "torch:eager"
    )
