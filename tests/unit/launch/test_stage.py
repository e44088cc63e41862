import dataclasses
import threading
from pathlib import Path

import pytest

from trivet import catalog
from trivet.launch.stage import stage
from trivet.model.catalog import FrameworkInfo, WorkloadInfo


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    root = tmp_path / "extension"
    framework = root / "frameworks" / "newcomer"
    (framework / "workloads" / "mlp").mkdir(parents=True)
    (framework / "adapter.py").write_text("# adapter\n")
    (framework / "__pycache__").mkdir()
    (framework / "__pycache__" / "adapter.cpython-311.pyc").write_bytes(b"\0")
    (framework / "workloads" / "mlp" / "model_newcomer.py").write_text("# model\n")
    family = root / "workloads" / "tiny"
    family.mkdir(parents=True)
    (family / "spec.py").write_text("# spec\n")
    return root


@pytest.fixture
def framework(extension: Path) -> FrameworkInfo:
    return dataclasses.replace(
        catalog.framework("torch"), name="newcomer", folder=extension / "frameworks" / "newcomer"
    )


@pytest.fixture
def workloads(extension: Path) -> list[WorkloadInfo]:
    mlp = catalog.workload("mlp")
    model = extension / "frameworks" / "newcomer" / "workloads" / "mlp" / "model_newcomer.py"
    tiny = dataclasses.replace(
        mlp, name="tiny", family="tiny", models={}, folder=extension / "workloads" / "tiny"
    )
    return [dataclasses.replace(mlp, models={**mlp.models, "newcomer": model}), tiny]


def test_extensions_are_merged_to_where_the_worker_looks(framework, workloads, tmp_path):
    staged = stage([framework], workloads, folder=tmp_path / "staged")
    package = staged.folder / "trivet_worker"
    assert (package / "protocol.py").read_bytes() == (catalog.worker_folder() / "protocol.py").read_bytes()
    assert (package / "frameworks" / "newcomer" / "adapter.py").is_file()
    assert (package / "workloads" / "mlp" / "model_newcomer.py").read_text() == "# model\n"
    assert (package / "workloads" / "mlp" / "spec.py").is_file()
    assert (package / "workloads" / "tiny" / "spec.py").is_file()
    assert staged.bootstrap == package / "bootstrap.py"


def test_only_sources_are_copied(framework, workloads, tmp_path):
    staged = stage([framework], workloads, folder=tmp_path / "staged")
    assert not [path for path in staged.folder.rglob("*") if path.suffix == ".pyc"]
    assert not list(staged.folder.rglob("__pycache__"))


def test_same_content_is_reused_and_other_content_is_not(framework, workloads, tmp_path):
    first = stage([framework], workloads, folder=tmp_path / "staged")
    marker = first.folder / "trivet_worker" / "__pycache__"
    marker.mkdir()
    assert stage([framework], workloads, folder=tmp_path / "staged") == first
    assert marker.is_dir()
    (framework.folder / "adapter.py").write_text("# changed\n")
    second = stage([framework], workloads, folder=tmp_path / "staged")
    assert second.digest != first.digest
    assert second.folder != first.folder
    assert (
        first.folder / "trivet_worker" / "frameworks" / "newcomer" / "adapter.py"
    ).read_text() == "# adapter\n"


def test_a_renamed_file_changes_the_hash(framework, workloads, tmp_path):
    first = stage([framework], workloads, folder=tmp_path / "staged")
    (framework.folder / "adapter.py").rename(framework.folder / "adaptor.py")
    assert stage([framework], workloads, folder=tmp_path / "staged").digest != first.digest


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text("half")])
def test_a_damaged_copy_is_made_again(framework, workloads, tmp_path, damage):
    staged = stage([framework], workloads, folder=tmp_path / "staged")
    damage(staged.folder / "trivet_worker" / "protocol.py")
    assert stage([framework], workloads, folder=tmp_path / "staged") == staged
    assert (staged.folder / "trivet_worker" / "protocol.py").read_bytes() == (
        catalog.worker_folder() / "protocol.py"
    ).read_bytes()


def test_two_at_once_end_with_one_whole_copy_and_nothing_else(framework, workloads, tmp_path):
    found = []
    threads = [
        threading.Thread(
            target=lambda: found.append(stage([framework], workloads, folder=tmp_path / "staged"))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1
    assert [path.name for path in (tmp_path / "staged").iterdir()] == [found[0].folder.name]


def test_default_place_is_the_cache(framework, workloads, tmp_path, monkeypatch):
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "cache"))
    assert stage([framework], workloads).folder.parent == tmp_path / "cache" / "staged"
