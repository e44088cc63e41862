"""Which kept peaks a run takes over, and when it measures anew."""

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from made_up import made_up_environment, made_up_run
from trivet.console.live import SilentWatcher
from trivet.model.measurement import PeakReading
from trivet.store.peak_cache import PeakCache
from trivet.store.run import Run
from trivet.workflow import peaks

DISTURBED = PeakReading(
    framework="torch",
    version="2.13.0",
    precision="float32",
    device="cpu",
    operations={"matrix product 2048": 1e10},
    disturbed=("matrix product 2048",),
)


@pytest.mark.parametrize(("sound_beside", "measured"), [(False, 1), (True, 0)])
def test_a_quick_run_takes_a_disturbed_peak_only_beside_a_sound_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sound_beside: bool, measured: int
) -> None:
    monkeypatch.setattr(peaks, "peaks_folder", lambda: tmp_path / "peaks")
    stored = made_up_run(tmp_path / "runs", workloads=["mlp"], generations=1, quick=True, finished=False)
    environment = made_up_environment("torch", "2.13.0")
    asked: list[Any] = []
    monkeypatch.setattr(peaks, "_measure", lambda *arguments: asked.append(arguments))
    with Run.open(stored.folder, writable=True) as run:
        cache = PeakCache.under(
            tmp_path / "peaks",
            machine=run.header.machine.digest,
            cpus=run.question.cpus,
            device=run.question.device,
            precision=run.question.precision,
        )
        cache.keep(environment, DISTURBED)
        if sound_beside:
            sound = dataclasses.replace(DISTURBED, framework="jax", version="0.10.2", disturbed=())
            cache.keep(made_up_environment("jax", "0.10.2"), sound)
        entrant: Any = SimpleNamespace(
            environment=environment, framework=SimpleNamespace(name="torch", package="torch", title="PyTorch")
        )
        staged: Any = None
        peaks.find_peaks(run, staged, [entrant], SilentWatcher(), scratch=tmp_path)
    assert len(asked) == measured
