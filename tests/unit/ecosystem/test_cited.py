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


@pytest.mark.parametrize(
    ("family", "words", "values"),
    [
        (
            "abilities",
            {
                "higher_order",
                "tpu",
                "distributed_sharding",
                "serving_batching",
                "windows_gpu",
                "keras_api",
                "mobile_runtime",
            },
            {"native", "experimental", "by library", "none"},
        ),
        ("targets", {"server", "phone", "browser", "cpp", "edge"}, {"native", "by conversion", "none"}),
    ],
)
def test_facts_that_trees_look_for_use_the_agreed_words(family, words, values):
    found = [fact for fact in facts() if fact.claim.startswith(f"ecosystem.{family}.")]
    assert {fact.claim.rsplit(".", 1)[1] for fact in found} == words
    assert {fact.value for fact in found} <= values


def test_two_facts_do_not_contradict_each_other():
    found = {(fact.claim, fact.framework): fact for fact in facts()}
    for framework in ("tensorflow", "jax"):
        assert found["ecosystem.changes.windows_gpu", framework].value == "WSL2 only"
        assert found["ecosystem.abilities.windows_gpu", framework].value == "none"
    for framework in ("torch", "tensorflow", "jax"):
        phone = found["ecosystem.targets.phone", framework].value
        assert (phone == "native") == (
            found["ecosystem.abilities.mobile_runtime", framework].value == "native"
        )
