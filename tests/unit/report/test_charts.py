import dataclasses
import math
from pathlib import Path

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.conclude.timeline import timeline
from trivet.model.result import LargestBatch, WorkloadResult
from trivet.report import charts
from trivet.report.charts.spec import ticks
from trivet.report.crossing import crossings


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


@pytest.mark.parametrize("caches", ["cold", "warm"])
def test_break_even_marks_every_crossing_on_the_lines(workload: WorkloadResult, caches: str) -> None:
    rows = values(charts.break_even(workload, caches))
    marks = [row for row in rows if "what" in row]
    found = crossings(workload, caches)
    assert found
    assert [(row["items"], row["minutes"]) for row in marks] == [
        (one.items, one.seconds / 60) for one in found
    ]
    for one in found:
        for label in (one.faster, one.slower):
            before = max(
                (
                    row
                    for row in rows
                    if row["contestant"] == label and "what" not in row and row["items"] <= one.items
                ),
                key=lambda row: row["items"],
            )
            after = min(
                (
                    row
                    for row in rows
                    if row["contestant"] == label and "what" not in row and row["items"] >= one.items
                ),
                key=lambda row: row["items"],
            )
            # The crossing comes from the paired ratio, the lines from each speed alone.
            assert 0.97 * before["minutes"] <= one.seconds / 60 <= 1.03 * after["minutes"]


def test_slices_are_drawn_as_they_were_taken(tmp_path: Path) -> None:
    run = made_up_run(tmp_path, workloads=["mlp"], disturbed=["jax:jit"])
    taken = timeline(run)["mlp"]
    rows = values(charts.slices(conclude(run).workloads[0], taken))
    drawn = sorted((row["minutes"], row["speed"], row["counts"] == "yes") for row in rows if "speed" in row)
    assert drawn == sorted((one.minutes, one.items_per_second, one.clean) for one in taken)
    assert len({row["number"] for row in rows if "from" in row}) == 4


def test_memory_is_drawn_against_batch(workload: WorkloadResult) -> None:
    found = LargestBatch(
        value=96, failed_at=128, resolution=0.33, limit_bytes=2**33, points=((32, 2**30), (96, 3 * 2**30))
    )
    first = dataclasses.replace(workload.contestants[0], largest_batch=found)
    rows = values(charts.memory_by_batch(dataclasses.replace(workload, contestants=(first,), pairs=())))
    assert [(row["batch"], row["memory"]) for row in rows if "batch" in row] == [(32, 1), (96, 3), (128, 8)]
    assert {"limit": 8} in rows


def test_nothing_to_draw(tmp_path: Path) -> None:
    empty = conclude(made_up_run(tmp_path, generations=0, workloads=["mlp"])).workloads[0]
    assert charts.throughput(empty) is None
    assert charts.ratios(empty, 0.05) is None
    assert charts.start_up(empty) is None
    assert charts.total_time(empty) is None
    assert charts.break_even(empty, "cold") is None
    assert charts.slices(empty, ()) is None
    assert charts.memory_by_batch(empty) is None
    alone = conclude(made_up_run(tmp_path, speeds={"jax:jit": 1.0}, workloads=["mlp"])).workloads[0]
    assert charts.ratios(alone, 0.05) is None
    assert charts.total_time(alone) is None
    assert charts.break_even(alone, "warm") is None


def test_wide_ratios_have_few_ticks() -> None:
    assert ticks(0.9, 60) == [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
    assert ticks(0.9, 2.1) == [1.0, 1.2, 1.4, 1.6, 1.8, 2.0]
