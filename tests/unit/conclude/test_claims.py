"""Tables of claims as files: the one that comes with trivet, the documented one, and wrong ones."""

from pathlib import Path

import pytest

from documents import ROOT, write_files
from made_up import made_up_run
from trivet.conclude.claims import FOLDER, read_table, shipped
from trivet.conclude.claims_of_run import open_tables
from trivet.errors import UsageError

GOOD = """title = "t"
source = "s"

[setting]
workload = "mlp"
batch = 32
precision = "float32"

[[row]]
framework = "torch"
throughput = 100
startup_seconds = 1.5

[[row]]
framework = "jax"
throughput = 120.5
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "claims.toml"
    path.write_text(text)
    return path


def test_the_article_is_as_the_design_gives_it():
    assert shipped() == ["article"]
    (table,) = open_tables("article")
    figures = {
        row.framework: (row.version, row.throughput, row.speed_up, row.memory_bytes, row.startup_seconds)
        for row in table.rows
    }
    assert figures == {
        "torch": ("2.1", 1850, 7.2, 22.3e9, 0.5),
        "tensorflow": ("2.13", 1720, 6.8, 24.1e9, 3.2),
        "jax": ("0.4.20", 1980, 7.6, 20.5e9, 8.7),
    }
    assert (table.setting.workload, table.setting.batch, table.setting.device) == ("resnet50", 256, "A100")
    assert any("2470" in text and "2375" in text for text in table.defects)


def test_ratios_are_seen_from_the_faster_side():
    (table,) = open_tables("article")
    assert {(ratio.a.framework, ratio.b.framework): round(ratio.value, 3) for ratio in table.ratios} == {
        ("torch", "tensorflow"): 1.076,
        ("jax", "torch"): 1.07,
        ("jax", "tensorflow"): 1.151,
    }


def test_the_documented_table_is_one(tmp_path):
    (path,) = write_files(ROOT / "docs" / "against.md", tmp_path)
    table = read_table(path)
    assert [row.framework for row in table.rows] == ["torch", "jax"]
    assert table.rows[0].startup_variant == "compile"
    assert (table.devices, table.dated) == (4, "2026-05")


def test_what_a_table_leaves_out_is_left_open(tmp_path):
    table = read_table(written(tmp_path, GOOD))
    assert (table.setting.device, table.setting.unit, table.dated, table.defects) == ("", "items", "", ())
    assert table.rows[1].memory_bytes is None


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('source = "s"', 'sauce = "s"', 2, "unknown key 'sauce'. Did you mean source?"),
        ('source = "s"\n', "", 1, "the key 'source' is missing"),
        ("batch = 32", 'batch = "many"', 6, "batch is 'many'; expected a whole number"),
        ('precision = "float32"', 'precision = "half"', 7, "precision is 'half'"),
        ("throughput = 120.5", "thruput = 120.5", 16, "unknown key 'thruput'. Did you mean throughput?"),
        ("throughput = 120.5", "throughput = -1", 16, "throughput is -1; expected a number above 0"),
        ("throughput = 120.5", 'throughput = "fast"', 16, "throughput is 'fast'"),
        ("throughput = 120.5\n", "", 15, "the row claims nothing"),
        ('framework = "jax"', 'framework = "jaxx"', 15, "there is no framework 'jaxx', only jax, "),
        ('framework = "jax"', 'framework = "torch"', 9, "two rows are about torch"),
        ('framework = "jax"', 'framework = "jax"\nvariant = "eager"', 16, "jax has no variant 'eager'"),
        ("throughput = 120.5", "throughput = 120.5\nspeed_up = 3", 17, "speed_up needs the key 'devices'"),
        ('[[row]]\nframework = "jax"\nthroughput = 120.5\n', "", 9, "there is 1 row"),
        ("[setting]", "[setting", 4, "not valid TOML"),
    ],
)
def test_wrong_tables_are_reported_with_the_line(tmp_path, old, new, line, said):
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(UsageError) as caught:
        read_table(path)
    assert "claims.toml" in caught.value.message
    assert f"line {line}" in caught.value.message
    assert said in caught.value.message


def test_rows_in_another_form_still_name_file_and_fault(tmp_path):
    path = written(tmp_path, 'title = "t"\nsource = "s"\nrow = [{framework = "jax", sped = 1}]\n')
    with pytest.raises(UsageError, match=r"line 1: unknown key 'sped'"):
        read_table(path)


def test_a_name_that_means_nothing_lists_what_there_is(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path))
    with pytest.raises(UsageError) as caught:
        open_tables("artikel")
    assert "article" in caught.value.remedy
    with pytest.raises(UsageError, match="There is no file"):
        open_tables("nowhere.toml")


def test_a_run_claims_the_fastest_of_each_framework_and_nothing_undecided(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp"])
    (table,) = open_tables(str(run.folder))
    assert [(row.framework, row.variant) for row in table.rows][:2] == [("jax", "jit"), ("tensorflow", "xla")]
    assert len(table.rows) == 3
    assert all(ratio.low < ratio.value < ratio.high for ratio in table.ratios)
    close = made_up_run(
        tmp_path, workloads=["mlp"], speeds={"torch:eager": 100.0, "jax:jit": 104.0}, process_sd=0.05
    )
    (table,) = open_tables(str(close.folder))
    assert table.ratios == ()


def test_shipped_tables_lie_where_they_are_looked_for():
    assert (FOLDER / "article.toml").is_file()
