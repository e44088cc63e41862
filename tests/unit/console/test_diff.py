from pathlib import Path

import pytest

from made_up import MACHINE, SPEEDS, VERSIONS, made_up_run
from trivet.conclude.changes import compare_runs
from trivet.console.diff import render_markdown, render_text
from trivet.model.diff import RunDiff

LONG = {"tensorflow:graph@2.20.0": 118.0, **SPEEDS}


@pytest.fixture(scope="module")
def diff(tmp_path_factory: pytest.TempPathFactory) -> RunDiff:
    folder = tmp_path_factory.mktemp("runs")
    before = made_up_run(folder, speeds=LONG, unequal=["torch:compile"])
    after = made_up_run(folder, speeds=LONG, seed=1, versions={**VERSIONS, "jax": "0.11.0"})
    return compare_runs(before, after)


def test_the_table_fits_80_columns(diff: RunDiff) -> None:
    text = render_text(diff)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "\x1b" not in text
    for words in (
        f"from {diff.before} to {diff.after}, margin 5 %",
        "mlp · 4 and 4 generation(s)",
        "tensorflow:graph@2.20.0",
        " EQUAL →",
        "versions: jax 0.10.2 → 0.11.0 (jax:jit)",
    ):
        assert words in text
    assert "the parity gate found a difference before" in " ".join(text.split())


def test_provisional_ones_say_so(tmp_path: Path) -> None:
    runs = [made_up_run(tmp_path, quick=True, generations=1, seed=seed) for seed in (0, 1)]
    text = render_text(compare_runs(*runs))
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "assumed" in text


def test_nothing_differs(tmp_path: Path) -> None:
    run = made_up_run(tmp_path)
    assert "Nothing is known to differ" in render_text(compare_runs(run, run))


def test_as_markdown(diff: RunDiff, tmp_path: Path) -> None:
    text = render_markdown(diff)
    assert "| contestant | examples/s before | after | change | 95 % interval | verdict |" in text
    assert "| jax:jit | 0.10.2 → 0.11.0 |" in text
    assert "| versions: jax | jax:jit | 0.10.2 | 0.11.0 |" in text
    other = made_up_run(tmp_path, machine=MACHINE, workloads=["linear"])
    assert "Only after: linear." in render_markdown(
        compare_runs(made_up_run(tmp_path, workloads=["mlp"]), other)
    )


def test_many_facts_are_cut_in_the_terminal_only(diff: RunDiff) -> None:
    import dataclasses

    from trivet.model.diff import Difference

    many = tuple(
        Difference(where="versions", name=f"package{number}", of=("jax:jit",), before="1", after="2")
        for number in range(40)
    )
    long = dataclasses.replace(diff, differences=many)
    assert "versions: 28 more; --format json has them all" in render_text(long)
    assert "package39" in render_markdown(long)
