import datetime as dt

import pytest

from trivet import catalog
from trivet.ecosystem.cited import facts
from trivet.errors import UsageError

GOOD = '[[fact]]\nclaim = "c"\nframework = "jax"\nvalue = "v"\ntext = "t"\nsource = "https://a.example"\ndated = 2026-01-01\nexpires = 2027-01-01\n'


def test_every_fact_has_source_date_and_expiry():
    found = facts()
    assert found
    for fact in found:
        assert fact.framework in catalog.frameworks()
        assert fact.claim.startswith("ecosystem.")
        assert fact.strength == "cited"
        assert fact.source.startswith("https://")
        assert dt.date.fromisoformat(fact.dated).isoformat() < (fact.expires or "")


def test_a_fact_is_stale_from_its_expiry(tmp_path):
    (tmp_path / "a.toml").write_text(GOOD)
    (fact,) = facts(tmp_path)
    assert not fact.is_stale("2026-12-31")
    assert fact.is_stale("2027-01-01")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + GOOD, "which another fact does too"),
        (GOOD.replace("source =", "sauce ="), "unknown key 'sauce'"),
        (GOOD.replace('text = "t"\n', ""), "the key 'text' is missing"),
        (GOOD.replace("https://a.example", "hearsay"), "source is 'hearsay'"),
        (GOOD.replace("2027", "2025"), "not after dated"),
        (GOOD.replace("2026-01-01", '"soon"'), "expected a date"),
        ("[[fact]\n", "line 1"),
    ],
)
def test_damage_is_reported_with_the_file(tmp_path, text, said):
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        facts(tmp_path)
    assert "a.toml" in caught.value.message
    assert said in caught.value.message
