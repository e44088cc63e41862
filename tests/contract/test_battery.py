"""The battery itself: each of its checks finds the mistake that it is there for, written into the tests' own framework."""

from __future__ import annotations

import sys

import pytest

from contract import battery
from contract.running import run_battery
from worker_process import linear_job, staged_worker

ADAPTER, LAYERS = "adapter.py", "layers.py"

MISTAKES = {
    "compile_changes_nothing": (
        ADAPTER,
        '"""Do nothing: there is nothing to compile."""',
        "self.step(batch)",
    ),
    "tensors_have_the_names_and_shapes_of_the_layout": (
        ADAPTER,
        'f"{layer.name}.{role}": array.copy()\n            for layer in self._model.layers\n            for role, array in layer.p',
        'f"{layer.name}/{role}": array.copy()\n            for layer in self._model.layers\n            for role, array in layer.p',
    ),
    "load_is_the_inverse_of_tensors": (
        ADAPTER,
        "(tensors[name], self._dtype)",
        "(tensors[name], np.float16)",
    ),
    "load_leaves_unnamed_tensors": (
        ADAPTER,
        "                if name in tensors:\n",
        "                layer.parameters[role] = 0 * layer.parameters[role]\n                if name in tensors:\n",
    ),
    "load_forgets_the_optimizer": (
        ADAPTER,
        "self._dtype)\n        self._velocities = {}",
        "self._dtype)",
    ),
    "tensors_are_copies": (
        ADAPTER,
        "array.copy()\n            for layer in self._model.layers\n            for role, array in layer.p",
        "array\n            for layer in self._model.layers\n            for role, array in layer.p",
    ),
    "loaded_arrays_are_copied": (ADAPTER, "np.array(tensors[name]", "np.asarray(tensors[name]"),
    "a_step_changes_every_parameter_and_statistic": (
        LAYERS,
        "gradient.sum(axis=0)",
        "0 * gradient.sum(axis=0)",
    ),
    "batches_matter": (
        ADAPTER,
        "return Batch(batch.inputs.astype(self._dtype), batch.labels)",
        "self._put = getattr(self, '_put', batch); return self._put",
    ),
    "wait_waits": (ADAPTER, "return self._loss", "return np.float32(self._loss)"),
    "the_loss_falls": (ADAPTER, "-= self._rate", "+= self._rate"),
    "rate_zero_freezes_the_parameters": (ADAPTER, "self._rate = rate", "self._rate = rate or 0.1"),
    "the_rate_scales_the_first_update": (ADAPTER, "        self._rate = rate\n", "        pass\n"),
    "predict_changes_nothing": (
        ADAPTER,
        "return self._model.forward(batch.inputs)",
        "return self.traced_step(batch).logits",
    ),
    "predict_is_in_evaluation_mode": (
        ADAPTER,
        "return self._model.forward(batch.inputs)",
        "return self._model.forward(batch.inputs - batch.inputs.mean(axis=0))",
    ),
    "predict_does_not_disturb_training": (
        ADAPTER,
        "return self._model.forward(batch.inputs)",
        "self._velocities = {}; return self._model.forward(batch.inputs)",
    ),
    "taps_change_nothing": (ADAPTER, "        found = []\n", "        found = []; self._update()\n"),
    "taps_name_the_layers_in_execution_order": (
        ADAPTER,
        "        return found\n",
        "        return found[::-1]\n",
    ),
    "taps_describe_layers": (ADAPTER, "outputs.astype(np.float64)", "outputs.astype(np.float32)"),
    "the_last_tap_is_what_training_sees": (ADAPTER, "outputs.astype(np.float64)", "outputs * 1.01"),
    "a_traced_step_is_a_step": (
        ADAPTER,
        "        self._update()\n        return Traced",
        "        self._update()\n        self._update()\n        return Traced",
    ),
    "a_traced_step_names_all_gradients": (
        ADAPTER,
        "for role, array in layer.gradients.items()\n        }",
        "for role, array in layer.gradients.items() if role == 'weight'\n        }",
    ),
    "the_loss_is_the_mean_cross_entropy_of_the_logits": (LAYERS, ".mean()", ".sum()"),
    "gradients_match_finite_differences": (LAYERS, "gradient / len(labels)", "gradient"),
    "the_adapter_says_what_it_is": (ADAPTER, '{"numpy": np.__version__}', "{}"),
    "only_memory_errors_are_memory_errors": (
        ADAPTER,
        "isinstance(error, MemoryError)",
        "isinstance(error, Exception)",
    ),
    "the_flop_count_is_that_of_the_layers": (
        "../../workloads/mlp/spec.py",
        "hidden * hidden, hidden * classes]",
        "hidden * hidden]",
    ),
    "the_program_says_where_and_how_it_computes": (
        ADAPTER,
        "np.result_type(batch.inputs, *dtypes).name",
        "'float16'",
    ),
    "a_repeated_step_compiles_nothing": (ADAPTER, 'self._options.get("tracing")', "True"),
    "the_peaks_operations_run": ("peak.py", "def matmul(", "def multiply("),
    "an_unknown_variant_is_unsupported": (ADAPTER, "if job.variant not in VARIANTS", "if False"),
}
"""Check -> file of the framework, what stands there, what is written instead."""


def _findings(staged, folder):
    job = linear_job(
        workload="mlp",
        folder="mlp",
        sizes={"features": 12, "hidden": 9, "classes": 5},
        batch=4,
        precision="float64",
    )
    return run_battery(sys.executable, staged, job, folder)


def test_a_sound_adapter_passes_every_check(tmp_path):
    found = _findings(staged_worker(tmp_path / "staged"), tmp_path)
    assert found == dict.fromkeys(battery.CHECKS)


@pytest.mark.parametrize("check", battery.CHECKS)
def test_each_check_finds_its_mistake(tmp_path, check):
    file, there, instead = MISTAKES[check]
    staged = staged_worker(tmp_path / "staged")
    path = staged / "trivet_worker" / "frameworks" / "numpy" / file
    text = path.read_text()
    assert there in text
    path.write_text(text.replace(there, instead))
    found = _findings(staged, tmp_path)
    assert found[check] is not None, found
