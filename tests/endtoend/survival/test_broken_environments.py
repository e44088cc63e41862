"""A framework that does not import, and environments that lost their packages: out with the reason, the others go on."""

from __future__ import annotations

import json
import shutil
import sys
import venv
from pathlib import Path

import pytest

from trivet import catalog
from trivet.environments import cache
from trivet.environments.plan import plan_for
from trivet.model.environment import Environment
from trivet_command import EXTENSIONS, trivet


def copy_of_numpy(extensions: Path, name: str) -> None:
    """Make a further framework that is numpy's copy."""
    folder = extensions / "frameworks" / name
    shutil.copytree(EXTENSIONS / "frameworks" / "numpy", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*folder.rglob("*.py"), *folder.rglob("*.toml")):
        path.write_text(path.read_text().replace("frameworks.numpy", f"frameworks.{name}"))
        if path.stem == "model_numpy":
            path.rename(path.with_stem(f"model_{name}"))


def interpreter_with(folder: Path, package: str) -> Path:
    """Return an interpreter like this one, whose numpy is the text of a package that comes first."""
    (folder / "numpy").mkdir(parents=True)
    (folder / "numpy" / "__init__.py").write_text(package)
    wrapper = folder / "python"
    wrapper.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    wrapper.chmod(0o755)
    return wrapper


def environment_without_packages(name: str) -> Path:
    """Mark an environment as whole that has nothing in it: what an upgrade of the system's Python leaves."""
    plan = plan_for(catalog.framework(name), version=None, accelerator="cpu")
    folder = cache.folder_of(plan)
    venv.create(folder, with_pip=False)
    packages = {"numpy": "2.0.0"}
    environment = Environment(
        plan=plan, python=str(cache.python_of(folder)), own=False, packages=packages, installer="uv", source="index"
    )  # fmt: skip
    cache.write(folder, environment)
    return folder


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """Return variables and options for frameworks of which one is sound, one does not import, one has lost its packages."""
    extensions = tmp_path / "extensions"
    for name in ("harmed", "emptied"):
        copy_of_numpy(extensions, name)
    variables = {
        "TRIVET_CACHE": str(tmp_path / "cache"),
        "TRIVET_EXTENSIONS": f"{EXTENSIONS}:{extensions}",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    environment_without_packages("emptied")
    harmed = interpreter_with(
        tmp_path / "harmed", 'raise ImportError("libopenblas.so.0: cannot open shared object file")'
    )
    return variables, ("--python", f"numpy={sys.executable}", "--python", f"harmed={harmed}")


def compare(broken, *contestants: str):
    variables, options = broken
    result = trivet(
        *("compare", "linear", "-c", ",".join(contestants), "--quick", "--format", "json", *options),
        extensions=None,
        **variables,
    )
    shown = json.loads(result.stdout)
    return result, {one["contestant"]: one for one in shown["workloads"][0]["contestants"]}


def test_the_others_go_on(broken):
    result, contestants = compare(broken, "harmed:plain", "emptied:plain", "numpy:plain")
    assert result.returncode == 0, result.stderr
    assert contestants["numpy:plain"]["status"] in ("measured", "disturbed")
    for label, words in (
        ("harmed:plain", "libopenblas.so.0: cannot open shared object file"),
        ("emptied:plain", "No module named 'numpy'"),
    ):
        assert contestants[label]["status"] == "failed"
        assert words in contestants[label]["reason"]
    assert "Traceback" not in result.stderr


def test_where_nobody_is_left_it_says_what_repairs_it(broken):
    result, contestants = compare(broken, "harmed:plain", "emptied:plain")
    assert result.returncode == 3
    assert "trivet doctor" in result.stderr
    assert {one["status"] for one in contestants.values()} == {"failed"}
    variables, _ = broken
    shown = trivet("doctor", extensions=None, **variables)
    assert shown.returncode == 4
    assert "trivet env remove emptied-" in shown.stdout
