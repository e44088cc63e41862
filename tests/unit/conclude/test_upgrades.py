"""Should I upgrade? Answered on made-up runs of known truth."""

from pathlib import Path
from typing import Any

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.console.table import render_text
from trivet.model.measurement import Failure
from trivet.report.build import render

OLD, NEW = "jax:jit@0.9.2", "jax:jit@0.10.2"


def headline(folder: Path, speeds: dict[str, float], **shape: Any) -> str:
    run = made_up_run(folder, speeds=speeds, workloads=["mlp"], process_sd=0.01, **shape)
    return conclude(run).workloads[0].headline


@pytest.mark.parametrize(
    ("old", "new", "generations", "expected"),
    [
        (100.0, 155.0, 4, "Yes: 0.10.2 is faster by 1.5"),
        (155.0, 100.0, 4, "Not for speed: 0.10.2 is slower, at 0.6"),
        (100.0, 100.0, 12, "As you like: no practical difference in speed, at "),
        (100.0, 107.0, 3, "Undecided as to speed, at 1.0"),
    ],
)
def test_the_answer_follows_the_truth(
    tmp_path: Path, old: float, new: float, generations: int, expected: str
) -> None:
    text = headline(tmp_path, {OLD: old, NEW: new, "torch:eager": 80.0}, generations=generations)
    assert f"Upgrade jax:jit from 0.9.2 to 0.10.2? {expected}" in text
    assert "; cold start-up " in text
    assert "; warm start-up " in text
    assert " MiB against " in text
    assert text.endswith("both compute the same.")


def test_the_newer_one_is_told_by_its_version_not_by_its_place(tmp_path: Path) -> None:
    # As text, "0.10.2" comes before "0.9.2".
    assert "from 0.9.2 to 0.10.2?" in headline(tmp_path, {NEW: 150.0, OLD: 100.0})


def test_the_pinned_version_counts_as_well(tmp_path: Path) -> None:
    assert "from 0.9.2 to 0.10.2?" in headline(tmp_path, {"jax:jit": 150.0, OLD: 100.0})


def test_of_three_versions_each_older_one_is_set_against_the_newest(tmp_path: Path) -> None:
    text = headline(tmp_path, {OLD: 100.0, NEW: 150.0, "jax:jit@0.8.0": 90.0})
    assert text.count("Upgrade jax:jit from") == 2
    assert "from 0.8.0 to 0.10.2?" in text


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ({"unequal": [NEW]}, "Not before you know why: the parity gate found a difference in 0.10.2."),
        (
            {"failures": {NEW: Failure(status="failed", stage="start", message="It broke.")}},
            "That cannot be said: 0.10.2 has no result (failed).",
        ),
        ({"generations": 1, "quick": True}, "Yes: 0.10.2 is faster by "),
    ],
)
def test_what_cannot_be_said(tmp_path: Path, shape: dict[str, Any], expected: str) -> None:
    text = headline(tmp_path, {OLD: 100.0, NEW: 180.0, "torch:eager": 80.0}, **shape)
    assert expected in text
    assert ("provisionally;" in text) == ("quick" in shape)


def test_other_contestants_are_no_upgrades(tmp_path: Path) -> None:
    assert "Upgrade" not in headline(tmp_path, {"torch:eager": 80.0, "torch:eager#2": 80.0, "jax:jit": 90.0})


def test_table_and_page_say_it(tmp_path: Path) -> None:
    result = conclude(made_up_run(tmp_path, speeds={OLD: 100.0, NEW: 150.0}, workloads=["mlp"]))
    assert "Upgrade jax:jit from 0.9.2 to 0.10.2? Yes" in " ".join(render_text(result).split())
    assert "Upgrade jax:jit from 0.9.2 to 0.10.2? Yes" in render(result)
