import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.console.table import render_text


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
