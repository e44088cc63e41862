from pathlib import Path

import pytest

from made_up import MACHINE
from trivet.errors import StoreError
from trivet.model.contestant import parse_contestant
from trivet.model.question import Question
from trivet.store.events import Finished
from trivet.store.listing import listing, remove
from trivet.store.locate import locate
from trivet.store.run import Run


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path / "runs"))
    return tmp_path / "runs"


def new() -> Run:
    question = Question(workloads=("mlp",), contestants=(parse_contestant("torch:eager"),))
    run = Run.create(question, MACHINE)
    run.close()
    return run


def named(run: Run, name: str) -> Path:
    return run.folder.rename(run.folder.parent / name)


def test_by_folder_by_id_by_a_part_of_it_and_last() -> None:
    older = named(new(), "20260101-000000-aaaa")
    newer = named(new(), "20260102-000000-bbbb")
    assert locate(older) == older
    assert locate("20260101-000000-aaaa") == older
    assert locate("aaaa") == older
    assert locate("20260102") == newer
    assert locate("last") == newer
    assert locate("last~0") == newer
    assert locate("last~1") == older
    with pytest.raises(StoreError, match=r"There is no run last~2: .* holds 2"):
        locate("last~2")


def test_a_part_that_several_runs_share_names_them() -> None:
    named(new(), "20260101-000000-aaaa")
    named(new(), "20260102-000000-bbbb")
    with pytest.raises(StoreError, match=r"fits 2 runs: .*aaaa.*bbbb"):
        locate("2026010")


@pytest.mark.parametrize("where", ["last", "nowhere", "/nowhere/at/all"])
def test_there_is_none(where: str) -> None:
    with pytest.raises(StoreError, match="There is no run") as caught:
        locate(where)
    assert "trivet" in caught.value.remedy


def test_a_listing_shows_all_and_a_damaged_one_hides_no_other(runs: Path) -> None:
    assert listing() == []
    good, bad = new(), new()
    with Run.open(good.folder, writable=True) as run:
        run.append(Finished())
    (bad.folder / "run.json").write_text("{")
    (runs / "stray").mkdir()
    (runs / ".unfinished").mkdir()
    found = {one.run: one for one in listing()}
    assert set(found) == {good.id, bad.id}
    assert found[good.id].workloads == ("mlp",)
    assert found[good.id].contestants == ("torch:eager",)
    assert found[good.id].complete
    assert not found[good.id].problem
    assert "not valid JSON" in found[bad.id].problem


def test_remove(runs: Path) -> None:
    gone, kept = new(), new()
    assert remove(gone.id) == gone.folder
    assert not gone.folder.exists()
    assert kept.folder.exists()


def test_a_run_in_use_is_not_removed() -> None:
    run = new()
    with Run.open(run.folder, writable=True), pytest.raises(StoreError, match="Another process"):
        remove(run.id)
    assert run.folder.exists()


@pytest.mark.parametrize("nothing", ["", " ", "\t"])
def test_an_empty_name_means_no_run(nothing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = new()
    monkeypatch.chdir(run.folder)  # where the empty path would be a run
    for find in (locate, remove, Run.open):
        with pytest.raises(StoreError, match="No run is named"):
            find(nothing)
    assert run.folder.is_dir()


@pytest.mark.parametrize("part", ["0", "-", "aaaa", "01-000", "20260", "0101-000000"])
def test_a_small_or_middle_part_of_an_id_removes_nothing(part: str) -> None:
    only = named(new(), "20260101-000000-aaaa")
    assert locate(part) == only
    with pytest.raises(StoreError, match="too little"):
        remove(part)
    assert only.is_dir()


@pytest.mark.parametrize("name", ["20260101-000000-aaaa", "202601", "0-aaaa", "last"])
def test_a_run_is_removed_by_its_id_its_ends_and_last(name: str) -> None:
    only = named(new(), "20260101-000000-aaaa")
    assert remove(name) == only
    assert not only.exists()
