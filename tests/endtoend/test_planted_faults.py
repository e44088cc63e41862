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

from planted_faults import BASE_VARIANTS, COMPILED_VARIANTS, FAULTS, SIZES, Fault, plant
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
from trivet.parity.judge import judge
from trivet.parity.trace import Trace
from trivet.parity.tracing import Entrant, Tracing

pytestmark = pytest.mark.real

ALL = (*BASE_VARIANTS.values(), *COMPILED_VARIANTS.values())


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


def small(workload: str) -> WorkloadInfo:
    return dataclasses.replace(catalog.workload(workload), sizes=SIZES[workload])


class Bench:
    """Traces programs, keeping their tensors as long as the tests run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._references: dict[str, dict[str, Trace]] = {}
        self.staged = stage(
            catalog.frameworks().values(), catalog.workloads().values(), folder=folder / "staged"
        )

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
    return f"{fault.framework}-{fault.kind}-{fault.ours.get('momentum', '')}".replace(" ", "-").rstrip("-")


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


@pytest.mark.parametrize("workload", SIZES)
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
    [("torch:eager", "biased", "unbiased"), ("jax:jit", "unbiased", "biased")],
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


def test_at_least_six_kinds_and_every_framework_are_planted_in_make_test() -> None:
    planted = [fault for fault in FAULTS if fault.quick]
    assert len({fault.kind for fault in planted}) >= 6
    assert {fault.framework for fault in planted} == set(BASE_VARIANTS)


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
