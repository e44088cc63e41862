"""`trivet diff` as a user types it."""

import json
from pathlib import Path

import pytest

from made_up import made_up_run
from trivet_command import trivet


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "made"


def diff(runs: Path, *arguments: str):
    return trivet("diff", *arguments, TRIVET_RUNS=str(runs))


def test_the_last_two_runs_in_every_format(runs: Path) -> None:
    names = {made_up_run(runs, workloads=["mlp"], seed=seed).id for seed in (0, 1)}
    table = diff(runs)
    assert table.returncode == 0, table.stderr
    assert "What is not the same" not in table.stdout
    shown = json.loads(diff(runs, "last~1", "last", "--format", "json").stdout)
    assert {shown["before"], shown["after"]} == names
    markdown = diff(runs, shown["before"], shown["after"], "--format", "markdown")
    assert markdown.stdout.startswith(f"## From `{shown['before']}` to `{shown['after']}`")


def test_exit_code_1_where_parity_withholds(runs: Path) -> None:
    before = made_up_run(runs, workloads=["mlp"], unequal=["jax:jit"])
    after = made_up_run(runs, workloads=["mlp"])
    result = diff(runs, before.id, after.id)
    assert result.returncode == 1
    assert "NOT EQUAL" in result.stdout


def test_exit_code_3_where_nothing_is_in_common(runs: Path) -> None:
    before = made_up_run(runs, workloads=["mlp"], speeds={"torch:eager": 80.0})
    after = made_up_run(runs, workloads=["mlp"], speeds={"jax:jit": 90.0})
    result = diff(runs, before.id, after.id)
    assert result.returncode == 3
    assert "have no workload with a contestant in common" in result.stderr


def test_exit_code_3_says_why_speeds_cannot_be_compared(runs: Path) -> None:
    speeds = {"torch:eager": 80.0, "jax:jit": 90.0}
    before = made_up_run(runs, workloads=["mlp"], speeds=speeds, disturbed=list(speeds))
    after = made_up_run(runs, workloads=["mlp"], speeds=speeds, disturbed=["jax:jit"])
    result = diff(runs, before.id, before.id)
    assert result.returncode == 3
    assert "torch:eager: disturbed before and after" in result.stderr
    assert diff(runs, before.id, after.id).returncode == 3
    assert "torch:eager: disturbed before" in diff(runs, before.id, after.id).stderr


def test_exit_code_5_without_runs(runs: Path) -> None:
    assert diff(runs).returncode == 5
    made_up_run(runs, workloads=["mlp"])
    result = diff(runs)
    assert result.returncode == 5
    assert "There is no run last~1" in result.stderr
