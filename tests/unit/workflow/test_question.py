"""Python refuses what the command line refuses, in its words, before anything is stored."""

from pathlib import Path

import pytest

import trivet
from trivet.errors import UsageError


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("--batch is '8'; it must be a whole number", {"batch": "8"}),
        ("--batch is True; it must be a whole number", {"batch": True}),
        ("--batch is 8.5; it must be a whole number", {"batch": 8.5}),
        ("--threads is 1.5; it must be a whole number", {"threads": 1.5}),
        ("--seed is None; it must be a whole number", {"seed": None}),
        ("--budget is '1'; it must be a number", {"budget": "1"}),
        ("--budget is nan minutes", {"budget": float("nan")}),
        ("--margin is None; it must be a number", {"margin": None}),
        ("--margin is True; it must be a number", {"margin": True}),
        ("--device is None; it must be a text", {"device": None}),
        ("--precision is 32; it must be a text", {"precision": 32}),
        ("--contestants holds 1; it must be a text", {"contestants": [1]}),
        ("--contestants is 1; it must be a list", {"contestants": 1}),
        (r"python is \['torch'\]; it must be a dictionary", {"python": ["torch"]}),
        ("--quick is 'no'; it must be True or False", {"quick": "no"}),
        ("--largest-batch is 1; it must be True or False", {"largest_batch": 1}),
    ],
)
def test_values_of_other_types(tmp_path: Path, words: str, asked: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=words):
        trivet.compare("mlp", **asked)  # type: ignore[arg-type]
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("workload", [["mlp"], 3, None])
def test_a_workload_is_a_text(workload: object) -> None:
    with pytest.raises(UsageError, match=r"workloads holds .*; it must be a text"):
        trivet.compare(workload)  # type: ignore[arg-type]


@pytest.mark.parametrize("where", [None, 3, b"last"])
def test_a_run_is_named_by_a_text_or_a_path(where: object) -> None:
    with pytest.raises(UsageError, match="it must be a text or a path") as caught:
        trivet.open(where)  # type: ignore[arg-type]
    assert caught.value.__notes__
