"""A gate that nobody has seen fail is no gate: mistakes in real model files, found through real workers.

The unmodified programs are traced once for each workload; a fault costs one trace more.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from planted_faults import BASE_VARIANTS, COMPILED_VARIANTS, FAULTS, FULL_ONLY, SIZES, Fault, plant
from trivet import catalog
from trivet.environments.build import ensure
from trivet.environments.own import own
from trivet.environments.plan import plan_for
from trivet.errors import TrivetError
from trivet.launch.stage import Staged, stage
from trivet.model.catalog import WorkloadInfo
from trivet.model.contestant import parse_contestant
from trivet.model.environment import Environment
from trivet.model.measurement import Failure
from trivet.parity.gate import run_gate, trace_arguments
from trivet.parity.initial import initial_values
from trivet.parity.judge import judge
from trivet.parity.trace import Trace
from trivet.parity.tracing import Entrant, Tracing
from trivet_command import EXTENSIONS

pytestmark = pytest.mark.real

ALL = (*BASE_VARIANTS.values(), *COMPILED_VARIANTS.values())

KINDS = {
    "epsilon",
    "momentum of the running statistics",
    "SAME padding at stride 2",
    "pooling padding",
    "average-pool border",
    "stride on the wrong convolution",
    "missing bias",
    "transposed square kernel",
    "flatten order",
    "GELU form",
    "LayerNorm epsilon",
    "softmax in lower precision",
    "causal mask off by one",
    "attention scale",
    "momentum form",
    "coupled weight decay",
    "Adam epsilon placement",
    "clip by tensor",
    "schedule off by one step",
    "mean against sum",
    "label smoothing",
    "dropout left on",
    "frozen layer",
    "tied weights untied",
}
"""What must be planted by `make test` already; an undeclared rule and initial values have tests of their own."""


@functools.cache
def environment(framework: str) -> Environment:
    """Return the environment that ``TRIVET_TEST_PYTHON_<FRAMEWORK>`` names, else the one that trivet builds."""
    info = catalog.framework(framework)
    named = os.environ.get(f"TRIVET_TEST_PYTHON_{framework.upper()}")
    try:
        if named:
            return own(info, named)
        return ensure(plan_for(info, version=None, accelerator="cpu"), report=lambda line: None)
    except TrivetError as error:
        pytest.fail(f"{error.message} {error.remedy}")


def entrant(label: str) -> Entrant:
    contestant = parse_contestant(label)
    return Entrant(
        contestant=contestant,
        framework=catalog.framework(contestant.framework),
        environment=environment(contestant.framework),
    )


def workloads() -> dict[str, WorkloadInfo]:
    """Return trivet's workloads and those of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIVET_EXTENSIONS", str(EXTENSIONS))
        return catalog.workloads()


def small(workload: str) -> WorkloadInfo:
    return dataclasses.replace(workloads()[workload], sizes=SIZES[workload])


class Bench:
    """Traces programs, keeping their tensors as long as the tests run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._references: dict[str, dict[str, Trace]] = {}
        self.staged = stage(catalog.frameworks().values(), workloads().values(), folder=folder / "staged")

    def traces(self, workload: str, labels: Sequence[str], staged: Staged) -> dict[str, Trace]:
        number = len(list(self._folder.iterdir()))
        arrays = self._folder / f"arrays-{number}"
        arrays.mkdir()
        tracing = Tracing(
            title=workload,
            staged=staged,
            arrays=arrays,
            compile_caches=self._folder / "compiled",
            log=lambda one: arrays / f"{one.contestant.slug}.txt",
            cpus=(),
        )
        entrants = {label: entrant(label) for label in labels}
        found = tracing.run(
            {label: (one, trace_arguments(small(workload), one, seed=0)) for label, one in entrants.items()},
            lambda text: None,
        )
        return {label: checked(outcome) for label, outcome in found.items()}

    def references(self, workload: str, labels: Sequence[str]) -> dict[str, Trace]:
        """Return the unmodified programs' traces."""
        known = self._references.setdefault(workload, {})
        missing = [label for label in labels if label not in known]
        if missing:
            known |= self.traces(workload, missing, self.staged)
        return {label: known[label] for label in labels}

    def planted(self, fault: Fault, labels: Sequence[str]) -> dict[str, Trace]:
        """Return the traces of contestants of the fault's framework, with the fault in their code."""
        number = len(list(self._folder.iterdir()))
        return self.traces(
            fault.workload, labels, plant(self.staged, fault.edits, self._folder / f"planted-{number}")
        )


def checked(outcome: Trace | Failure) -> Trace:
    assert isinstance(outcome, Trace), outcome
    return outcome


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("planted"))


def names(fault: Fault) -> str:
    return f"{fault.framework}-{fault.kind}-{fault.workload}-{fault.ours.get('momentum', '')}".replace(
        " ", "-"
    ).rstrip("-")


def expect(fault: Fault, traces: Mapping[str, Trace]) -> None:
    """Assert that exactly the faulty contestants are named, with the right layer or rule and cause."""
    faulty = {label for label in traces if label.startswith(f"{fault.framework}:")}
    reference, verdicts = judge(list(traces.values()))
    assert set(reference) == set(traces) - faulty
    for label, verdict in verdicts.items():
        assert verdict.equal is (label not in faulty), label
    for label in faulty:
        found = verdicts[label].first_difference
        assert found is not None
        assert (found.check, found.where) == (fault.check, fault.where), found
        assert fault.words in found.cause, found
        assert parts(found.ours, fault.ours) == fault.ours, found
        assert parts(found.theirs, fault.theirs) == fault.theirs, found
        assert found.error is None or found.error > found.limit, found


def parts(found: Mapping[str, Any], expected: Mapping[str, Any]) -> dict[str, Any]:
    return {name: found.get(name) for name in expected}


@pytest.mark.parametrize(
    "workload",
    [pytest.param(name, marks=[pytest.mark.full] if name in FULL_ONLY else []) for name in SIZES],
)
def test_unmodified_programs_are_equal(bench: Bench, workload: str) -> None:
    traces = bench.references(workload, list(BASE_VARIANTS.values()))
    reference, verdicts = judge(list(traces.values()))
    assert reference == tuple(traces), verdicts
    for verdict in verdicts.values():
        # a loss that has vanished after some steps is all rounding, and held to the later steps' limit
        assert max(error for check, error in verdict.worst.items() if check != "loss") < 1e-10, verdict.worst


@pytest.mark.full
@pytest.mark.parametrize("workload", SIZES)
def test_unmodified_programs_are_equal_in_every_variant(bench: Bench, workload: str) -> None:
    traces = bench.references(workload, ALL)
    reference, verdicts = judge(list(traces.values()))
    assert reference == tuple(traces), verdicts


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=names(fault), marks=[] if fault.quick else [pytest.mark.full])
        for fault in FAULTS
    ],
)
def test_a_planted_fault_is_found(bench: Bench, fault: Fault) -> None:
    label = BASE_VARIANTS[fault.framework]
    traces = bench.references(fault.workload, list(BASE_VARIANTS.values()))
    expect(fault, traces | bench.planted(fault, [label]))


@pytest.mark.full
@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, id=names(fault)) for fault in FAULTS if fault.framework in COMPILED_VARIANTS],
)
def test_a_planted_fault_is_found_in_compiled_variants(bench: Bench, fault: Fault) -> None:
    label = COMPILED_VARIANTS[fault.framework]
    others = [one for framework, one in BASE_VARIANTS.items() if framework != fault.framework]
    expect(fault, bench.references(fault.workload, others) | bench.planted(fault, [label]))


@pytest.mark.parametrize(
    ("label", "declared", "actual"),
    [
        ("torch:eager", "biased", "unbiased"),
        ("tensorflow:graph", "unbiased", "biased"),
        ("jax:jit", "unbiased", "biased"),
    ],
)
def test_a_running_variance_of_another_form_than_declared_is_found(
    bench: Bench, label: str, declared: str, actual: str
) -> None:
    traces = bench.references("resnet18", list(BASE_VARIANTS.values()))
    conventions = {**traces[label].conventions, "running_variance": declared}
    traces[label] = dataclasses.replace(traces[label], conventions=conventions)
    _, verdicts = judge(list(traces.values()))
    assert [name for name, verdict in verdicts.items() if not verdict.equal] == [label]
    found = verdicts[label].first_difference
    assert found is not None
    assert (found.check, found.where) == ("rule", "running variance")
    assert found.ours == {"running_variance": actual}


def test_every_kind_and_every_framework_are_planted_in_make_test() -> None:
    planted = [fault for fault in FAULTS if fault.quick]
    assert {fault.kind for fault in planted} >= KINDS
    assert {fault.framework for fault in planted} == set(BASE_VARIANTS)


@pytest.mark.parametrize(
    ("label", "rule", "declared", "actual"),
    [
        ("torch:eager", "adam_epsilon", "before_correction", "after_correction"),
        ("tensorflow:graph", "adam_epsilon", "after_correction", "before_correction"),
        ("jax:jit", "adam_epsilon", "before_correction", "after_correction"),
        ("torch:eager", "clipping", "exact", "guarded"),
        ("tensorflow:graph", "clipping", "guarded", "exact"),
        ("jax:jit", "clipping", "guarded", "exact"),
    ],
)
def test_an_update_of_another_form_than_declared_is_found(
    bench: Bench, label: str, rule: str, declared: str, actual: str
) -> None:
    traces = bench.references("transformer", list(BASE_VARIANTS.values()))
    traces[label] = dataclasses.replace(
        traces[label], conventions={**traces[label].conventions, rule: declared}
    )
    _, verdicts = judge(list(traces.values()))
    assert [name for name, verdict in verdicts.items() if not verdict.equal] == [label]
    found = verdicts[label].first_difference
    assert found is not None
    assert (found.check, found.where) == ("rule", rule.replace("_", " "))
    assert (found.ours, found.theirs) == ({rule: actual}, {rule: declared})


def test_what_differs_by_convention_is_said_and_ranks_all_the_same(bench: Bench) -> None:
    traces = bench.references("transformer", list(BASE_VARIANTS.values()))
    _, verdicts = judge(list(traces.values()))
    assert all(verdict.equal for verdict in verdicts.values())
    said = {label: " ".join(verdict.by_convention) for label, verdict in verdicts.items()}
    assert "Adam's epsilon: epsilon added before the bias correction" in said["tensorflow:graph"]
    assert "clipping: gradients times min(1, c/(‖g‖ + 1e-6))" in said["torch:eager"]
    assert said["jax:jit"] == ""


def test_other_initial_values_are_told_apart_and_block_nothing(bench: Bench) -> None:
    traces = list(bench.references("mlp", list(BASE_VARIANTS.values())).values())
    found = {one.tensor: one.scales for one in initial_values(traces)}
    assert found["fc1.bias"]["torch:eager"] > 0
    assert found["fc1.bias"]["jax:jit"] == 0
    assert found["fc1.weight"]["torch:eager"] == pytest.approx((3 * 24) ** -0.5, rel=0.1)
    _, verdicts = judge(traces)
    assert all(verdict.equal for verdict in verdicts.values())


def test_the_whole_gate_withholds_one_and_remembers(bench: Bench, tmp_path: Path) -> None:
    fault = next(fault for fault in FAULTS if fault.kind == "mean against sum" and fault.framework == "jax")
    staged = plant(bench.staged, fault.edits, tmp_path / "staged")
    said: list[str] = []
    entrants = [entrant(label) for label in BASE_VARIANTS.values()]

    def gate():
        return run_gate(
            small("linear"),
            entrants,
            staged,
            folder=tmp_path / "gates",
            logs=tmp_path / "logs",
            report=said.append,
        )

    first = gate()
    assert first.reference == ("torch:eager", "tensorflow:graph")
    assert first.verdicts["jax:jit"].first_difference.where == "loss reduction"
    assert not first.cached
    assert said[-1] == "parity of linear: comparing"
    assert not list((tmp_path / "gates").glob("scratch*"))
    again = gate()
    assert again.cached
    assert (again.verdicts, again.reference, again.digest) == (first.verdicts, first.reference, first.digest)
