import dataclasses

import pytest

from made_up import made_up_generation, made_up_run
from trivet.conclude import conclude
from trivet.conclude.utilisation import best_peak, rests_on_disturbed, utilisation
from trivet.model.measurement import PeakReading
from trivet.model.result import Estimate, Peak
from trivet.store.events import Peaked
from trivet.store.run import Run

TORCH = PeakReading(
    framework="torch",
    version="2.13.0",
    precision="float32",
    device="cpu",
    operations={"matrix product 2048": 222e9, "convolution": 530e9},
)
JAX = dataclasses.replace(
    TORCH, framework="jax", operations={"matrix product 2048": 476e9, "convolution": 440e9}
)
SPEED = Estimate(value=1e4, low=9e3, high=1.2e4, n=3, unit="examples/s")


def test_the_peak_is_the_best_of_all_frameworks_and_operations():
    assert best_peak([TORCH, JAX]) == Peak(
        flops_per_second=530e9, framework="torch", operation="convolution", precision="float32"
    )
    assert best_peak([JAX]).flops_per_second == 476e9
    assert best_peak([]) is None
    assert best_peak([dataclasses.replace(TORCH, operations={})]) is None


def test_a_share_and_its_interval():
    used = utilisation(SPEED, 9.5e6, best_peak([TORCH]))
    assert used == Estimate(
        value=pytest.approx(1e4 * 9.5e6 / 530e9),
        low=pytest.approx(9e3 * 9.5e6 / 530e9),
        high=pytest.approx(1.2e4 * 9.5e6 / 530e9),
        n=3,
        unit="of peak",
    )
    alone = dataclasses.replace(SPEED, low=None, high=None, n=1)
    assert utilisation(alone, 9.5e6, best_peak([TORCH])).low is None


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_no_share_without_speed_count_and_peak(missing):
    parts = [SPEED, 9.5e6, best_peak([TORCH])]
    parts[missing] = None
    assert utilisation(*parts) is None


def test_a_peak_that_only_a_disturbed_operation_reached_is_told():
    assert not rests_on_disturbed([])
    assert not rests_on_disturbed([TORCH])
    assert rests_on_disturbed([dataclasses.replace(TORCH, disturbed=("convolution",))])
    assert not rests_on_disturbed([dataclasses.replace(TORCH, disturbed=("matrix product 2048",))])


def test_disturbed_operations_alone_make_no_peak(tmp_path):
    spoiled = dataclasses.replace(TORCH, disturbed=tuple(TORCH.operations))
    assert best_peak([spoiled]) is None
    assert not rests_on_disturbed([spoiled])
    assert best_peak([spoiled, JAX]) == best_peak([TORCH])
    run = made_up_run(tmp_path, workloads=["mlp"], flops_per_item=9.5e6)
    with Run.open(run.folder, writable=True) as more:
        more.append(Peaked(reading=spoiled))
    result = conclude(more)
    assert result.workloads[0].peak is None
    assert {one.utilisation for one in result.workloads[0].contestants} == {None}
    assert any("peak could not be measured" in note for note in result.notes)


def test_a_run_with_a_peak_has_shares_and_one_without_has_none(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp"], flops_per_item=9.5e6)
    assert {one.utilisation for one in conclude(run).workloads[0].contestants} == {None}
    assert conclude(run).workloads[0].flops_per_item == 9.5e6
    with Run.open(run.folder, writable=True) as more:
        more.append(Peaked(reading=JAX))
        more.append(Peaked(reading=dataclasses.replace(TORCH, disturbed=("convolution",))))
    result = conclude(Run.open(run.folder))
    (workload,) = result.workloads
    assert result.complete
    assert workload.peak == best_peak([TORCH])
    for one in workload.contestants:
        assert one.utilisation.value == pytest.approx(one.throughput.value * 9.5e6 / 530e9)
        assert one.utilisation.low < one.utilisation.value < one.utilisation.high
    assert any("peak was measured while other" in note for note in result.notes)


def test_a_workload_without_a_count_has_no_share(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp"])
    with Run.open(run.folder, writable=True) as more:
        more.append(Peaked(reading=JAX))
    (workload,) = conclude(more).workloads
    assert workload.flops_per_item is None
    assert workload.peak.framework == "jax"
    assert {one.utilisation for one in workload.contestants} == {None}
    assert made_up_generation({"jax:jit": 1.0}).flops_per_item is None
