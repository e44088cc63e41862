"""The frameworks' own releases: cadence, age, Pythons and systems, kept for when the index is out of reach."""

import time

import pytest

from trivet import catalog
from trivet.ecosystem import releases
from trivet.ecosystem.asking import File
from trivet.ecosystem.evidence import of_upkeep
from trivet.ecosystem.releases import Upkeep, pythons, systems, upkeeps


def wheels(*tags):
    return [File(place=f"lib-1.0-{tag}.whl", uploaded="") for tag in tags]


def ask(*names, **options):
    return upkeeps([catalog.framework(name) for name in names], python="3.11", **options)


def test_pythons_and_systems_are_read_from_file_names():
    files = wheels(
        "cp311-cp311-manylinux_2_28_x86_64",
        "cp312-cp312-macosx_12_0_arm64",
        "cp313-cp313t-win_amd64",
        "cp310-cp310-macosx_11_0_universal2",
    )
    assert pythons(files) == ("3.10", "3.11", "3.12")  # a free-threaded build is not counted
    assert systems(files) == ("Linux x86_64", "macOS arm64", "macOS x86_64", "Windows x86_64")
    assert pythons(wheels("py3-none-any")) == ("any",)
    assert systems(wheels("py3-none-any")) == ("any",)
    assert pythons(wheels("cp39-abi3-win_amd64")) == ("any",)
    assert systems([File(place="lib-1.0.tar.gz", uploaded="")]) == ()


def test_cadence_and_age(index):
    for version, day in (
        ("2.0", "2026-01-10"),
        ("2.1", "2026-03-11"),
        ("2.2", "2026-04-10"),
        ("2.3", "2026-07-09"),
    ):
        index.add("tensorflow", version, uploaded=day, tag="cp311-cp311-manylinux_2_17_x86_64")
    (found,) = ask("tensorflow")
    assert found.version == "2.3"
    assert [version for version, _ in found.releases] == ["2.3", "2.2", "2.1", "2.0", "1.0"]
    assert found.days_between == pytest.approx(75.0)  # the median of 90, 30, 60 and, to 1.0 of October, 264
    assert found.age_days("2026-07-19") == 10
    assert (found.pythons, found.systems) == (("3.11",), ("Linux x86_64",))
    assert found.source_package == "tensorflow"


def test_a_pure_framework_is_as_wide_as_its_binary_part(index):
    index.add("jaxlib", "2.0", tag="cp312-cp312-manylinux_2_28_aarch64")
    index.add("jax", "2.0", needs=["jaxlib"])
    (found,) = ask("jax")
    assert found.source_package in ("jaxlib", "jax")
    assert found.systems == ("Linux aarch64",)


def test_undated_releases_leave_the_cadence_open(index):
    for version in ("2.0", "2.1", "2.2"):
        index.add("torch", version, uploaded="")
    (found,) = ask("torch")
    assert found.days_between is None
    assert found.age_days("2026-12-01") is None
    assert "does not tell when 2.2" in found.problem
    pieces = {piece.claim: piece for piece in of_upkeep(found, "PyTorch")}
    assert pieces["ecosystem.upkeep.age"].value is None
    assert "does not tell" in pieces["ecosystem.upkeep.age"].text


def test_no_more_than_so_many_releases_are_asked_for(index):
    for minor in range(12):
        index.add("torch", f"3.{minor}")
    (found,) = ask("torch")
    assert len(found.releases) == releases.LOOKED_BACK


def test_answers_are_kept_and_shown_with_their_age(index):
    live = ask("torch", "jax")
    assert [(one.version, one.kept) for one in live] == [("1.0", False), ("1.0", False)]
    offline = ask("torch", "jax", offline=True)
    assert [(one.version, one.kept, one.asked) for one in offline] == [
        ("1.0", True, one.asked) for one in live
    ]
    index.status = 503
    lost = ask("torch")[0]
    assert (lost.version, lost.kept) == ("1.0", True)
    assert "cannot be reached" in lost.problem


def test_without_an_answer_nothing_is_guessed(index):
    (found,) = ask("torch", offline=True)
    assert (found.version, found.releases, found.asked) == ("", (), "")
    assert found.problem == "Nothing is kept of an earlier answer, and trivet was told to stay offline."
    assert all(piece.value is None for piece in of_upkeep(found, "PyTorch"))


def test_an_index_known_to_be_lost_is_not_asked_again(index):
    index.status = 503
    started = time.monotonic()
    found = ask("torch", "tensorflow", "jax", lost=True)
    assert time.monotonic() - started < 5
    assert {one.version for one in found} == {""}
    assert all("cannot be reached" in one.problem for one in found)


def test_evidence_of_upkeep_has_source_date_and_expiry():
    upkeep = Upkeep(
        framework="jax",
        version="0.10.2",
        releases=(("0.10.2", "2026-10-02"), ("0.10.1", "2026-09-02"), ("0.10.0", "2026-08-01")),
        days_between=31.0,
        pythons=("3.11", "3.12"),
        systems=("Linux x86_64",),
        source_package="jaxlib",
        asked="2026-12-01",
    )
    found = {piece.claim.removeprefix("ecosystem.upkeep."): piece for piece in of_upkeep(upkeep, "JAX")}
    assert (found["age"].value, found["age"].unit) == (60, "days")
    assert (found["cadence"].value, found["cadence"].n) == (31.0, 3)
    assert found["wheels.python"].value == "3.11, 3.12"
    assert found["wheels.systems"].text == "JAX's newest release has wheels for Linux x86_64."
    for piece in found.values():
        assert (piece.strength, piece.dated, piece.expires) == ("asked", "2026-12-01", "2026-12-31")
        assert piece.framework == "jax"
        assert "asked 2026-12-01" in piece.source
