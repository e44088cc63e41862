import csv
import dataclasses
from pathlib import Path

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.errors import DiskError, UsageError
from trivet.model.result import Result
from trivet.store.export_csv import export_csv
from trivet.store.run import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return made_up_run(tmp_path_factory.mktemp("runs"), disturbed=["torch:eager"])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_one_row_per_slice(run: Run, tmp_path: Path) -> None:
    slices, _, _ = export_csv(run, conclude(run), tmp_path / "out")
    found = rows(slices)
    assert len(found) == sum(len(g.slices) for name in ("mlp", "resnet18") for g in run.generations(name))
    taken = run.generations("resnet18")[2].slices[4]
    row = next(row for row in found if (row["workload"], row["started"]) == ("resnet18", str(taken.started)))
    assert row["contestant"] == taken.contestant
    assert float(row["seconds"]) == taken.seconds
    assert float(row["items_per_second"]) == pytest.approx(32 * taken.steps / taken.seconds)
    assert row["clean"] == str(taken.clean)


def test_one_row_per_estimate_with_its_unit(run: Run, tmp_path: Path) -> None:
    result = conclude(run)
    _, estimates, _ = export_csv(run, result, tmp_path)
    found = {(row["workload"], row["contestant"], row["measure"]): row for row in rows(estimates)}
    for workload in result.workloads:
        for one in workload.contestants:
            row = found.get((workload.workload, one.contestant, "throughput"))
            assert (row is None) == (one.throughput is None)
            if row and one.throughput:
                assert float(row["value"]) == one.throughput.value
                assert (row["n"], row["unit"]) == ("4", one.throughput.unit)
    assert found["mlp", "jax:jit", "startup_cold"]["low"] == ""
    assert float(found["mlp", "jax:jit", "startup_warm.compile"]["value"]) > 0
    assert found["mlp", "jax:jit", "memory.host_peak_bytes"]["unit"] == "bytes"


def test_never_is_not_an_empty_cell(run: Run, tmp_path: Path) -> None:
    result = conclude(run)
    workload = result.workloads[0]
    pair = dataclasses.replace(
        workload.pairs[0], break_even_items={"cold": None}, break_even_seconds={"cold": None}
    )
    changed: Result = dataclasses.replace(result, workloads=(dataclasses.replace(workload, pairs=(pair,)),))
    _, _, pairs = export_csv(run, changed, tmp_path)
    (row,) = rows(pairs)
    assert (row["break_even_cold"], row["break_even_warm"]) == ("never", "")
    assert (row["break_even_cold_seconds"], row["break_even_warm_seconds"]) == ("never", "")
    assert float(row["ratio"]) == pair.ratio


def test_the_files_carry_the_id_and_leave_others_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slices.csv").write_text("mine")
    written = export_csv(run, conclude(run), tmp_path)
    assert [path.name for path in written] == [
        f"{run.id}-{name}.csv" for name in ("slices", "estimates", "pairs")
    ]
    assert (tmp_path / "slices.csv").read_text() == "mine"


def test_a_place_that_cannot_take_them_is_named_as_given(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=f"--to {tmp_path / 'file'} is a file"):
        export_csv(run, conclude(run), tmp_path / "file")
    with pytest.raises(DiskError, match=f"--to {tmp_path / 'file' / 'below'} cannot be made"):
        export_csv(run, conclude(run), tmp_path / "file" / "below")
