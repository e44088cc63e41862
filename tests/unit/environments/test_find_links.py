from __future__ import annotations

import sys

import pytest
from packaging.requirements import Requirement

from trivet.environments.find_links import cpu_wheel

TAG = "cp{}{}".format(*sys.version_info[:2])


def wheel(folder, version="2.13.0+cpu", python=TAG, name="torch", platform="any"):
    path = folder / f"{name}-{version}-{python}-{'none' if platform == 'any' else python}-{platform}.whl"
    path.write_text("")
    return path


@pytest.mark.parametrize("prefix", ["", "file://"])
def test_a_fitting_wheel_is_found(tmp_path, prefix):
    path = wheel(tmp_path)
    found = cpu_wheel(Requirement("torch==2.13.0"), ["https://wheels.example/", f"{prefix}{tmp_path}"])
    assert found is not None
    assert (found.path, found.version) == (path, "2.13.0+cpu")


@pytest.mark.parametrize(
    "other",
    [
        {"version": "2.12.0+cpu"},
        {"version": "2.13.0"},
        {"version": "2.13.0+cu130"},
        {"python": "cp39"},
        {"platform": "win_amd64"},
        {"name": "torchvision"},
    ],
)
def test_a_wheel_that_does_not_fit_is_left(tmp_path, other):
    wheel(tmp_path, **other)
    assert cpu_wheel(Requirement("torch==2.13.0"), [str(tmp_path)]) is None


def test_the_newest_of_several_is_taken(tmp_path):
    for version in ("2.9.0+cpu", "2.13.0+cpu", "2.10.1+cpu"):
        wheel(tmp_path, version=version)
    found = cpu_wheel(Requirement("torch"), [str(tmp_path)])
    assert found is not None
    assert found.version == "2.13.0+cpu"


def test_strange_files_and_missing_folders_are_passed_over(tmp_path):
    (tmp_path / "torch.whl").write_text("")
    (tmp_path / "torch-not-a-version-at-all.whl").write_text("")
    assert cpu_wheel(Requirement("torch"), [str(tmp_path), str(tmp_path / "gone")]) is None
