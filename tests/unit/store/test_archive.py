import shutil
import zipfile
from pathlib import Path

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.errors import DiskError, StoreError
from trivet.store.archive import zip_run
from trivet.store.events import Noted
from trivet.store.run import Run


def test_a_zipped_run_concludes_the_same_elsewhere(tmp_path: Path) -> None:
    run = made_up_run(tmp_path / "here")
    (run.logs / "deep").mkdir()
    (run.logs / "deep" / "a.txt").write_text("log")
    expected = conclude(run)
    target = zip_run(run, tmp_path)
    assert target == tmp_path / f"{run.id}.zip"
    shutil.rmtree(tmp_path / "here")
    read = Run.open(target)
    assert conclude(read) == expected
    assert read.read_log("logs/deep/a.txt") == "log"
    assert read.read_log("logs/none.txt") is None


def test_its_members_are_relative_and_the_lock_stays_behind(tmp_path: Path) -> None:
    run = made_up_run(tmp_path / "here")
    with zipfile.ZipFile(zip_run(run, tmp_path / "mail.zip")) as archive:
        assert sorted(archive.namelist()) == [f"{run.id}/events.jsonl", f"{run.id}/run.json"]


def test_one_zipped_by_hand_without_its_folder_will_do(tmp_path: Path) -> None:
    run = made_up_run(tmp_path / "here")
    path = shutil.make_archive(str(tmp_path / "flat"), "zip", run.folder)
    assert Run.open(path).events == run.events


def test_a_zip_is_read_only(tmp_path: Path) -> None:
    run = made_up_run(tmp_path / "here")
    target = zip_run(run, tmp_path)
    with pytest.raises(StoreError, match="zip file"):
        Run.open(target, writable=True)
    with pytest.raises(StoreError, match="opened for reading"):
        Run.open(target).append(Noted(text="no"))
    with pytest.raises(StoreError, match="already"):
        zip_run(Run.open(target), tmp_path)


def test_a_zip_cut_off_on_its_way(tmp_path: Path) -> None:
    target = zip_run(made_up_run(tmp_path / "here"), tmp_path)
    target.write_bytes(target.read_bytes()[:-200])
    with pytest.raises(StoreError, match="cannot be read as a zip file"):
        Run.open(target)


def test_a_zip_of_something_else(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(StoreError, match="is no run"):
        Run.open(tmp_path / "x.zip")


def test_a_target_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    run = made_up_run(tmp_path / "here")
    with pytest.raises(DiskError, match="cannot be written"):
        zip_run(run, tmp_path / "no" / "such" / "folder.zip")


def test_a_zip_with_a_damaged_member(tmp_path: Path) -> None:
    target = zip_run(made_up_run(tmp_path / "here"), tmp_path)
    data = bytearray(target.read_bytes())
    data[400:460] = bytes(60)
    target.write_bytes(data)
    with pytest.raises(StoreError, match="cannot be read as a zip file"):
        Run.open(target)


def test_links_are_not_followed(tmp_path: Path) -> None:
    run = made_up_run(tmp_path / "here")
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "key").write_text("secret")
    (run.logs / "real.txt").write_text("log")
    (run.logs / "file.txt").symlink_to(tmp_path / "private" / "key")
    (run.logs / "folder").symlink_to(tmp_path / "private")
    (run.folder / "report.html").symlink_to(tmp_path / "private" / "key")
    with zipfile.ZipFile(zip_run(run, tmp_path / "mail.zip")) as archive:
        names = sorted(name.removeprefix(f"{run.id}/") for name in archive.namelist())
    assert names == ["events.jsonl", "logs/real.txt", "run.json"]
