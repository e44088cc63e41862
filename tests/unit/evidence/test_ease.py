import dataclasses

import pytest

from made_up import made_up_run
from trivet import catalog
from trivet.conclude import conclude
from trivet.ease import results
from trivet.environments import pins
from trivet.evidence import ease
from trivet.model.ease import Cell, EaseResult, Price

PINNED = pins.load(catalog.framework("torch").folder).versions[0]
CELL = Cell(
    mistake="label_too_large",
    variant="torch:eager",
    switch="",
    kind="located",
    where="step 5",
    line="train.py:17",
)
TABLE = EaseResult(
    dated="2026-12-01",
    versions={"torch:eager": {"torch": f"{PINNED}+cpu"}},
    system="",
    cells=(
        CELL,
        dataclasses.replace(CELL, variant="tensorflow:xla", kind="not run", where="", line=""),
        dataclasses.replace(CELL, mistake="nan_gradient", switch="detect_anomaly"),
        dataclasses.replace(CELL, variant="jax:linen", mistake="nan_gradient", switch="checkify"),
    ),
    prices=(Price(variant="torch:eager", switch="detect_anomaly", off_ms=20.0, on_ms=25.0),),
)


def by_key(found):
    assert len({piece.key for piece in found}) == len(found)
    return {piece.key: piece for piece in found}


def test_a_cell_is_evidence_of_its_variant():
    piece = by_key(ease.of_mistakes(TABLE, source="here"))["ease.mistakes.label_too_large/torch:eager"]
    assert (piece.value, piece.framework, piece.strength, piece.dated) == (
        "located",
        "torch",
        "measured",
        "2026-12-01",
    )
    assert piece.expires == "2027-12-01"
    assert piece.text == (
        "Label 10 of ten classes, at step 5: in torch:eager it is an error that points at its line at step 5 (train.py:17)."
    )


def test_a_cell_that_was_not_run_is_not_known():
    assert (
        by_key(ease.of_mistakes(TABLE, source="here"))["ease.mistakes.label_too_large/tensorflow:xla"].value
        is None
    )


def test_official_switches_and_their_price():
    found = by_key(ease.of_switches(TABLE, source="here"))
    assert set(found) == {"ease.switch.nan_gradient/torch:eager", "ease.switch_price/torch:eager"}
    assert found["ease.switch_price/torch:eager"].value == pytest.approx(1.25)


@pytest.mark.parametrize("change", [{"on_ms": None}, {"disturbed": True}])
def test_a_price_that_cannot_be_had_or_does_not_count_is_none(change):
    price = dataclasses.replace(TABLE.prices[0], **change)
    found = by_key(ease.of_switches(dataclasses.replace(TABLE, prices=(price,)), source="here"))
    assert found["ease.switch_price/torch:eager"].value is None


def test_evidence_is_stale_once_the_pin_has_moved():
    moved = dataclasses.replace(TABLE, versions={"torch:eager": {"torch": "1.0.0"}})
    piece = by_key(ease.of_mistakes(moved, source="here"))["ease.mistakes.label_too_large/torch:eager"]
    assert piece.is_stale("2026-12-01")
    own = by_key(ease.of_mistakes(moved, source="here", pinned=False))
    assert not own["ease.mistakes.label_too_large/torch:eager"].is_stale("2026-12-01")


def test_counts_are_those_of_the_command():
    from trivet.ease.code import of_workload

    found = by_key(ease.of_code("mlp"))
    for framework, counted in of_workload("mlp").items():
        assert found[f"ease.code.lines/{framework}"].value == counted.lines
        assert found[f"ease.code.symbols/{framework}"].value == len(counted.symbols)
        assert found[f"ease.code.concepts/{framework}"].value == len(counted.concepts)


def test_all_there_is_without_a_run():
    found = by_key(ease.evidence())
    shipped = results.shipped()
    assert len([key for key in found if key.startswith("ease.mistakes.")]) == len(
        [cell for cell in shipped.cells if not cell.switch]
    )
    for framework in ("torch", "tensorflow", "jax"):
        assert f"ease.code.lines/{framework}" in found
    assert all(piece.source and piece.dated and piece.text for piece in found.values())


def test_first_steps_come_from_a_run(tmp_path):
    result = conclude(made_up_run(tmp_path))
    found = by_key(ease.of_first_step(result, "resnet18"))
    one = next(one for one in result.workloads[1].contestants if one.contestant == "torch:compile")
    cold = found["ease.first_step.cold/torch:compile"]
    assert (cold.value, cold.low, cold.high, cold.n) == (
        one.startup_cold.value,
        one.startup_cold.low,
        one.startup_cold.high,
        one.startup_cold.n,
    )
    assert (cold.unit, cold.source, cold.strength, cold.expires) == ("s", result.run, "measured", None)
    assert "resnet18's first step" in cold.text
    first = by_key(ease.of_first_step(result))
    assert (
        first["ease.first_step.cold/torch:compile"].value
        == result.workloads[0].contestants[1].startup_cold.value
    )
    assert ease.of_first_step(result, "other") == []
