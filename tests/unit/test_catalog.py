import shutil

import pytest

from trivet import catalog
from trivet.errors import UsageError


def test_what_ships_is_found():
    assert {"torch", "tensorflow", "jax"} <= set(catalog.frameworks())
    assert list(catalog.workloads()) == ["linear", "mlp", "resnet18", "resnet50"]


def test_every_shipped_workload_is_native_in_all_three():
    for info in catalog.workloads().values():
        assert {"torch", "tensorflow", "jax"} <= set(info.models), info.name


@pytest.mark.parametrize(("name", "hint"), [("resnet81", "resnet18"), ("mpl", "mlp")])
def test_an_unknown_workload_names_the_nearest(name, hint):
    with pytest.raises(UsageError, match=f"Did you mean {hint}"):
        catalog.workload(name)


def test_an_extension_folder_adds_a_workload(tmp_path, monkeypatch):
    shutil.copytree(catalog.worker_folder() / "workloads" / "mlp", tmp_path / "workloads" / "mine")
    toml = tmp_path / "workloads" / "mine" / "workload.toml"
    toml.write_text(toml.read_text().replace("[names.mlp]", "[names.mine]"))
    monkeypatch.setenv("TRIVET_EXTENSIONS", str(tmp_path))
    assert catalog.workload("mine").folder == tmp_path / "workloads" / "mine"


def test_a_mistyped_key_is_named_with_the_nearest(tmp_path, monkeypatch):
    folder = tmp_path / "frameworks" / "mine"
    folder.mkdir(parents=True)
    source = catalog.worker_folder() / "frameworks" / "jax" / "framework.toml"
    (folder / "framework.toml").write_text(source.read_text().replace("variants", "varaints"))
    monkeypatch.setenv("TRIVET_EXTENSIONS", str(tmp_path))
    with pytest.raises(UsageError, match="Did you mean variants"):
        catalog.frameworks()


def test_broken_toml_is_named(tmp_path, monkeypatch):
    folder = tmp_path / "frameworks" / "mine"
    folder.mkdir(parents=True)
    (folder / "framework.toml").write_text("title = ")
    monkeypatch.setenv("TRIVET_EXTENSIONS", str(tmp_path))
    with pytest.raises(UsageError, match="not valid TOML"):
        catalog.frameworks()


def test_a_missing_extension_folder_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIVET_EXTENSIONS", str(tmp_path / "absent"))
    with pytest.raises(UsageError, match="not a folder"):
        catalog.frameworks()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("batch = 256", "", "the key 'batch' is missing"),
        ("batch = 256", 'batch = "many"', "batch is 'many'; expected a whole number"),
        ("batch = 256", "batch = true", "batch is True"),
        ('summary = "', "summary = 5 # ", "summary is 5; expected a text"),
        ("[names.mlp]", '[names."../up"]', "'../up' may hold"),
        ("[names.mlp]", "names = 7\n[other]", "names is 7|unknown key"),
    ],
)
def test_a_workload_table_of_another_shape_is_refused_by_key(tmp_path, monkeypatch, old, new, said):
    folder = tmp_path / "workloads" / "mine"
    shutil.copytree(catalog.worker_folder() / "workloads" / "mlp", folder)
    text = (folder / "workload.toml").read_text()
    assert old in text
    (folder / "workload.toml").write_text(text.replace(old, new))
    monkeypatch.setenv("TRIVET_EXTENSIONS", str(tmp_path))
    with pytest.raises(UsageError, match=said):
        catalog.workloads()


def test_a_table_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    (tmp_path / "workloads" / "mine" / "workload.toml").mkdir(parents=True)
    monkeypatch.setenv("TRIVET_EXTENSIONS", str(tmp_path))
    with pytest.raises(UsageError, match="cannot be read"):
        catalog.workloads()
