from __future__ import annotations

import dataclasses
import sys

import pytest

from trivet import catalog
from trivet.environments import plan as plans
from trivet.environments.failures import NotOffered
from trivet.environments.plan import plan_for
from trivet.errors import UsageError

PYTHON = "{}.{}".format(*sys.version_info[:2])


def test_the_default_is_the_pinned_set():
    plan = plan_for(catalog.framework("jax"), version=None, accelerator="cpu")
    assert plan.pinned
    assert plan.python == PYTHON
    assert plan.requirements[0] == f"jax=={plan.version}"
    assert {text.partition("==")[0] for text in plan.requirements} == {
        "jax",
        "jaxlib",
        "flax",
        "optax",
        "numpy",
    }


def test_a_pinned_version_may_be_asked_for_by_its_beginning():
    plan = plan_for(catalog.framework("jax"), version="0.9", accelerator="cpu")
    assert plan.pinned
    assert plan.version == "0.9.2"
    assert "jaxlib==0.9.2" in plan.requirements


def test_another_version_is_completed_by_the_installer():
    plan = plan_for(catalog.framework("jax"), version="0.8.1", accelerator="cpu")
    assert not plan.pinned
    assert plan.requirements == ("jax==0.8.1", "flax", "optax", "numpy")


def test_a_framework_without_pins_takes_the_newest(jax):
    plan = plan_for(jax, version=None, accelerator="cpu")
    assert plan.version == plans.NEWEST
    assert plan.requirements == ("jax", "flax", "optax", "numpy")


def test_a_gpu_gets_its_own_requirements():
    plan = plan_for(catalog.framework("tensorflow"), version=None, accelerator="cuda")
    assert plan.requirements[0].startswith("tensorflow[and-cuda]==")


def test_an_environment_may_be_shared(monkeypatch):
    guest = dataclasses.replace(catalog.framework("jax"), name="keras-jax", requirements={})
    assert plan_for(guest, version=None, accelerator="cpu") == plan_for(
        catalog.framework("jax"), version=None, accelerator="cpu"
    )


@pytest.mark.parametrize("pinned", [True, False])
def test_no_wheel_for_this_python_names_those_that_have_one(jax, monkeypatch, pinned):
    info = catalog.framework("jax") if pinned else jax
    monkeypatch.setattr(sys, "version_info", (3, 15, 1))
    with pytest.raises(NotOffered) as raised:
        plan_for(info, version=None, accelerator="cpu")
    assert "no wheel for Python 3.15.1" in raised.value.message
    assert "3.11, 3.12, 3.13, 3.14" in raised.value.message
    assert "--python jax=" in raised.value.remedy
    assert raised.value.kind == "unsupported"


def test_an_accelerator_that_is_not_offered():
    info = dataclasses.replace(catalog.framework("jax"), requirements={"cpu": ("jax=={version}",)})
    with pytest.raises(NotOffered, match="no environment for cuda, only for cpu"):
        plan_for(info, version=None, accelerator="cuda")


def test_what_is_no_version_is_refused():
    with pytest.raises(UsageError, match="not a version"):
        plan_for(catalog.framework("jax"), version="latest", accelerator="cpu")


def test_whatever_changes_an_environment_changes_its_digest(jax, monkeypatch):
    def digest():
        return plan_for(jax, version="0.8.1", accelerator="cpu").digest

    first = digest()
    assert digest() == first
    others = {plan_for(jax, version="0.8.2", accelerator="cpu").digest}
    others.add(plan_for(jax, version="0.8.1", accelerator="cuda").digest)
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    others.add(digest())
    assert len({first, *others}) == 4


def test_the_digest_of_an_own_interpreter_changes_with_its_packages():
    info = catalog.framework("jax")

    def digest(version):
        return plans.own_plan(info, python="3.10", path="/p", packages={"jax": version}).digest

    assert digest("1.0") == digest("1.0") != digest("1.1")
