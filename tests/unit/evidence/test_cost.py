import pytest

from trivet.evidence.cost import costs
from trivet.model.evidence import Evidence


def piece(
    claim: str, contestant: str, value: float, low: float | None = None, high: float | None = None
) -> Evidence:
    return Evidence(
        claim=f"performance.{claim}",
        framework=contestant.partition(":")[0],
        contestant=contestant,
        value=value,
        low=low,
        high=high,
        n=4,
        source="run",
        dated="2026-12-01",
        strength="measured",
        text="",
    )


EVIDENCE = [
    piece("throughput", "torch:eager", 100.0, 90.0, 110.0),
    piece("startup_cold", "torch:eager", 36.0),
    piece("throughput", "jax:jit", 200.0, 180.0, 220.0),
    piece("startup_cold", "jax:jit", 360.0),
]


def test_the_length_is_that_of_the_first_contestant():
    jax, torch = costs(EVIDENCE, training_hours=10.0, price_per_hour=3.0)
    assert (jax.contestant, torch.contestant) == ("jax:jit", "torch:eager")
    assert torch.hours.value == pytest.approx(10.0 + 0.01)
    assert jax.hours.value == pytest.approx(5.0 + 0.1)
    assert jax.price.value == pytest.approx(3 * 5.1)
    assert jax.framework == "jax"


def test_intervals_come_from_the_ends_of_the_speeds():
    jax, _ = costs(EVIDENCE, training_hours=10.0, price_per_hour=3.0)
    assert jax.hours.low == pytest.approx(10 * 100 / 220 + 0.1)
    assert jax.hours.high == pytest.approx(10 * 100 / 180 + 0.1)
    assert jax.price.high == pytest.approx(3 * jax.hours.high)


def test_without_an_interval_of_the_speed_there_is_none_of_the_cost():
    quick = [piece("throughput", "torch:eager", 100.0), piece("startup_cold", "torch:eager", 36.0)]
    (cost,) = costs(quick, training_hours=1.0, price_per_hour=2.0)
    assert (cost.hours.low, cost.hours.high, cost.price.low) == (None, None, None)


def test_energy_and_price_only_where_they_are_known():
    watts = [*EVIDENCE, piece("power", "jax:jit", 400.0)]
    jax, torch = costs(watts, training_hours=10.0, price_per_hour=None)
    assert jax.energy.value == pytest.approx(0.4 * jax.hours.value)
    assert jax.energy.unit == "kWh"
    assert torch.energy is None
    assert jax.price is None
    assert "performance.power/jax:jit" in jax.evidence


def test_whoever_lacks_a_start_up_has_no_cost():
    assert [cost.contestant for cost in costs(EVIDENCE[:3], training_hours=1.0, price_per_hour=1.0)] == [
        "torch:eager"
    ]
    assert costs([], training_hours=1.0, price_per_hour=1.0) == ()
