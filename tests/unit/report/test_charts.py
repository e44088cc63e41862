import math
from pathlib import Path

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.model.result import WorkloadResult
from trivet.report import charts


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> WorkloadResult:
    return conclude(made_up_run(tmp_path_factory.mktemp("runs"), workloads=["mlp"])).workloads[0]


def values(chart: charts.Chart | None) -> list[dict[str, float]]:
    assert chart is not None
    return [row for rows in chart["datasets"].values() for row in rows]


def test_throughput_draws_the_numbers_of_the_table(workload: WorkloadResult) -> None:
    rows = {row["contestant"]: row for row in values(charts.throughput(workload))}
    for one in workload.contestants:
        assert one.throughput
        row = rows[one.contestant]
        assert (row["value"], row["low"], row["high"]) == (
            one.throughput.value,
            one.throughput.low,
            one.throughput.high,
        )


def test_ratios_draw_the_leader_against_the_others_and_every_generation(workload: WorkloadResult) -> None:
    rows = values(charts.ratios(workload, 0.05))
    found = {row["contestant"]: row["ratio"] for row in rows if "ratio" in row}
    pairs = {
        pair.seen_from("jax:jit").b: pair.seen_from("jax:jit")
        for pair in workload.pairs
        if "jax:jit" in (pair.a, pair.b)
    }
    assert found == {label: pair.ratio for label, pair in pairs.items()}
    singles = [row["each"] for row in rows if row.get("contestant") == "torch:eager" and "each" in row]
    assert singles == list(pairs["torch:eager"].generations)
    assert {"from": 1 / 1.05, "to": 1.05} in rows


def test_start_up_bars_add_up(workload: WorkloadResult) -> None:
    rows = values(charts.start_up(workload))
    for one in workload.contestants:
        assert one.startup_cold
        bars = [
            row["seconds"] for row in rows if (row["contestant"], row["caches"]) == (one.contestant, "cold")
        ]
        assert sum(bars) == pytest.approx(one.startup_cold.value)


def test_total_time_shows_where_the_lead_changes(workload: WorkloadResult) -> None:
    rows = values(charts.total_time(workload))
    pair = next(p for p in workload.pairs if {p.a, p.b} == {"torch:eager", "jax:jit"})
    crossing = pair.break_even_items["cold"]
    assert crossing
    ahead = [
        row["items"] for row in rows if row["contestant"] == "jax:jit" and math.isclose(row["behind"], 1)
    ]
    assert min(ahead) > 0.9 * crossing
    assert min(row["behind"] for row in rows) == 1


def test_nothing_to_draw(tmp_path: Path) -> None:
    empty = conclude(made_up_run(tmp_path, generations=0, workloads=["mlp"])).workloads[0]
    assert charts.throughput(empty) is None
    assert charts.ratios(empty, 0.05) is None
    assert charts.start_up(empty) is None
    assert charts.total_time(empty) is None
    alone = conclude(made_up_run(tmp_path, speeds={"jax:jit": 1.0}, workloads=["mlp"])).workloads[0]
    assert charts.ratios(alone, 0.05) is None
    assert charts.total_time(alone) is None


def test_wide_ratios_have_few_ticks() -> None:
    assert charts._ticks(0.9, 60) == [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
    assert charts._ticks(0.9, 2.1) == [1.0, 1.2, 1.4, 1.6, 1.8, 2.0]
