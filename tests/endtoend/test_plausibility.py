"""Numbers that cannot be are flagged: contestants with a planted fault, and the search for the largest batch."""

import json
import time
from pathlib import Path

import pytest

from numpy_contestants import numpy_entry, numpy_staged
from trivet.conclude import plausibility
from trivet.measure.entry import Setting
from trivet.measure.generation import measure_generation
from trivet.store.run import Run
from trivet.workflow import comparison, largest_batch
from trivet_command import EXTENSIONS, trivet

FAULTS = {
    "numpy:astray": "wrong_device",
    "numpy:doubled": "wrong_dtype",
}
"""Contestant -> the flag that it must get."""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """Return what a quick comparison says of a sound contestant and of faulty ones."""
    runs = tmp_path_factory.mktemp("plausibility") / "runs"
    labels = ",".join(["numpy:plain", *FAULTS])
    result = trivet("compare", "linear", "-c", labels, "--quick", "--format", "json", TRIVET_RUNS=str(runs))
    assert result.returncode == 0, result.stderr
    (workload,) = json.loads(result.stdout)["workloads"]
    return workload, {one["contestant"]: one for one in workload["contestants"]}, runs


def codes(contestant) -> set[str]:
    return {flag["code"] for flag in contestant["flags"]}


@pytest.mark.parametrize("label", FAULTS)
def test_a_planted_fault_is_flagged(outcome, label):
    _, contestants, _ = outcome
    assert FAULTS[label] in codes(contestants[label]), contestants[label]["flags"]


def test_no_other_fault_is_seen(outcome):
    _, contestants, _ = outcome
    for label, contestant in contestants.items():
        expected = {FAULTS[label]} if label in FAULTS else set()
        assert codes(contestant) - {"overhead_bound", "over_peak"} <= expected, contestant["flags"]


def test_the_sound_one_has_a_share_of_the_peak(outcome):
    workload, contestants, _ = outcome
    assert workload["flops_per_item"] == 4 * 784 * 10
    sound = contestants["numpy:plain"]
    if sound["status"] == "measured" and workload["peak"] is not None:  # others may use the machine
        assert workload["peak"]["flops_per_second"] > 1e8
        share = (
            sound["throughput"]["value"] * workload["flops_per_item"] / workload["peak"]["flops_per_second"]
        )
        assert sound["utilisation"]["value"] == pytest.approx(share)


def test_tables_say_so(outcome):
    *_, runs = outcome
    for form in ("table", "markdown"):
        shown = trivet("report", "last", "--format", form, TRIVET_RUNS=str(runs)).stdout
        assert "numpy:astray: Its parameters are on cuda; cpu was asked for." in " ".join(shown.split())


def test_faults_in_the_timing_are_seen(tmp_path):
    """Measured without a guard, so that other work on the machine makes no difference."""
    setting = Setting(
        workload="mlp",
        number=0,
        staged=numpy_staged(tmp_path / "staged"),
        cpus=(),
        run=tmp_path / "run",
        caches=tmp_path / "caches",
        scratch=tmp_path / "scratch",
        began=time.monotonic(),
    )
    labels = ("numpy:plain", "numpy:lagging", "numpy:tracing")
    entries = [numpy_entry(label, batch=1024) for label in labels]
    generation = measure_generation(entries, setting)
    assert generation.failures == {}
    assert plausibility.not_linear("numpy:lagging", [generation]) is not None
    found = {label: plausibility.recompiles(label, [generation]) for label in labels}
    assert found["numpy:plain"] is None
    assert found["numpy:lagging"] is None
    assert found["numpy:tracing"].message.startswith("It traced or compiled ")
    assert ": step (" in found["numpy:tracing"].message


class Silent:
    """Watches and says nothing."""

    def say(self, text): ...

    def doing(self, text, remaining_seconds=None): ...

    def show(self, result): ...


def test_the_largest_batch_is_found_within_a_limit_and_a_stopped_search_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIVET_EXTENSIONS", str(EXTENSIONS))
    monkeypatch.setattr(largest_batch, "memory_limit", lambda device, device_bytes: 2**29)
    tried = []

    def counted(entry, setting, batch, limit_bytes):
        if len(tried) == 3:
            raise KeyboardInterrupt
        tried.append(batch)
        return original(entry, setting, batch, limit_bytes)

    original = largest_batch.try_batch
    monkeypatch.setattr(largest_batch, "try_batch", counted)
    run = quick_run(tmp_path)
    with pytest.raises(KeyboardInterrupt), Run.open(run, writable=True) as more:
        comparison.continue_run(more, Silent())
    assert [one.batch for one in Run.open(run).attempts("linear", "numpy:plain")] == tried == [256, 512, 1024]
    monkeypatch.setattr(largest_batch, "try_batch", original)
    with Run.open(run, writable=True) as more:
        result = comparison.continue_run(more, Silent())
    found = result.workloads[0].contestants[0].largest_batch
    assert found is not None
    assert found.limit_bytes == 2**29
    assert found.value < found.failed_at <= found.value * (1 + found.resolution)
    assert found.points[0][0] == 256
    assert found.points[-1][1] > 4 * found.value * 784  # its inputs alone
    assert all(peak < 2**29 for _, peak in found.points)


def quick_run(folder: Path) -> Path:
    """Return the folder of a quick run that is complete but for the search."""
    result = trivet("compare", "linear", "-c", "numpy:plain", "--quick", TRIVET_RUNS=str(folder / "runs"))
    assert result.returncode == 0, result.stderr
    (run,) = (folder / "runs").glob("*/run.json")
    asked = json.loads(run.read_text())
    asked["question"]["largest_batch"] = True
    run.write_text(json.dumps(asked))
    return run.parent
