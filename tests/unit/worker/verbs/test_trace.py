import numpy as np
import pytest

from trivet_worker.verbs.trace import kept_steps, worst_difference
from trivet_worker.workloads.initial import initial_values
from trivet_worker.workloads.mlp import spec
from worker_process import WorkerProcess, linear_job, staged_worker

RATES = [0.125] * 5 + [0.0625] * 5
SIZES = {"features": 12, "hidden": 9, "classes": 5}
JOB = {"workload": "mlp", "folder": "mlp", "sizes": SIZES, "precision": "float64", "batch": 4}


@pytest.fixture(scope="module")
def traced(staged, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trace")
    with WorkerProcess(staged, folder) as worker:
        result = worker.ask("trace", job=linear_job(**JOB), rates=RATES, folder=str(folder / "arrays"))
    arrays = {key: np.load(folder / "arrays" / file) for key, file in result["arrays"].items()}
    return result, arrays


def test_a_sound_program_has_the_workloads_tensors(traced):
    assert traced[0]["structure"] == {"missing": [], "unexpected": [], "shapes": [], "untied": []}


def test_what_is_stored(traced):
    result, arrays = traced
    names = [tensor.name for tensor in spec.tensors(**SIZES)]
    assert [key for key in arrays if key.startswith("gradient/")] == [f"gradient/{name}" for name in names]
    assert [key for key in arrays if key.startswith("update/")] == [
        f"update/{step}/{name}" for step in (5, 10) for name in names
    ]
    assert {"eval_output", "train_output"} <= set(arrays)
    assert all(array.dtype == np.float64 for array in arrays.values())
    assert len(result["losses"]) == 10


def test_the_taps_come_in_execution_order(traced):
    result, arrays = traced
    assert [tap["layer"] for tap in result["taps"]] == ["fc1", "relu", "fc2", "relu", "fc3"]
    np.testing.assert_array_equal(arrays[result["taps"][-1]["key"]], arrays["eval_output"])
    assert result["taps"][0]["attributes"] == {"bias": True}


def test_the_arrays_are_those_of_the_mathematics(traced):
    """Compute the first step again, independently, from the shared initial values and batch."""
    result, arrays = traced
    values = {
        name: array.astype(np.float64) for name, array in initial_values(spec.tensors(**SIZES), 0).items()
    }
    batch = spec.batch(4, 1, **SIZES)
    hidden = [batch.inputs.astype(np.float64)]
    for layer in ("fc1", "fc2", "fc3"):
        hidden.append(hidden[-1] @ values[f"{layer}.weight"] + values[f"{layer}.bias"])
        if layer != "fc3":
            hidden.append(np.maximum(hidden.pop(), 0))
    logits = hidden[-1]
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    loss = -np.log(shares[np.arange(4), batch.labels]).mean()
    gradient = (shares - np.eye(5)[batch.labels]) / 4
    np.testing.assert_allclose(arrays["eval_output"], logits, rtol=1e-12)
    np.testing.assert_allclose(arrays["train_output"], logits, rtol=1e-12)
    assert result["losses"][0] == pytest.approx(loss, rel=1e-12)
    np.testing.assert_allclose(arrays["gradient/fc3.weight"], hidden[2].T @ gradient, rtol=1e-10)
    np.testing.assert_allclose(arrays["gradient/fc3.bias"], gradient.sum(axis=0), rtol=1e-10)


def test_the_rule_is_recognised_and_named_by_canonical_tensor(traced):
    momentum = traced[0]["rules"]
    assert momentum["rate_outside"]["after"] < 1e-12 < 1e-3 < momentum["rate_inside"]["after"]
    assert momentum["rate_inside"]["where"] in {tensor.name for tensor in spec.tensors(**SIZES)}


def test_the_timed_step_is_the_traced_one(traced):
    assert traced[0]["step_agrees"] < 1e-14


def _traced_with(tmp_path, edits):
    """Trace with the framework's files changed: (file, old, new)."""
    staged = staged_worker(tmp_path / "staged")
    for file, old, new in edits:
        path = staged / "trivet_worker" / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    with WorkerProcess(staged, tmp_path) as worker:
        return worker.ask("trace", job=linear_job(**JOB), rates=RATES, folder=str(tmp_path / "arrays"))


MODEL = "workloads/mlp/model_numpy.py"
ADAPTER = "frameworks/numpy/adapter.py"


def test_a_step_that_does_something_else_than_the_traced_one_is_noticed(tmp_path):
    edit = (
        ADAPTER,
        "self._forward_and_backward(batch)\n        self._update()\n        if",
        "self._update()\n        if",
    )
    result = _traced_with(tmp_path, [edit])
    assert result["step_agrees"] > 0.1


def test_optimizer_state_that_survives_a_load_is_noticed(tmp_path):
    result = _traced_with(
        tmp_path,
        [
            (
                ADAPTER,
                "                layer.parameters[role] = np.array(tensors[name], self._dtype)\n        self._velocities = {}",
                "                layer.parameters[role] = np.array(tensors[name], self._dtype)",
            )
        ],
    )
    assert result["step_agrees"] > 0.1


def test_a_layer_under_another_name_is_missing_and_unexpected(tmp_path):
    result = _traced_with(tmp_path, [(MODEL, '"fc3"', '"head"')])
    assert result["structure"]["missing"] == ["fc3.weight", "fc3.bias"]
    assert result["structure"]["unexpected"] == ["head.weight", "head.bias"]
    assert "gradient/fc2.weight" in result["arrays"]
    assert "gradient/fc3.weight" not in result["arrays"]


def test_a_layer_of_another_width_is_described(tmp_path):
    edits = [
        (MODEL, '"fc1", features, hidden', '"fc1", features, hidden + 1'),
        (MODEL, '"fc2", hidden, hidden', '"fc2", hidden + 1, hidden'),
    ]
    result = _traced_with(tmp_path, edits)
    assert result["structure"]["shapes"] == [
        ["fc1.weight", [12, 9], [12, 10]],
        ["fc1.bias", [9], [10]],
        ["fc2.weight", [9, 9], [10, 9]],
    ]


def test_another_momentum_rule_is_recognised(tmp_path):
    result = _traced_with(
        tmp_path, [(ADAPTER, "self._momentum * self._velocities[name] + gradient", "gradient")]
    )
    momentum = result["rules"]
    assert momentum["no_momentum"]["after"] < 1e-12
    assert momentum["rate_outside"]["before"] > 0.1


def test_training_that_explodes_still_answers(tmp_path):
    result = _traced_with(
        tmp_path, [(ADAPTER, "layer.parameters[role] -=", "layer.parameters[role] *= np.inf  #")]
    )
    assert result["losses"][-1] is None
    assert result["rules"]["rate_outside"]["before"] == 1e9


@pytest.mark.parametrize(
    ("rates", "kept"),
    [([1.0], {1}), ([1.0, 1.0], {2}), ([1.0, 1.0, 0.5], {2, 3}), ([1.0, 0.5, 0.5, 1.0], {1, 3, 4})],
)
def test_tensors_are_kept_before_each_change_of_the_rate_and_at_the_end(rates, kept):
    assert kept_steps(rates) == kept


def test_the_worst_difference_is_found():
    theirs = {"a": np.array([3.0, 4.0]), "b": np.array([1.0])}
    ours = {"a": np.array([3.0, 4.5]), "b": np.array([1.2])}
    assert worst_difference(ours, theirs) == pytest.approx(0.2)
    assert worst_difference({}, {}) == 0.0


def test_what_a_sound_program_says_beside_its_numbers(traced):
    result, _ = traced
    assert result["repeats"] == 0.0
    assert result["still"] == []
    assert result["label_smoothing"] == 0.0
    scale, elements = result["initial"]["fc1.weight"]
    assert elements == 12 * 9
    assert scale == pytest.approx((2 / 12) ** 0.5, rel=0.3)
    assert result["initial"]["fc1.bias"] == [0.0, 9]


def test_an_output_that_is_random_is_noticed(tmp_path):
    random = "return self._model.forward(batch.inputs) * np.random.default_rng().random()"
    result = _traced_with(tmp_path, [(ADAPTER, "return self._model.forward(batch.inputs)", random)])
    assert result["repeats"] > 1e-6


def test_a_layer_that_is_never_updated_is_noticed(tmp_path):
    edit = (
        ADAPTER,
        "                layer.parameters[role] -=",
        '                if layer.name != "fc2": layer.parameters[role] -=',
    )
    result = _traced_with(tmp_path, [edit])
    assert result["still"] == ["fc2.weight", "fc2.bias"]


def test_a_scheduled_rate_is_left_to_the_program(tmp_path):
    """The tests' own framework has no schedule, so that it keeps the first rate: the milestones are the program's."""
    staged = staged_worker(tmp_path / "staged")
    optimizer = {"kind": "sgd", "learning_rate": 0.125, "momentum": 0.875, "milestones": [5], "gamma": 0.5}
    with WorkerProcess(staged, tmp_path) as worker:
        job = linear_job(**JOB, optimizer=optimizer)
        result = worker.ask("trace", job=job, rates=RATES, folder=str(tmp_path / "arrays"))
    assert result["rules"]["rate_outside, unchanged"]["before"] < 1e-12
    assert result["rules"]["rate_outside"]["after"] > 0.1
