"""In which order places and installers are tried, how they are called, and what is said when they fail."""

from __future__ import annotations

import sys

import pytest

import fake_installers
from trivet import catalog
from trivet.environments import cache, places
from trivet.environments.build import ensure
from trivet.environments.failures import (
    Conflict,
    DiskFull,
    IndexUnreachable,
    InstallFailed,
    NoWheel,
    VersionNotFound,
)
from trivet.environments.installers import pip
from trivet.environments.plan import plan_for
from trivet.errors import BrokenEnvironment, UsageError

TAG = "cp{}{}".format(*sys.version_info[:2])
UNREACHABLE = "error: Request failed after 3 retries\n  cause: dns error"


@pytest.fixture(autouse=True)
def on_linux(monkeypatch):
    monkeypatch.setattr(places.sys, "platform", "linux")


def torch():
    return plan_for(catalog.framework("torch"), version=None, accelerator="cpu")


def jax(version=None):
    return plan_for(catalog.framework("jax"), version=version, accelerator="cpu")


def order(fakes):
    """Return who was asked to install, and by which backend."""
    return [
        (call["installer"], "cpu" if "--torch-backend" in call["arguments"] else None)
        for call in fakes.installs
    ]


def test_uv_installs_and_compiles(fakes, said, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("UV_PYTHON", "3.9")
    monkeypatch.setenv("VIRTUAL_ENV", "/elsewhere")
    environment = ensure(jax(), report=said.append)
    folder = cache.folder_of(jax())
    make, install = fakes.calls
    assert make["arguments"][0] == "venv"
    assert make["arguments"][-3:] == ["--python", sys.executable, str(folder)]
    assert install["arguments"] == [
        *("pip", "install", "--python", str(folder / "bin" / "python"), "--compile-bytecode"),
        *jax().requirements,
    ]
    assert install["folder"] != "/"  # a neutral folder, not the user's
    assert install["folder"].startswith(str(folder))
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "UV_PYTHON", "VIRTUAL_ENV"):
        assert name not in install["variables"]
    assert (environment.installer, environment.source) == ("uv", "index")
    assert environment.packages["jax"] == jax().version


def test_the_users_pip_settings_reach_uv(tmp_path, monkeypatch, said):
    settings = {
        "index-url": "https://mirror.example/simple",
        "extra-index-url": "https://more.example/simple",
    }
    fakes = fake_installers.put(tmp_path / "fakes", monkeypatch, pip_settings=settings)
    ensure(jax(), report=said.append)
    variables = fakes.installs[0]["variables"]
    assert variables["UV_DEFAULT_INDEX"] == "https://mirror.example/simple"
    assert variables["UV_INDEX"] == "https://more.example/simple"
    assert variables["UV_INDEX_STRATEGY"] == "unsafe-best-match"


def test_offline_is_passed_on(fakes, said):
    ensure(jax(), report=said.append, offline=True)
    assert "--offline" in fakes.installs[0]["arguments"]


def test_a_cpu_wheel_of_the_users_is_taken_first(tmp_path, monkeypatch, said):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / f"torch-{torch().version}+cpu-{TAG}-none-any.whl").write_text("")
    fakes = fake_installers.put(tmp_path / "fakes", monkeypatch, pip_settings={"find-links": str(wheels)})
    environment = ensure(torch(), report=said.append)
    assert environment.source == "find-links"
    assert f"torch=={torch().version}+cpu" in fakes.installs[0]["arguments"]
    assert fakes.installs[0]["variables"]["UV_FIND_LINKS"] == str(wheels)
    assert environment.packages["torch"] == f"{torch().version}+cpu"


def test_torchs_own_index_comes_second(fakes, said):
    assert ensure(torch(), report=said.append).source == "torch-backend"
    assert order(fakes) == [("uv", "cpu")]
    arguments = fakes.installs[0]["arguments"]
    assert arguments[arguments.index("--torch-backend") + 1] == "cpu"


def test_the_plain_index_comes_last_and_says_its_size(fakes, said):
    fakes.tell("uv", "--torch-backend", UNREACHABLE)
    assert ensure(torch(), report=said.append).source == "index"
    assert order(fakes) == [("uv", "cpu"), ("uv", None)]
    assert "torch: uv --torch-backend cpu: torch's own index cannot be reached" in said
    size = next(line for line in said if "from the package index" in line)
    assert "GB" in size
    assert "CUDA libraries included" in size


def test_pip_is_tried_once_where_uv_cannot(fakes, said):
    fakes.tell("uv", "pip install", UNREACHABLE)
    environment = ensure(jax(), report=said.append)
    assert order(fakes) == [("uv", None), ("pip", None)]
    assert environment.installer == "pip"
    assert "jax: that failed; now with pip" in said
    arguments = fakes.installs[1]["arguments"]
    assert arguments[:3] == ["--python", environment.python, "install"]
    assert {"--compile", "--no-input"} <= set(arguments)
    assert arguments[-len(jax().requirements) :] == list(jax().requirements)


def test_pip_does_not_try_for_minutes_what_uv_could_not_reach(fakes, said):
    fakes.tell("uv", "pip install", UNREACHABLE)
    ensure(jax(), report=said.append)
    arguments = fakes.installs[1]["arguments"]
    assert arguments[arguments.index("--retries") + 1] == "1"


def test_pip_also_where_uv_cannot_even_make_the_environment(fakes, said):
    fakes.tell("uv", "venv", "Illegal instruction")
    environment = ensure(jax(), report=said.append)
    assert environment.installer == "pip"
    assert "--retries" not in fakes.installs[0]["arguments"]


def test_pip_alone_where_uv_is_missing(tmp_path, monkeypatch, said):
    fakes = fake_installers.put(tmp_path / "fakes", monkeypatch, has_uv=False)
    assert ensure(torch(), report=said.append).source == "index"
    assert order(fakes) == [("pip", None)]


def test_the_user_may_choose_the_installer(fakes, said, monkeypatch):
    monkeypatch.setenv("TRIVET_INSTALLER", "pip")
    monkeypatch.setenv("PIP_TARGET", "/somewhere")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://mine.example/simple")
    ensure(jax(), report=said.append)
    (call,) = fakes.installs
    assert call["installer"] == "pip"
    assert "PIP_TARGET" not in call["variables"]
    assert call["variables"]["PIP_USER"] == "0"
    assert call["variables"]["PIP_INDEX_URL"] == "https://mine.example/simple"


def test_an_unknown_installer_is_refused(fakes, said, monkeypatch):
    monkeypatch.setenv("TRIVET_INSTALLER", "conda")
    with pytest.raises(UsageError, match="'conda'; it may be uv or pip"):
        ensure(jax(), report=said.append)


def test_no_installer_at_all(tmp_path, monkeypatch, said):
    fake_installers.put(tmp_path / "fakes", monkeypatch, has_uv=False)
    monkeypatch.setattr(pip, "program", lambda: None)
    with pytest.raises(BrokenEnvironment, match="Neither uv nor pip"):
        ensure(jax(), report=said.append)


def test_a_version_that_does_not_exist_names_its_neighbours(fakes, said):
    fakes.tell("uv", "jax==0.9.7", "Because there is no version of jax==0.9.7 and you require jax==0.9.7")
    fakes.tell("pip", "index versions", "Available versions: 0.10.2, 0.9.2, 0.9.1, 0.8.0", status=0)
    with pytest.raises(VersionNotFound) as raised:
        ensure(jax("0.9.7"), report=said.append)
    assert order(fakes) == [("uv", None)]
    assert "jax 0.9.7 does not exist" in raised.value.message
    assert "Near it: 0.9.2, 0.9.1" in raised.value.message
    assert "The newest for Python 3" in raised.value.message


def test_a_missing_version_behind_a_constraint_is_still_a_missing_version(fakes, said):
    fakes.tell(
        "uv",
        "jax==9.9",
        "you require jax==9.9 and jax<=1, we can conclude that your requirements are unsatisfiable.",
    )
    fakes.tell("pip", "index versions", "Available versions: 0.10.2, 0.9.2", status=0)
    with pytest.raises(VersionNotFound):
        ensure(jax("9.9"), report=said.append)


def test_a_constraint_that_forbids_a_version_is_named(tmp_path, monkeypatch, said):
    settings = {"constraint": "/etc/constraints.txt"}
    fakes = fake_installers.put(tmp_path / "fakes", monkeypatch, pip_settings=settings)
    fakes.tell(
        "uv",
        "jax==0.8.1",
        "Because you require jax==0.8.1 and jax<=0.7, your requirements are unsatisfiable.",
    )
    fakes.tell("pip", "index versions", "Available versions: 0.8.1", status=0)
    with pytest.raises(Conflict) as raised:
        ensure(jax("0.8.1"), report=said.append)
    assert "jax<=0.7" in raised.value.message
    assert "/etc/constraints.txt" in raised.value.remedy


def test_something_that_the_framework_needs_is_missing(fakes, said):
    fakes.tell(
        "uv", "pip install", "Because there is no version of flax==0.12.8 and you require flax==0.12.8"
    )
    fakes.tell("pip", "index versions", "Available versions: 0.10.2", status=0)
    with pytest.raises(VersionNotFound, match=r"flax==0\.12\.8") as raised:
        ensure(jax(), report=said.append)
    assert "does not exist" not in raised.value.message


def test_no_wheel_for_this_python(fakes, said):
    fakes.tell(
        "uv", "jax==0.11.0", "does not satisfy Python>=3.12 and jax==0.11.0 depends on Python>=3.12, we"
    )
    with pytest.raises(NoWheel) as raised:
        ensure(jax("0.11.0"), report=said.append)
    assert "it has for Python >=3.12." in raised.value.message
    assert order(fakes) == [("uv", None)]


def test_an_index_that_cannot_be_reached(fakes, said):
    fakes.tell("uv", "install", UNREACHABLE)
    fakes.tell("pip", "install", "WARNING: Retrying after connection broken by 'NewConnectionError'")
    with pytest.raises(IndexUnreachable) as raised:
        ensure(jax(), report=said.append)
    assert "a package index cannot be reached" in raised.value.message
    assert "--python jax=PATH" in raised.value.remedy


def test_a_full_disk_ends_it_at_once(fakes, said):
    fakes.tell("uv", "--torch-backend", "error: failed to copy: No space left on device (os error 28)")
    with pytest.raises(DiskFull) as raised:
        ensure(torch(), report=said.append)
    assert order(fakes) == [("uv", "cpu")]
    assert "GB left" in raised.value.message
    assert "trivet env remove" in raised.value.remedy


def test_any_other_failure_keeps_the_last_words_and_the_whole_log(fakes, said):
    fakes.tell("uv", "pip install", "error: uv broke")
    fakes.tell("pip", " install ", "first\nerror: https://me:secret@mirror.example is odd")
    with pytest.raises(InstallFailed) as raised:
        ensure(jax(), report=said.append)
    assert "https://***@mirror.example is odd" in raised.value.message
    log = cache.log_of(cache.folder_of(jax()))
    assert str(log) in raised.value.remedy
    text = log.read_text()
    assert "error: uv broke" in text
    assert "first" in text
    assert "secret" not in text


def test_large_downloads_are_reported(fakes, said):
    fakes.tell("uv", "pip install", "Downloading jaxlib (82.4MiB)", status=0)
    ensure(jax(), report=said.append)
    assert "downloading jaxlib (82.4MiB)" in said
