import dataclasses
import pkgutil

import pytest

from trivet.ecosystem import needs as asking
from trivet.ecosystem.need import Need, Way
from trivet.evidence import sources
from trivet.evidence.gather import Asked, gather
from trivet.evidence.sources import facts as facts_source
from trivet.evidence.sources import needs as needs_source

TITLES = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}
ASKED = Asked(titles=TITLES, today="2026-12-01", offline=True)
TRANSFORMERS = Need(
    name="transformers",
    requirement="transformers",
    python="3.11",
    platform="",
    state="answered",
    version="5.3.0",
    ways=(Way(framework="torch", package="torch", extra="torch"),),
    extras_told=True,
    asked="2026-11-20",
    kept=True,
)
NOT_ASKED = dataclasses.replace(TRANSFORMERS, state="not asked", asked="", ways=(), version="", kept=False)


class Index:
    """Stands for the user's index: kept answers, those of today, and what was asked."""

    def __init__(self, kept: Need, fresh: Need | None = None) -> None:
        self.kept, self.fresh = kept, fresh
        self.asked: list[str] = []

    def needs(self, requirements, *, python, offline=False):
        if offline:
            return [dataclasses.replace(self.kept, requirement=text) for text in requirements]
        self.asked += requirements
        return [dataclasses.replace(self.fresh, requirement=text) for text in requirements]


@pytest.fixture
def index(monkeypatch):
    def install(kept: Need, fresh: Need | None = None) -> Index:
        made = Index(kept, fresh)
        monkeypatch.setattr(asking, "needs", made.needs)
        return made

    return install


def asked(**changes) -> Asked:
    return dataclasses.replace(ASKED, needs=("transformers",), offline=False, **changes)


def test_a_kept_answer_that_counts_is_not_asked_for_again(index):
    made = index(TRANSFORMERS)
    found = needs_source.evidence(asked())
    assert made.asked == []
    assert {piece.framework: piece.value for piece in found.evidence} == {
        "torch": "by extra",
        "tensorflow": "other",
        "jax": "other",
    }
    assert "kept on 2026-11-20" in found.notes[0]
    assert "`trivet needs transformers` asks anew" in found.notes[0]


@pytest.mark.parametrize("kept", [NOT_ASKED, dataclasses.replace(TRANSFORMERS, asked="2026-09-01")])
def test_what_is_not_kept_or_stale_is_asked_for_and_it_is_said(index, kept):
    said = []
    made = index(kept, dataclasses.replace(TRANSFORMERS, asked="2026-12-01", kept=False))
    found = needs_source.evidence(asked(report=said.append))
    assert made.asked == ["transformers"]
    assert said == ["asking your package index about transformers"]
    assert {piece.dated for piece in found.evidence} == {"2026-12-01"}
    assert found.notes == ()


def test_offline_nobody_is_asked(index):
    made = index(NOT_ASKED)
    found = needs_source.evidence(dataclasses.replace(asked(), offline=True))
    assert made.asked == []
    assert {piece.value for piece in found.evidence} == {None}
    assert "Of transformers nothing is known" in found.notes[0]


def test_without_needs_no_index_is_looked_for(monkeypatch):
    monkeypatch.setattr(asking, "needs", None)
    assert needs_source.evidence(ASKED).evidence == ()


def test_facts_are_dated_and_can_be_followed():
    found = facts_source.evidence(ASKED)
    assert found.evidence
    assert all(piece.source.startswith("https://") and piece.expires for piece in found.evidence)


def test_every_file_in_the_folder_is_asked_in_the_order_of_names():
    names = [module.name for module in pkgutil.iter_modules(sources.__path__)]
    assert {"facts", "needs", "runs"} <= set(names)
    found = gather(ASKED)
    assert [piece for piece in found.evidence if piece.strength == "cited"] == list(
        facts_source.evidence(ASKED).evidence
    )
    assert any("No stored run" in note for note in found.notes)
    assert len({piece.key for piece in found.evidence}) == len(found.evidence)
