import math
from pathlib import Path

import pytest

from trivet_worker.verbs.measure import Measurement
from worker_process import WorkerProcess, linear_job, staged_worker


def test_start_up_is_split_and_adds_up(worker):
    result = worker.ask("prepare", job=linear_job())
    assert list(result["phases"]) == ["import", "build", "compile", "first_step"]
    assert all(seconds >= 0 for seconds in result["phases"].values())
    assert result["phases"]["import"] > 0.005
    assert result["total_seconds"] == pytest.approx(sum(result["phases"].values()))
    assert result["harness_seconds"] > 0
    assert len(result["losses"]) == 3
    assert result["baseline_bytes"] > 1 << 20
    assert "numpy" in result["versions"]
    assert result["device"] == "CPU"


def test_steps_are_timed_and_the_loss_comes_with_them(worker):
    worker.ask("prepare", job=linear_job())
    few, many = (worker.ask("run", steps=steps) for steps in (1, 2000))
    assert 0 < few["seconds"] < many["seconds"]
    assert math.isfinite(many["loss"])


def test_the_same_seed_gives_the_same_losses(staged, tmp_path):
    def losses(seed):
        folder = tmp_path / f"{seed}"
        folder.mkdir(exist_ok=True)
        with WorkerProcess(staged, folder) as worker:
            return worker.ask("prepare", job=linear_job(seed=seed))["losses"]

    assert losses(1) == losses(1) != losses(2)


def test_the_first_steps_taken_again_give_the_same_losses(worker):
    losses = worker.ask("prepare", job=linear_job())["losses"]
    worker.ask("run", steps=7)
    assert worker.ask("repeat")["losses"] == losses


def test_a_program_that_changes_what_it_does_gives_other_losses(tmp_path):
    staged = staged_worker(tmp_path / "staged")
    adapter = staged / "trivet_worker" / "frameworks" / "numpy" / "adapter.py"
    code = adapter.read_text()
    later = "self.taken = getattr(self, 'taken', 0) + 1\n        if self.taken < 30:\n            self._update()\n        if"
    adapter.write_text(code.replace("self._update()\n        if", later))
    assert adapter.read_text() != code
    with WorkerProcess(staged, tmp_path) as worker:
        losses = worker.ask("prepare", job=linear_job())["losses"]
        worker.ask("run", steps=40)
        again = worker.ask("repeat")["losses"]
    assert again[0] == losses[0]
    assert again[2] != pytest.approx(losses[2], rel=1e-3)


def test_memory_is_counted_from_the_import_on(worker):
    baseline = worker.ask("prepare", job=linear_job())["baseline_bytes"]
    counters = worker.ask("memory")
    assert counters["host_peak_bytes"] - counters["host_peak_above_import_bytes"] == baseline
    assert counters["children"] == []


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs Linux")
def test_memory_for_initial_values_and_batches_is_not_the_contestants(tmp_path):
    staged = staged_worker(tmp_path / "staged")
    spec = staged / "trivet_worker" / "workloads" / "linear" / "spec.py"
    code = spec.read_text()
    spec.write_text(code.replace("generator = np", "np.ones(1 << 29, np.uint8)\n    generator = np"))
    assert spec.read_text() != code
    with WorkerProcess(staged, tmp_path) as worker:
        worker.ask("prepare", job=linear_job())
        assert worker.ask("memory")["host_peak_above_import_bytes"] < 1 << 28


def test_children_are_listed_not_added(worker):
    worker.ask("prepare", job=linear_job(variant="children", options={"children": 2}))
    counters = worker.ask("memory")
    assert len(counters["children"]) == 2
    assert all(peak > 0 for _, peak in counters["children"])


def test_a_loss_that_is_not_finite_travels_as_null(worker):
    optimizer = {"kind": "sgd", "learning_rate": 1e38, "momentum": 0.875}
    worker.ask("prepare", job=linear_job(optimizer=optimizer))
    assert worker.ask("run", steps=50)["loss"] is None


def test_memory_that_runs_out_is_named_and_the_worker_goes_on(worker):
    worker.ask("prepare", job=linear_job(variant="greedy", options={"greedy_at_step": 10}))
    failure = worker.failure("run", steps=20)
    assert failure["kind"] == "out_of_memory"
    assert "Unable to allocate" in failure["message"]
    assert worker.ask("run", steps=1)["seconds"] > 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "cobol"}, "workloads/linear/model_cobol.py is missing"),
        ({"framework": "cobol"}, "frameworks/cobol/adapter.py is missing"),
        ({"folder": "cobol"}, "workloads/cobol/spec.py is missing"),
        ({"variant": "cobol"}, "no variant cobol"),
        ({"precision": "bfloat16"}, "no bfloat16"),
        ({"device": "cuda"}, "not on cuda"),
    ],
)
def test_what_cannot_be_done_is_unsupported(worker, changes, message):
    failure = worker.failure("prepare", job=linear_job(**changes))
    assert failure["kind"] == "unsupported"
    assert message in failure["message"]


def test_a_second_start_up_is_refused(worker):
    worker.ask("prepare", job=linear_job())
    assert "only once" in worker.failure("prepare", job=linear_job())["message"]


def test_nothing_runs_before_it_is_prepared():
    with pytest.raises(RuntimeError, match="send `prepare` first"):
        Measurement().run({"steps": 1}, lambda what: None)


def test_a_probe_says_what_is_there(worker):
    result = worker.ask("probe", framework="numpy", precision="float32", device="cpu")
    assert result["devices"] == [{"kind": "cpu", "name": "CPU", "memory_bytes": None}]
    assert result["import_seconds"] > 0
    assert result["python"].startswith("3.")


def test_a_probe_refuses_a_device_that_is_not_there(worker):
    failure = worker.failure("probe", framework="numpy", precision="float32", device="cuda")
    assert failure["kind"] == "unsupported"


def test_the_analytic_count_of_the_workload_comes_with_it(worker):
    assert worker.ask("prepare", job=linear_job())["flops_per_item"] == 4 * 12 * 5


def test_a_workload_without_a_count_is_measured_all_the_same(tmp_path):
    staged = staged_worker(tmp_path / "staged")
    spec = staged / "trivet_worker" / "workloads" / "linear" / "spec.py"
    spec.write_text(spec.read_text().replace("def training_flops", "def unknown"))
    with WorkerProcess(staged, tmp_path) as worker:
        assert "flops_per_item" not in worker.ask("prepare", job=linear_job())


def test_what_is_compiled_inside_the_clock_is_named(worker):
    worker.ask("prepare", job=linear_job())
    assert worker.ask("run", steps=3)["compilations"] == {}


def test_a_step_that_is_compiled_each_time_is_seen(worker):
    worker.ask("prepare", job=linear_job(variant="tracing", options={"tracing": True}))
    assert worker.ask("run", steps=3)["compilations"] == {"step": 3}


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        ({}, {}),
        ({"device": "cuda"}, {"devices": ["cuda"]}),
        ({"doubled": True}, {"parameters": ["float64"], "compute": ["float64"]}),
    ],
)
def test_it_says_where_and_how_it_computes(worker, options, changed):
    worker.ask("prepare", job=linear_job(options=options))
    sound = {"devices": ["cpu"], "parameters": ["float32"], "compute": ["float32"]}
    assert worker.ask("inspect") == {"placement": sound | changed}


def test_a_program_that_tells_nothing_is_not_judged(tmp_path):
    staged = staged_worker(tmp_path / "staged")
    adapter = staged / "trivet_worker" / "frameworks" / "numpy" / "adapter.py"
    adapter.write_text(adapter.read_text().replace("def placement", "def _placement"))
    with WorkerProcess(staged, tmp_path) as worker:
        worker.ask("prepare", job=linear_job(variant="tracing", options={"tracing": True}))
        assert worker.ask("inspect") == {}
        assert worker.ask("run", steps=2)["compilations"] == {}
