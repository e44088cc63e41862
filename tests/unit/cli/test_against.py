"""`--against` as a user types it."""

import json
from pathlib import Path

import pytest

from made_up import made_up_run
from trivet_command import trivet


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "made"


def test_a_stored_run_against_the_article_in_every_format(runs):
    run = made_up_run(runs, workloads=["mlp"])
    table = trivet("report", "last", "--against", "article", TRIVET_RUNS=str(runs))
    assert table.returncode == 0, table.stderr
    assert "Against an article that many newcomers read" in table.stdout
    assert max(len(line) for line in table.stdout.splitlines() if not line.startswith("Report:")) <= 80
    assert 'id="against"' in (run.folder / "report.html").read_text(encoding="utf-8")
    shown = json.loads(
        trivet("report", "last", "--against", "article", "--format", "json", TRIVET_RUNS=str(runs)).stdout
    )
    assert shown["run"] == run.id
    assert {one["verdict"] for one in shown["workloads"][0]["judgements"]} >= {"does not hold here"}
    markdown = trivet("report", "--against", "article", "--format", "markdown", TRIVET_RUNS=str(runs))
    assert "| claim | verdict | why |" in markdown.stdout


def test_a_wrong_table_is_reported_before_anything_is_measured(runs, tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text('title = "t"\nsource = "s"\nrows = []\n')
    result = trivet("compare", "--against", str(path), TRIVET_RUNS=str(runs))
    assert result.returncode == 2
    assert "line 3: unknown key 'rows'. Did you mean row?" in result.stderr
    assert "docs/against.md" in result.stderr
    assert not list(runs.glob("*"))


def test_a_run_against_another(runs):
    made_up_run(runs, workloads=["mlp"])
    made_up_run(runs, workloads=["mlp"], seed=1)
    result = trivet("report", "last", "--against", "last~1", TRIVET_RUNS=str(runs))
    assert result.returncode == 0, result.stderr
    assert "`trivet diff`" in result.stdout
