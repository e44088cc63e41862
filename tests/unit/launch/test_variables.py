import dataclasses
from pathlib import Path

import pytest

from trivet import catalog
from trivet.launch import variables


@pytest.fixture
def framework():
    return dataclasses.replace(
        catalog.framework("torch"),
        variables={"TORCH_THING": "1"},
        memory_variables={"PREALLOCATE": "false"},
        caches={"COMPILE_CACHE": "compile"},
    )


def test_harmful_variables_go_and_the_users_stay(framework):
    inherited = {
        "PYTHONHOME": "/other",
        "PYTHONSTARTUP": "x.py",
        "OMP_NUM_THREADS": "7",
        "HOME": "/home/user",
    }
    found = variables.effective(inherited, framework, own=False)
    assert found == {"OMP_NUM_THREADS": "7", "HOME": "/home/user", "TORCH_THING": "1"}


def test_later_groups_win(framework, tmp_path):
    inherited = {"TORCH_THING": "0", "COMPILE_CACHE": "/the/users"}
    found = variables.effective(
        inherited, framework, own=False, caches=tmp_path, extra={"PREALLOCATE": "false", "TORCH_THING": "2"}
    )
    assert found == {
        "TORCH_THING": "2",
        "COMPILE_CACHE": str(tmp_path / "compile"),
        "PREALLOCATE": "false",
    }


def test_without_private_caches_the_users_stay_in_force(framework):
    assert variables.effective({"COMPILE_CACHE": "/u"}, framework, own=False)["COMPILE_CACHE"] == "/u"


def test_pythonpath_is_kept_for_the_users_own_interpreter_alone(framework, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inherited = {"PYTHONPATH": "modules:/opt/modules"}
    assert "PYTHONPATH" not in variables.effective(inherited, framework, own=False)
    found = variables.effective(inherited, framework, own=True)["PYTHONPATH"]
    assert found == f"{Path.cwd()}/modules:/opt/modules"


def test_what_may_change_numbers_is_recorded_and_secrets_are_not(framework):
    found = variables.recorded(
        {
            "OMP_NUM_THREADS": "7",
            "XLA_FLAGS": "--x",
            "COMPILE_CACHE": "/c",
            "PREALLOCATE": "false",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "HF_TOKEN": "secret",
            "NVIDIA_API_KEY": "secret",
            "TF_VAR_database": "secret",
            "HOME": "/home/user",
        },
        framework,
    )
    assert list(found) == ["COMPILE_CACHE", "OMP_NUM_THREADS", "PREALLOCATE", "XLA_FLAGS"]
