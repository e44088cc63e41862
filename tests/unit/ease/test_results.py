import dataclasses
import io

import pytest
from rich.console import Console

from trivet.console.ease import ease_markdown, ease_view
from trivet.ease import results, words
from trivet.ease.planted import mistakes
from trivet.errors import StoreError
from trivet.model.ease import Cell, EaseResult, Price

CELL = Cell(mistake="nan_gradient", variant="torch:eager", switch="", kind="visible NaN", where="step 6")
SWITCHED = dataclasses.replace(
    CELL, switch="detect_anomaly", kind="located", where="step 5", error="RuntimeError", line="model.py:17"
)
TABLE = EaseResult(
    dated="2026-12-01",
    versions={"torch:eager": {"torch": "2.13.0", "numpy": "2.4.6"}},
    system="Linux x86_64, 2 CPUs",
    cells=(CELL, SWITCHED),
    prices=(Price(variant="torch:eager", switch="detect_anomaly", off_ms=20.0, on_ms=26.0),),
)


def test_a_table_survives_a_file(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(results.to_json(TABLE))
    assert results.read(path) == TABLE


@pytest.mark.parametrize("text", ["{", '{"dated": 3}'])
def test_a_damaged_table_is_named(tmp_path, text):
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(StoreError, match=r"table\.json"):
        results.read(path)
    with pytest.raises(StoreError, match="cannot be read"):
        results.read(tmp_path / "missing.json")
    with pytest.raises(StoreError, match="No table"):
        results.shipped(tmp_path / "empty")


def test_the_newest_shipped_table_counts(tmp_path):
    for day in ("2026-12-01", "2026-10-09"):
        (tmp_path / f"{day}.json").write_text(results.to_json(dataclasses.replace(TABLE, dated=day)))
    assert results.shipped(tmp_path).dated == "2026-12-01"


def test_an_upgrade_is_told_cell_by_cell():
    newer = dataclasses.replace(CELL, variant="torch:eager@2.14.0", kind="silent", where="")
    after = dataclasses.replace(
        TABLE, cells=(newer, dataclasses.replace(SWITCHED, variant="torch:eager@2.14.0"))
    )
    changed = results.changes(TABLE, after)
    assert [(one.before, one.after) for one in changed] == [(CELL, newer)]
    lines = words.change_lines(changed, mistakes())
    assert lines == ["M5 in torch:eager@2.14.0: was visible NaN, step 6; is silent."]
    assert words.change_lines((), mistakes()) == ["Every cell is as it was."]


def test_lines_and_seconds_are_no_change():
    other = dataclasses.replace(CELL, lines=99, frames=9, extra_seconds=3.0, traces=4)
    assert results.changes(TABLE, dataclasses.replace(TABLE, cells=(other, SWITCHED))) == ()
    assert results.changes(
        TABLE, dataclasses.replace(TABLE, cells=(dataclasses.replace(CELL, where="step 7"),))
    )


def shown(table, changed=None):
    stream = io.StringIO()
    Console(file=stream, width=80, highlight=False).print(ease_view(table, mistakes(), changed))
    return stream.getvalue()


def test_the_profile_fits_80_columns_and_tells_switch_price_and_versions():
    labels = ("torch:eager", "torch:compile", "tensorflow:eager", "tensorflow:graph", "tensorflow:xla")
    labels = (*labels, "jax:eager", "jax:jit", "jax:linen")
    cells = tuple(dataclasses.replace(CELL, variant=label) for label in labels)
    slow = dataclasses.replace(CELL, mistake="ten_batch_sizes", kind="costs time", extra_seconds=13.14)
    text = shown(dataclasses.replace(TABLE, cells=(*cells, slow, SWITCHED)))
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.splitlines()[1].split() == [
        "mistake",
        "eager",
        "compile",
        "eager",
        "graph",
        "xla",
        "eager",
        "jit",
        "linen",
    ]
    assert "+13.1" in text
    assert "torch:eager, detect_anomaly: M5 LINE (step 5). A step takes 1.30 times as long" in " ".join(
        text.split()
    )
    assert "torch 2.13.0, numpy 2.4.6" in text


def test_a_price_that_cannot_be_had_is_said():
    price = dataclasses.replace(TABLE.prices[0], on_ms=None, reason="it fails")
    assert "It cannot be used" in shown(dataclasses.replace(TABLE, prices=(price,)))


def test_markdown_has_a_column_for_each_variant():
    text = ease_markdown(TABLE, mistakes(), ())
    assert "| M5 | NaN in the gradient alone, at step 5 | NaN |" in text
    assert "- Every cell is as it was." in text


def test_there_is_no_total():
    assert "total" not in shown(TABLE).lower()


def test_seconds_and_prices_of_a_busy_machine_are_not_shown():
    busy = dataclasses.replace(
        CELL, mistake="ten_batch_sizes", kind="costs time", extra_seconds=13.14, disturbed=True
    )
    price = dataclasses.replace(TABLE.prices[0], disturbed=True)
    text = " ".join(shown(dataclasses.replace(TABLE, cells=(busy, SWITCHED), prices=(price,))).split())
    assert "busy: other work used the machine" in text
    assert "Its price is not known: other work used the machine." in text
    assert "13.1" not in text
    assert "1.30" not in text
