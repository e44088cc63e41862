import re

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.console.markdown import render_markdown
from trivet.console.table import render_text
from trivet.model.measurement import PeakReading
from trivet.store.events import Peaked
from trivet.store.run import Run


@pytest.mark.parametrize("quick", [False, True])
def test_the_table_fits_80_columns_without_colour(tmp_path, quick):
    generations = 1 if quick else 4
    result = conclude(made_up_run(tmp_path, quick=quick, generations=generations))
    text = render_text(result)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "\x1b" not in text
    for workload in result.workloads:
        assert workload.workload in text
        assert all(contestant.contestant in text for contestant in workload.contestants)
    assert ("assumed" in text) == quick


def test_shares_of_the_peak_and_doubts_stand_below(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp"], flops_per_item=9.5e6)
    operations = {"matrix product 2048": 340e9}
    reading = PeakReading(
        framework="jax", version="0.10.2", precision="float32", device="cpu", operations=operations
    )
    with Run.open(run.folder, writable=True) as more:
        more.append(Peaked(reading=reading))
    result = conclude(more)
    for text in (render_text(result), render_markdown(result)):
        flat = " ".join(text.split())
        assert "peak (340 GFLOP/s in float32, jax's matrix product 2048): jax:jit 1" in flat
        assert "jax:jit: It would use 1" in flat
    assert max(len(line) for line in render_text(result).splitlines()) <= 80
    rows = [line for line in render_markdown(result).splitlines() if line.startswith("| jax:jit |")]
    assert " %? | equal |" in rows[0]
    assert re.search(r"\| ([\d ]+ examples, [\d.]+ m?s|from the start) \|", render_markdown(result))
