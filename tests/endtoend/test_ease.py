"""Planted mistakes in the real frameworks, against the table that comes with trivet."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from trivet.ease import results
from trivet.ease.planted import families, mistakes
from trivet.ease.selection import choose_mistakes, choose_variants
from trivet.ease.table import run_table
from trivet.folders import environments_folder
from trivet.model.ease import EaseResult
from trivet.store import codec
from trivet_command import trivet

pytestmark = pytest.mark.real

SHIPPED = results.shipped()


def table(text: str) -> EaseResult:
    return codec.decode_ease(codec.parse(text, "the output"), "the output")


def same_as_shipped(found: EaseResult) -> None:
    """Raise if a cell differs from the shipped one, and both were run with the same versions."""
    for variant, versions in found.versions.items():
        assert versions == SHIPPED.versions[variant], (
            "the pins have moved: run `trivet ease`, and ship its table"
        )
    assert found.alarms == ()
    assert [f"{one.before} -> {one.after}" for one in results.changes(SHIPPED, found)] == []


def test_two_mistakes_per_framework_are_as_shipped():
    variants = ["torch:eager", "tensorflow:graph", "jax:jit"]
    chosen = [part for name in variants for part in ("--variant", name)]
    result = trivet("ease", *chosen, "--mistake", "M2c,M11b", "--no-switch", "--again", "--format", "json")
    assert result.returncode == 0, result.stderr
    found = table(result.stdout)
    assert len(found.cells) == 6
    assert {cell.kind for cell in found.cells} == {"located", "meant", "corrected"}
    same_as_shipped(found)


@pytest.mark.full
def test_a_switch_is_tried_on_the_correct_program_too():
    result = trivet("ease", "--variant", "jax:jit", "--mistake", "M15a", "--format", "json")
    assert result.returncode == 0, result.stderr
    found = table(result.stdout)
    assert {cell.switch: cell.kind for cell in found.cells} == {"": "silent", "rank_promotion": "located"}
    same_as_shipped(found)


def test_an_interrupted_table_goes_on(tmp_path):
    """The first program is done, the second is begun; Ctrl-C; the same command does not run the first again."""
    (tmp_path / "environments").symlink_to(environments_folder())
    command = [sys.executable, "-m", "trivet", "ease", "--variant", "torch:eager", "--mistake", "M8a,M8b,M12"]
    command += ["--jobs", "1", "--no-switch", "--format", "json"]
    variables = {**os.environ, "TRIVET_CACHE": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=variables
    ) as process:
        assert process.stderr is not None
        assert "1 of 4: torch:eager, nothing planted" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "goes on from here" in rest
    again = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=variables)
    assert again.returncode == 0, again.stderr
    assert "nothing planted" not in again.stderr
    assert re.search(r"1 of [123]: ", again.stderr)
    assert [cell.kind for cell in table(again.stdout).cells] == ["silent", "meant", "silent"]


@pytest.mark.full
@pytest.mark.timeout(3 * 3600)
def test_the_whole_table_is_as_shipped_twice():
    known = mistakes()
    for _ in range(2):
        found = run_table(
            choose_variants([], families()),
            choose_mistakes([], known),
            switches=True,
            jobs=2,
            again=True,
            say=print,
        )
        same_as_shipped(found)
        assert not [cell for cell in found.cells if cell.kind == "not run"]


def test_the_shipped_table_is_whole_and_no_correct_twin_was_warned_about():
    labels = [label for family in families().values() for label in family.variants]
    made = {(cell.mistake, cell.variant) for cell in SHIPPED.cells if not cell.switch}
    assert made == {(mistake, label) for mistake in mistakes() for label in labels}
    assert not [cell for cell in SHIPPED.cells if cell.kind == "not run"]
    assert SHIPPED.alarms == ()
