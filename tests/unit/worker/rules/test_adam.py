import numpy as np
import pytest

from trivet_worker import rules

BETA_1, BETA_2, EPSILON, DECAY = 0.875, 0.96875, 2.0**-10, 0.0625
OPTIMIZER = {"kind": "adamw", "beta_1": BETA_1, "beta_2": BETA_2, "epsilon": EPSILON, "weight_decay": DECAY}
RATES = [0.0078125] * 5 + [0.00390625] * 5


def _walk(update, clip=None, scale=0.1, **options):
    """Train on made-up gradients by a rule written as its framework writes it; return the replay's fits."""
    generator = np.random.default_rng(0)
    replay = rules.replay({**OPTIMIZER, **options}, RATES)
    parameters = {"weight": generator.normal(size=(6, 4)), "bias": generator.normal(size=4)}
    states = {name: (np.zeros_like(value), np.zeros_like(value)) for name, value in parameters.items()}
    for number, rate in enumerate(RATES, start=1):
        gradients = {name: scale * generator.normal(size=value.shape) for name, value in parameters.items()}
        seen = clip(gradients) if clip else gradients
        after = {}
        for name, value in parameters.items():
            after[name], states[name] = update(value, seen[name], states[name], rate, number)
        replay.step(gradients, parameters, after)
        parameters = after
    return replay.fits()


def _moments(gradient, state):
    first, second = state
    return BETA_1 * first + (1 - BETA_1) * gradient, BETA_2 * second + (1 - BETA_2) * gradient**2


def _torch(decoupled=True, decay=DECAY):
    def update(parameter, gradient, state, rate, number):
        if not decoupled:
            gradient = gradient + decay * parameter
        state = first, second = _moments(gradient, state)
        shrunk = parameter * (1 - rate * decay) if decoupled else parameter
        denominator = np.sqrt(second) / np.sqrt(1 - BETA_2**number) + EPSILON
        return shrunk - rate / (1 - BETA_1**number) * first / denominator, state

    return update


def _keras(parameter, gradient, state, rate, number):
    parameter = parameter - parameter * DECAY * rate
    first, second = state
    first = first + (gradient - first) * (1 - BETA_1)
    second = second + (gradient**2 - second) * (1 - BETA_2)
    alpha = rate * np.sqrt(1 - BETA_2**number) / (1 - BETA_1**number)
    return parameter - first * alpha / (np.sqrt(second) + EPSILON), (first, second)


def _uncorrected(parameter, gradient, state, rate, number):
    state = first, second = _moments(gradient, state)
    return parameter * (1 - rate * DECAY) - rate * first / (np.sqrt(second) + EPSILON), state


def _late(parameter, gradient, state, rate, number):
    return _torch()(parameter, gradient, state, RATES[max(number - 2, 0)], number)


@pytest.mark.parametrize(
    ("form", "rule"),
    [
        ("after_correction", _torch()),
        ("before_correction", _keras),
        ("after_correction_coupled", _torch(decoupled=False)),
        ("after_correction_undecayed", _torch(decay=0.0)),
        ("uncorrected", _uncorrected),
        ("after_correction, late", _late),
    ],
)
def test_each_rule_is_recognised(form, rule):
    fits = _walk(rule)
    fitting = {name for name, fit in fits.items() if max(fit["before"], fit["after"]) < 1e-12}
    assert fitting == {form}


def _by_norm(guard, limit):
    def clip(gradients):
        size = np.sqrt(sum((gradient**2).sum() for gradient in gradients.values()))
        return {name: gradient * min(1, limit / (size + guard)) for name, gradient in gradients.items()}

    return clip


def _each(limit):
    def clip(gradients):
        return {name: g * min(1, limit / np.sqrt((g**2).sum())) for name, g in gradients.items()}

    return clip


@pytest.mark.parametrize(
    ("form", "clip"),
    [
        ("exact", _by_norm(0.0, 0.25)),
        ("guarded", _by_norm(1e-6, 0.25)),
        ("by_tensor", _each(0.25)),
        ("unclipped", None),
    ],
)
def test_clipping_is_told_from_the_update_rule(form, clip):
    fits = _walk(_torch(), clip, scale=1.0, clip_norm=0.25)
    fitting = {name for name, fit in fits.items() if max(fit["before"], fit["after"]) < 1e-12}
    assert fitting == {f"after_correction, {form}"}


def test_a_gradient_below_the_norm_is_left_alone():
    fits = _walk(_torch(), scale=1e-3, clip_norm=0.25)
    for form in ("exact", "guarded", "by_tensor", "unclipped"):
        assert fits[f"after_correction, {form}"]["after"] < 1e-12


def test_a_tensor_that_stays_is_named():
    replay = rules.replay(OPTIMIZER, RATES)
    before = {"a": np.ones(3), "b": np.ones(3), "c": np.ones(3)}
    gradients = {"a": np.ones(3), "b": np.ones(3), "c": np.zeros(3)}
    after = {"a": np.full(3, 0.9), "b": np.ones(3), "c": np.ones(3)}
    replay.step(gradients, before, after)
    assert replay.still() == ["b"]
    replay.step(gradients, before, {**after, "b": np.full(3, 0.9)})
    assert replay.still() == []
