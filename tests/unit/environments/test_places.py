from __future__ import annotations

import sys

import pytest

from trivet.environments.places import places
from trivet.model.environment import Plan

TAG = "cp{}{}".format(*sys.version_info[:2])


@pytest.fixture(autouse=True)
def on_linux(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("UV_FIND_LINKS", "UV_INDEX", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path))


def plan(framework="torch", accelerator="cpu", requirements=("torch==2.13.0", "numpy==2.4.6")):
    return Plan(
        framework=framework,
        version="2.13.0",
        accelerator=accelerator,
        python="3.11",
        requirements=requirements,
        pinned=True,
        digest="0",
    )


def offered(asked, pip_settings=None, size=None):
    return [
        (place.source, place.requirements[0], place.torch_backend)
        for place in places(asked, pip_settings or {}, size)
    ]


def test_a_cpu_build_of_torch_is_taken_from_torchs_own_index_first():
    assert offered(plan()) == [("torch-backend", "torch==2.13.0", "cpu"), ("index", "torch==2.13.0", None)]


def test_a_cpu_wheel_of_the_users_comes_before_all(tmp_path):
    wheel = tmp_path / f"torch-2.13.0+cpu-{TAG}-none-any.whl"
    wheel.write_text("")
    found = places(plan(), {"find-links": str(tmp_path)}, None)
    assert [place.source for place in found] == ["find-links", "torch-backend", "index"]
    assert found[0].requirements == ("torch==2.13.0+cpu", "numpy==2.4.6")
    assert str(wheel) in found[0].heading


@pytest.mark.parametrize(
    ("pip_settings", "source"),
    [
        ({"find-links": "https://wheels.example/"}, "find-links"),
        ({"extra-index-url": "https://mirror.example/simple"}, "index"),
    ],
)
def test_the_users_own_addresses_are_asked_for_a_cpu_build(pip_settings, source):
    found = places(plan(), pip_settings, None)
    assert (found[0].source, found[0].requirements[0]) == (source, "torch==2.13.0+cpu")
    assert found[0].optional
    assert [place.source for place in found[1:]] == ["torch-backend", "index"]


def test_the_plain_index_says_its_size_beforehand():
    heading = places(plan(), {}, 2_757_653_410)[-1].heading
    assert "2.8 GB" in heading
    assert "CUDA" in heading
    assert "some gigabytes" in places(plan(), {}, None)[-1].heading


def test_elsewhere_than_on_linux_the_plain_index_has_cpu_builds(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert offered(plan()) == [("index", "torch==2.13.0", None)]
    assert "CUDA" not in places(plan(), {}, 10**9)[0].heading


def test_other_frameworks_have_cpu_builds_on_the_plain_index():
    asked = plan("jax", requirements=("jax==0.10.2", "numpy==2.4.6"))
    assert offered(asked, {"extra-index-url": "https://mirror.example/simple"}) == [
        ("index", "jax==0.10.2", None)
    ]
    assert places(asked, {}, 174_000_000)[0].heading.endswith("about 174 MB unless cached")


def test_with_a_gpu_a_cpu_build_is_never_taken(tmp_path):
    (tmp_path / f"torch-2.13.0+cpu-{TAG}-none-any.whl").write_text("")
    assert offered(plan(accelerator="cuda"), {"find-links": str(tmp_path)}) == [
        ("torch-backend", "torch==2.13.0,!=2.13.0+cpu", "auto"),
        ("index", "torch==2.13.0,!=2.13.0+cpu", None),
    ]


def test_a_build_that_the_user_named_is_left_alone():
    asked = plan(requirements=("torch==2.13.0+cpu", "numpy"))
    assert offered(asked, {"extra-index-url": "https://mirror.example/simple"})[0] == (
        "torch-backend",
        "torch==2.13.0+cpu",
        "cpu",
    )


def test_torch_that_another_framework_needs_is_treated_alike():
    asked = plan("keras-torch", requirements=("keras==3.15.1", "torch==2.13.0"))
    assert [place.source for place in places(asked, {}, None)] == ["torch-backend", "index"]
