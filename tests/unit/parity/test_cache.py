from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from numpy_contestants import this_environment
from trivet.model.measurement import Failure
from trivet.model.parity import Difference, InitialValues, ParityReport, Verdict
from trivet.parity import cache

KEYS = {"torch:eager": "k1", "tensorflow:graph": "k2", "jax:jit": "k3"}
EQUAL = Verdict(
    equal=True, worst={"loss": 1e-15}, first_difference=None, by_convention=("momentum: ...",), note="n"
)
WRONG = Verdict(
    equal=False,
    worst={"loss": 0.5},
    first_difference=Difference(
        check="loss", where="loss reduction", error=0.5, limit=1e-9, cause="c", ours={"a": [1]}, theirs={}
    ),
    by_convention=(),
)


def report(**verdicts: Verdict) -> ParityReport:
    named = {label: verdicts.get(label.split(":")[0], EQUAL) for label in KEYS}
    return ParityReport(
        workload="mlp",
        reference=tuple(label for label, verdict in named.items() if verdict.equal),
        verdicts=named,
        cached=False,
        seconds=12.0,
        digest=cache.report_digest(KEYS),
    )


def failed(status: str) -> Verdict:
    failure = Failure(status=status, stage="parity", message="m", log="logs/x")
    return Verdict(equal=None, worst={}, first_difference=None, by_convention=(), failure=failure)


def test_a_report_comes_back_as_it_was(tmp_path: Path):
    kept = report(jax=WRONG)
    cache.keep(tmp_path, KEYS, kept)
    assert cache.find(tmp_path, KEYS) == dataclasses.replace(kept, cached=True, seconds=0.0)
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


def test_nothing_is_known_at_first(tmp_path: Path):
    assert cache.find(tmp_path / "none", KEYS) is None


@pytest.mark.parametrize("label", KEYS)
def test_another_trace_is_another_question(tmp_path: Path, label: str):
    cache.keep(tmp_path, KEYS, report())
    assert cache.find(tmp_path, {**KEYS, label: "changed"}) is None


def test_equal_in_large_company_is_equal_in_small(tmp_path: Path):
    cache.keep(tmp_path, KEYS, report())
    found = cache.find(tmp_path, {"jax:jit@0.10.2": "k3", "torch:eager": "k1"})
    assert found is not None
    assert found.reference == ("jax:jit@0.10.2", "torch:eager")
    verdict = found.verdicts["jax:jit@0.10.2"]
    assert verdict == dataclasses.replace(EQUAL, note=verdict.note)
    assert "Compared earlier, with tensorflow:graph as well" in verdict.note  # the differences are to it, too
    assert found.cached


def test_a_difference_in_large_company_says_nothing_of_a_small_one(tmp_path: Path):
    cache.keep(tmp_path, KEYS, report(jax=WRONG))
    assert cache.find(tmp_path, {"jax:jit": "k3", "torch:eager": "k1"}) is None
    assert cache.find(tmp_path, {"tensorflow:graph": "k2", "torch:eager": "k1"}) is not None


@pytest.mark.parametrize(("status", "kept"), [("unsupported", True), ("failed", False), ("timed_out", False)])
def test_a_failure_that_may_not_happen_again_is_not_kept(tmp_path: Path, status: str, kept: bool):
    cache.keep(tmp_path, KEYS, report(jax=failed(status)))
    found = cache.find(tmp_path, KEYS)
    assert (found is not None) is kept
    if found is not None:
        assert found.verdicts["jax:jit"].failure.message == "m"


@pytest.mark.parametrize("damage", ["", "{}", "[1", '{"format": 1}', "null"])
def test_a_damaged_report_is_no_report(tmp_path: Path, damage: str):
    cache.keep(tmp_path, KEYS, report())
    (path,) = tmp_path.iterdir()
    path.write_text(damage)
    assert cache.find(tmp_path, KEYS) is None
    assert cache.find(tmp_path, {"jax:jit": "k3"}) is None


def test_a_report_of_another_gate_does_not_count(tmp_path: Path):
    cache.keep(tmp_path, KEYS, report())
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text()), "gate": "older"}))
    assert cache.find(tmp_path, {"jax:jit": "k3"}) is None


def test_a_trace_is_known_by_everything_it_depends_on():
    base = {
        "code": "c",
        "arguments": {"job": {"seed": 0}},
        "environment": this_environment(),
        "variables": {},
    }
    packages = dataclasses.replace(this_environment(), packages={"torch": "2.14"})
    python = dataclasses.replace(
        this_environment(), plan=dataclasses.replace(this_environment().plan, python="3.12")
    )
    own = this_environment(own=True)
    changed = [
        {**base, "code": "d"},
        {**base, "arguments": {"job": {"seed": 1}}},
        {**base, "environment": packages},
        {**base, "environment": python},
        {**base, "environment": own},
        {**base, "variables": {"OMP_NUM_THREADS": "1"}},
    ]
    keys = {cache.trace_key(**one) for one in (base, *changed)}
    assert len(keys) == 1 + len(changed)
    assert cache.trace_key(**base) == cache.trace_key(**base)


def test_other_initial_values_are_kept_and_told_of_a_smaller_company(tmp_path: Path):
    scales = {"torch:eager": 0.02, "tensorflow:graph": 0.04, "jax:jit": 0.04}
    kept = dataclasses.replace(report(), initial_values=(InitialValues(tensor="fc.weight", scales=scales),))
    cache.keep(tmp_path, KEYS, kept)
    assert cache.find(tmp_path, KEYS).initial_values == kept.initial_values
    (one,) = cache.find(tmp_path, {"torch:eager": "k1", "jax:jit": "k3"}).initial_values
    assert one.scales == {"torch:eager": 0.02, "jax:jit": 0.04}
    assert cache.find(tmp_path, {"tensorflow:graph": "k2", "jax:jit": "k3"}).initial_values == ()
