"""What may be wrong with a contestant, all in one comparison: each is measured or out with its reason, none stops it.

One has a loss that becomes NaN; one prints megabytes, forks, and leaves a child behind; one's framework does not import; one's
environment has lost its packages.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
import venv
from pathlib import Path

import pytest

from background import start
from trivet import catalog
from trivet.environments import cache
from trivet.environments.plan import plan_for
from trivet.model.environment import Environment
from trivet_command import EXTENSIONS, trivet

CONTESTANTS = ("harmed:plain", "numpy:diverging", "emptied:plain", "numpy:unruly")


def copy_of_numpy(extensions: Path, name: str) -> None:
    """Make a further framework that is numpy's copy."""
    folder = extensions / "frameworks" / name
    shutil.copytree(EXTENSIONS / "frameworks" / "numpy", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*folder.rglob("*.py"), *folder.rglob("*.toml")):
        path.write_text(path.read_text().replace("frameworks.numpy", f"frameworks.{name}"))
        if path.stem == "model_numpy":
            path.rename(path.with_stem(f"model_{name}"))


def interpreter_with(folder: Path, package: str) -> Path:
    """Return an interpreter like this one, which finds a numpy of this text before its own."""
    (folder / "numpy").mkdir(parents=True)
    (folder / "numpy" / "__init__.py").write_text(package)
    wrapper = folder / "python"
    wrapper.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    wrapper.chmod(0o755)
    return wrapper


def environment_without_packages(name: str) -> None:
    """Mark an environment as whole that has nothing in it: what an upgrade of the system's Python leaves."""
    plan = plan_for(catalog.framework(name), version=None, accelerator="cpu")
    folder = cache.folder_of(plan)
    venv.create(folder, with_pip=False)
    environment = Environment(
        plan=plan,
        python=str(cache.python_of(folder)),
        own=False,
        packages={"numpy": "2.0.0"},
        installer="uv",
        source="index",
    )
    cache.write(folder, environment)


def marked(text: str) -> set[int]:
    """Return the processes that were started with this text in a variable, whoever their parent is by now."""
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state = (path / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
            if state != "Z" and text.encode() in (path / "environ").read_bytes():
                found.add(int(path.name))
        except OSError:
            continue
    return found


def left_behind(pids: set[int]) -> set[int]:
    """Return those of them whose parent and whose session's leader are none of them."""
    found = set()
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        parent, session = int(fields[1]), int(fields[3])
        if parent not in pids and session not in pids:
            found.add(pid)
    return found


class Finished:
    """A comparison, and what was seen while it ran."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.runs = folder / "runs"
        self.variables = {**variables, "TRIVET_RUNS": str(self.runs)}
        harmed = interpreter_with(folder / "harmed", 'raise ImportError("libblas.so.0: cannot open it")')
        options = ("--python", f"numpy={sys.executable}", "--python", f"harmed={harmed}")
        process = start(
            self.runs, "--quick", "--format", "json", *options, contestants=CONTESTANTS, **variables
        )
        self.left_behind: set[int] = set()
        while process.poll() is None:
            self.left_behind |= left_behind(marked(str(self.runs)))
            time.sleep(0.2)
        output, self.errors = process.communicate()
        assert process.returncode == 0, self.errors
        (workload,) = json.loads(output)["workloads"]
        self.contestants = {one["contestant"]: one for one in workload["contestants"]}

    def command(self, *arguments: str):
        """Return a command's process, ended, with the same variables."""
        return trivet(*arguments, extensions=None, **self.variables)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("contestants")
    for name in ("harmed", "emptied"):
        copy_of_numpy(folder / "extensions", name)
    variables = {
        "TRIVET_CACHE": str(folder / "cache"),
        "TRIVET_EXTENSIONS": f"{EXTENSIONS}:{folder / 'extensions'}",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        environment_without_packages("emptied")
    return Finished(folder, variables)


def test_a_loss_that_becomes_nan_is_said_wherever_it_is_ranked(finished):
    diverging = finished.contestants["numpy:diverging"]
    assert "not_finite" in {flag["code"] for flag in diverging["flags"]}
    assert "not_finite" not in {flag["code"] for flag in finished.contestants["numpy:unruly"]["flags"]}
    assert diverging["loss"]["losses"][-1] is None
    assert diverging["loss"]["falls"] is False
    assert "Its loss does not fall" in diverging["reason"]
    for form in ("table", "markdown"):
        shown = " ".join(finished.command("report", "--format", form).stdout.split())
        assert "numpy:diverging: Its loss became NaN or infinite while it was timed" in shown


def test_one_that_prints_megabytes_is_measured(finished):
    unruly = finished.contestants["numpy:unruly"]
    assert unruly["status"] in ("measured", "disturbed")  # the latter where other work used the machine
    assert unruly["parity"]["equal"] is True
    assert unruly["startup_cold"]["value"] > 0
    (log,) = finished.runs.glob("*/logs/linear-0-numpy-unruly.txt")
    assert log.stat().st_size > 8_000_000
    assert sum(child["count"] for child in unruly["children"]) == 2


def test_the_child_that_it_leaves_behind_is_ended(finished):
    assert finished.left_behind, "no child was ever left behind, so this test shows nothing"
    assert not marked(str(finished.runs))


@pytest.mark.parametrize(
    ("label", "words"),
    [("harmed:plain", "libblas.so.0: cannot open it"), ("emptied:plain", "No module named 'numpy'")],
)
def test_one_whose_framework_does_not_import_is_out(finished, label, words):
    assert finished.contestants[label]["status"] == "failed"
    assert words in finished.contestants[label]["reason"]
    assert "Traceback" not in finished.errors


def test_the_doctor_knows_what_repairs_it(finished):
    shown = finished.command("doctor")
    assert shown.returncode == 4
    assert "trivet env remove emptied-" in shown.stdout


def test_where_nobody_is_left_the_doctor_is_named(finished):
    asked = ("compare", "linear", "-c", "emptied:plain", "--quick")
    alone = finished.command(*asked)
    assert alone.returncode == 3
    assert "No module named 'numpy'" in alone.stdout
    assert "trivet doctor" in alone.stderr
