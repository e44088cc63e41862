"""`trivet env`, with fake installers."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import fake_installers
from trivet import lock
from trivet.cli import env
from trivet.environments import accelerator, cache, refresh
from trivet.errors import BrokenEnvironment, UsageError
from trivet.folders import measuring_lock


@pytest.fixture(autouse=True)
def fakes(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(accelerator, "default_accelerator", lambda: "cpu")
    return fake_installers.put(tmp_path / "fakes", monkeypatch)


def run(*arguments):
    """Return exit code or error, and what was printed."""
    result = CliRunner().invoke(env.command, arguments, standalone_mode=False)
    if isinstance(result.exception, Exception):
        return result.exception, result.output
    return result.return_value, result.output


def names():
    return [entry.name.partition("-cpu-")[0] for entry in cache.entries()]


def test_create_builds_all_frameworks_by_default():
    code, output = run("create")
    assert code == 0
    assert {name.partition("-")[0] for name in names()} == {"jax", "tensorflow", "torch"}
    assert output.count("/bin/python") == 3


def test_create_takes_frameworks_versions_and_contestants():
    code, _ = run("create", "jax@0.9", "-c", "jax:jit,jax:jit@0.9.2,jax:jit@0.8.1")
    assert code == 0
    assert sorted(names()) == ["jax-0.10.2", "jax-0.8.1", "jax-0.9.2"]


def test_create_for_another_accelerator():
    assert run("create", "tensorflow", "--accelerator", "cuda")[0] == 0
    (entry,) = cache.entries()
    assert entry.environment is not None
    assert entry.environment.plan.requirements[0].startswith("tensorflow[and-cuda]")


def test_create_goes_on_after_a_failure_and_says_so_in_the_end(fakes):
    fakes.tell("uv", "jax==", "error: broke")
    fakes.tell("pip", "jax==", "error: broke")
    code, output = run("create", "jax", "torch")
    assert code == BrokenEnvironment.exit_code == 4
    assert "could not install jax" in output
    assert names() == ["torch-2.13.0"]


@pytest.mark.parametrize("arguments", [["trch"], ["jax@abc"], ["-c", "jax"], ["-c", "jax:jot"]])
def test_create_refuses_what_it_does_not_know(arguments):
    error, _ = run("create", *arguments)
    assert isinstance(error, UsageError)


def test_list_says_when_there_is_nothing():
    assert "No environment is built yet" in run("list")[1]


def test_list_fits_a_terminal_of_80_columns():
    run("create")
    (cache.environments_folder() / "half-made").mkdir()
    _, output = run("list")
    table = output.split("\n\n")[0].splitlines()
    assert max(len(line) for line in table) <= 80
    assert "unfinished" in output
    assert "uv, torch-backend" in output


def test_path_prints_the_interpreter():
    run("create", "jax", "jax@0.9")
    error, _ = run("path", "jax")
    assert isinstance(error, UsageError)
    assert "several environments" in error.message
    _, output = run("path", "jax-0.9.2")
    assert output.strip().endswith("/bin/python")


def test_path_of_a_half_made_one_is_an_error():
    (cache.environments_folder() / "jax-half").mkdir(parents=True)
    assert isinstance(run("path", "jax")[0], BrokenEnvironment)


def test_remove_takes_names_frameworks_or_all():
    run("create")
    run("create", "jax@0.9")
    run("remove", "jax")
    assert {name.partition("-")[0] for name in names()} == {"tensorflow", "torch"}
    run("remove", "--all")
    assert names() == []


def test_remove_names_the_nearest():
    run("create", "jax")
    error, _ = run("remove", "jaxx")
    assert isinstance(error, UsageError)
    assert "no environment 'jaxx'" in error.message


@pytest.mark.parametrize("arguments", [[], ["jax", "--all"]])
def test_remove_wants_names_or_all(arguments):
    assert "Name the environments" in str(run("remove", *arguments)[0])


def test_pins_are_shown():
    code, output = run("pins", "jax")
    assert code is None
    assert "jax==0.10.2" in output
    assert "resolved 20" in output


def test_pins_are_refreshed(monkeypatch):
    asked = []

    def resolve(info, *, newest, report):
        from trivet.environments import pins

        asked.append((info.name, newest))
        return pins.load(info.folder)

    monkeypatch.setattr(refresh, "refresh", resolve)
    run("pins", "--refresh", "--newest", "jax")
    run("pins", "--refresh")
    assert asked == [("jax", True), ("jax", False), ("tensorflow", False), ("torch", False)]
    assert "--newest goes with --refresh" in str(run("pins", "--newest")[0])


def test_nothing_is_removed_while_a_comparison_runs():
    run("create", "jax")
    with lock.held(measuring_lock(), what="measures on this machine", report=print):
        error, _ = run("remove", "jax")
    assert "A comparison is running (pid" in error.message
    assert len(names()) == 1
