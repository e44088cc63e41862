import dataclasses

from trivet.parity.initial import among, initial_values
from unit.parity.made_up import Maker


def _traces(maker: Maker, **scales):
    return [
        dataclasses.replace(
            maker.trace(f"{name}:x"), initial={"fc.weight": (scale, 1000), "fc.bias": (0.0, 8)}
        )
        for name, scale in scales.items()
    ]


def test_another_scale_is_told(maker: Maker):
    (found,) = initial_values(_traces(maker, torch=0.02, jax=0.04))
    assert (found.tensor, found.scales) == ("fc.weight", {"torch:x": 0.02, "jax:x": 0.04})


def test_zeros_against_values_are_told(maker: Maker):
    (found,) = initial_values(_traces(maker, torch=0.02, jax=0.0))
    assert found.scales["jax:x"] == 0.0


def test_what_chance_makes_of_few_values_is_not(maker: Maker):
    assert initial_values(_traces(maker, torch=0.02, jax=0.025)) == ()
    few = [
        dataclasses.replace(trace, initial={"b": (scale, 4)})
        for trace, scale in zip(_traces(maker, torch=0.1, jax=0.1), (0.1, 0.2), strict=True)
    ]
    assert initial_values(few) == ()


def test_a_smaller_company_keeps_what_still_differs(maker: Maker):
    found = initial_values(_traces(maker, torch=0.02, jax=0.04, tensorflow=0.04))
    (one,) = among(found, {"torch:x": "a", "jax:x": "b"})
    assert one.scales == {"a": 0.02, "b": 0.04}
    assert among(found, {"tensorflow:x": "a", "jax:x": "b"}) == ()
