import numpy as np
import pytest

from trivet_worker import rules

MOMENTUM = 0.875
RATES = [0.125] * 5 + [0.0625] * 5


def _walk(update, rates=RATES, momentum=MOMENTUM, shapes=(("weight", (6, 4)), ("bias", (4,))), **options):
    """Train on made-up gradients by a rule; return the replay's fits.

    The rule is written the way its framework writes it: (parameter, gradient, state, rate, number) -> (new parameter,
    new state), state None at first.
    """
    generator = np.random.default_rng(0)
    replay = rules.replay({"kind": "sgd", "momentum": momentum, **options}, rates)
    parameters = {name: generator.normal(size=shape) for name, shape in shapes}
    states = dict.fromkeys(parameters)
    for number, rate in enumerate(rates):
        gradients = {name: generator.normal(size=shape) for name, shape in shapes}
        after = {}
        for name, parameter in parameters.items():
            after[name], states[name] = update(parameter, gradients[name], states[name], rate, number)
        replay.step(gradients, parameters, after)
        parameters = after
    return replay.fits()


def _torch(nesterov=False, dampening=0.0, weight_decay=0.0, momentum=MOMENTUM):
    """Return torch.optim.SGD's rule."""

    def update(parameter, gradient, buffer, rate, number):
        gradient = gradient + weight_decay * parameter
        buffer = gradient if buffer is None else momentum * buffer + (1 - dampening) * gradient
        step = gradient + momentum * buffer if nesterov else buffer
        return parameter - rate * step, buffer

    return update


def _keras(nesterov=False, weight_decay=0.0):
    """Return keras.optimizers.SGD's rule."""

    def update(parameter, gradient, velocity, rate, number):
        parameter = parameter - rate * weight_decay * parameter
        velocity = MOMENTUM * (0.0 if velocity is None else velocity) - rate * gradient
        return parameter + (MOMENTUM * velocity - rate * gradient if nesterov else velocity), velocity

    return update


def _average(parameter, gradient, velocity, rate, number):
    velocity = MOMENTUM * (0.0 if velocity is None else velocity) + (1 - MOMENTUM) * gradient
    return parameter - rate * velocity, velocity


def _plain(parameter, gradient, state, rate, number):
    return parameter - rate * gradient, state


def _deaf(parameter, gradient, buffer, rate, number):
    return _torch()(parameter, gradient, buffer, RATES[0], number)


@pytest.mark.parametrize(
    ("form", "rule"),
    [
        ("rate_outside", _torch()),
        ("rate_inside", _keras()),
        ("nesterov", _torch(nesterov=True)),
        ("nesterov_inside", _keras(nesterov=True)),
        ("dampened", _average),
        ("dampened_later", _torch(dampening=MOMENTUM)),
        ("no_momentum", _plain),
        ("rate_outside, unchanged", _deaf),
        ("other_momentum", _torch(momentum=0.5)),
        ("coupled_decay", _torch(weight_decay=5e-4)),
        ("decoupled_decay_inside", _keras(weight_decay=0.0625)),
        (
            "rate_outside, late",
            lambda *arguments: _torch()(*arguments[:3], RATES[max(arguments[4] - 1, 0)], 0),
        ),
        (
            "rate_inside, early",
            lambda *arguments: _keras()(*arguments[:3], RATES[min(arguments[4] + 1, 9)], 0),
        ),
    ],
)
def test_each_rule_is_recognised(form, rule):
    fits = _walk(rule)
    assert max(fits[form]["before"], fits[form]["after"]) < 1e-12
    declarable = {"rate_outside", "rate_inside"} - {form}
    assert all(fits[other]["after"] > 1e-3 for other in declarable)


def test_where_the_rate_stands_shows_only_when_it_changes():
    fits = _walk(_keras())
    assert fits["rate_outside"]["before"] < 1e-12
    assert fits["rate_outside"]["after"] > 0.1
    unchanged = _walk(_keras(), rates=[0.125] * 4)
    assert unchanged["rate_outside"]["before"] < 1e-12
    assert unchanged["rate_outside"]["after"] == 0.0


def test_fitted_numbers_are_those_of_the_rule():
    assert _walk(_torch(momentum=0.5))["other_momentum"]["fitted"] == pytest.approx(0.5)
    assert _walk(_torch(weight_decay=5e-4))["coupled_decay"]["fitted"] == pytest.approx(5e-4)
    decoupled = _walk(_keras(weight_decay=1e-3), rates=[0.125] * 5)["decoupled_decay"]
    assert decoupled["fitted"] == pytest.approx(1e-3)
    assert decoupled["before"] < 1e-12


def test_a_mistake_in_one_tensor_is_named():
    torch = _torch()

    def update(parameter, gradient, buffer, rate, number):
        after, buffer = torch(parameter, gradient, buffer, rate, number)
        return (after - 0.01 * rate * gradient if parameter.ndim == 1 else after), buffer

    assert _walk(update)["rate_outside"]["where"] == "bias"


def test_a_tensor_of_any_size_is_held_against_the_rules():
    fits = _walk(_plain, rates=RATES[:2], shapes=(("big", (300, 300)),))
    assert set(fits) == {"rate_outside", "rate_inside"}
    assert fits["rate_outside"]["before"] > 0.1


def test_values_that_are_not_finite_fit_nothing():
    with np.errstate(invalid="ignore"):
        fits = _walk(lambda parameter, *_: (parameter * np.nan, None), rates=RATES[:2])
    assert fits["rate_outside"]["before"] == 1e9


def test_an_optimizer_without_rules_is_not_replayed():
    assert rules.replay({"kind": "lion"}, RATES) is None
