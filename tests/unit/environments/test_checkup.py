from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest

from trivet import catalog
from trivet.environments import cache, checkup
from trivet.environments.build import ensure
from trivet.environments.checkup import BROKEN, NOT_BUILT, OK, UNSUPPORTED, examine
from trivet.environments.plan import plan_for

FACTS = {
    "python": "3.11.7",
    "versions": {"jax": "0.10.2"},
    "devices": [
        {"kind": "cpu", "name": "cpu", "memory_bytes": None},
        {"kind": "cuda", "name": "NVIDIA H200", "memory_bytes": 141 * 2**30},
    ],
    "import_seconds": 0.5,
}


@pytest.fixture
def probed(monkeypatch) -> list:
    """Let there be JAX only, whose probe answers with `FACTS`; collect what was probed."""
    jax = catalog.framework("jax")
    seen = []

    def probe(environment, info):
        seen.append(environment.python)
        return FACTS

    monkeypatch.setattr(catalog, "frameworks", lambda: {"jax": jax})
    monkeypatch.setattr(checkup, "default_accelerator", lambda: "cpu")
    monkeypatch.setattr(checkup, "_probe", probe)
    return seen


def build(version=None):
    return ensure(plan(version), report=lambda line: None)


def plan(version=None):
    return plan_for(catalog.framework("jax"), version=version, accelerator="cpu")


def test_what_is_not_built_is_no_fault(fakes, probed):
    (finding,) = examine({})
    assert (finding.state, finding.repair) == (NOT_BUILT, "trivet env create jax")
    assert probed == []


def test_a_sound_environment_says_what_it_sees(fakes, probed):
    build()
    (finding,) = examine({})
    assert (finding.state, finding.versions, finding.repair) == (OK, FACTS["versions"], "")
    assert finding.devices == ("cpu", "cuda (NVIDIA H200, 141 GiB)")
    assert finding.environment == cache.name_of(plan())


def test_every_version_that_is_built_is_examined(fakes, probed):
    build("0.9.2")
    missing, other = examine({})
    assert (missing.state, other.state) == (NOT_BUILT, OK)
    build()
    assert [finding.state for finding in examine({})] == [OK, OK]


def test_a_framework_that_does_not_import(fakes, probed, monkeypatch):
    build()
    monkeypatch.setattr(checkup, "_probe", lambda environment, info: "ImportError: libcudart.so.12")
    (finding,) = examine({})
    assert (finding.state, finding.problem) == (BROKEN, "ImportError: libcudart.so.12")
    name = cache.name_of(plan())
    assert (
        finding.repair
        == f"trivet env remove {name} && trivet env create jax@{plan().version} --accelerator cpu"
    )


def test_a_package_that_was_changed_by_hand(fakes, probed):
    environment = build()
    site = next((Path(environment.python).parent.parent / "lib").glob("python*/site-packages"))
    next(site.glob("numpy-*.dist-info")).rename(site / "numpy-1.0.dist-info")
    metadata = site / "numpy-1.0.dist-info" / "METADATA"
    metadata.write_text("Name: numpy\nVersion: 1.0\n")
    (finding,) = examine({})
    assert finding.state == BROKEN
    assert f"numpy {environment.packages['numpy']}, now 1.0" in finding.problem


def test_a_python_that_no_longer_runs(fakes, probed):
    python = Path(build().python)
    python.unlink()
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    (finding,) = examine({})
    assert finding.state == BROKEN
    assert "does not run" in finding.problem


def test_a_python_without_wheels(fakes, probed, monkeypatch):
    jax = dataclasses.replace(catalog.framework("jax"), python=">=3.7,<3.8")
    monkeypatch.setattr(catalog, "frameworks", lambda: {"jax": jax})
    (finding,) = examine({})
    assert finding.state == UNSUPPORTED
    assert "no wheel for Python" in finding.problem


def test_the_users_own_interpreter_is_examined_instead(fakes, probed):
    build()
    (finding,) = examine({"jax": sys.executable})
    assert (finding.state, finding.environment) == (BROKEN, sys.executable)
    assert "lacks jax" in finding.problem
    assert "pip install jax" in finding.repair
