import datetime as dt
import time

import pytest

from made_up import made_up_run
from trivet.workflow import comparison


@pytest.mark.parametrize("hours", [0, 1])
def test_a_run_is_as_old_as_its_last_slice_though_the_clock_was_set_back(tmp_path, monkeypatch, hours):
    run = made_up_run(tmp_path, workloads=["mlp"], generations=2)
    created = dt.datetime.fromisoformat(run.header.created).timestamp()
    last = max(taken.started + taken.seconds for one in run.generations("mlp") for taken in one.slices)
    assert last > 1
    monkeypatch.setattr(comparison.time, "time", lambda: created + last + 100 - 3600 * hours)
    age = time.monotonic() - comparison._began(run)
    assert age == pytest.approx(last if hours else last + 100, abs=1)
