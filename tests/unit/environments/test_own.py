from __future__ import annotations

import dataclasses
import json
import sys

import pytest

from trivet import catalog
from trivet.environments.own import named, own
from trivet.errors import BrokenEnvironment, UsageError


@pytest.fixture
def numpy():
    """Return a framework that the interpreter of the tests has."""
    requirements = {"cpu": ("numpy=={version}",)}
    return dataclasses.replace(
        catalog.framework("jax"),
        name="numpy",
        environment="numpy",
        package="numpy",
        requirements=requirements,
    )


def test_an_interpreter_with_the_framework_is_taken(numpy):
    environment = own(numpy, sys.executable)
    assert environment.own
    assert environment.python == sys.executable  # not resolved: a virtual environment is known by its link
    assert (environment.installer, environment.source, environment.plan.version) == ("own", "own", "own")
    assert "numpy" in environment.packages


def test_a_folder_of_an_environment_is_understood(numpy):
    assert own(numpy, sys.prefix).python.startswith(sys.prefix)


def test_what_is_lacking_is_named():
    info = catalog.framework("tensorflow")
    with pytest.raises(BrokenEnvironment) as raised:
        own(info, sys.executable)
    assert "lacks tensorflow, keras" in raised.value.message
    assert f"{sys.executable} -m pip install tensorflow keras" in raised.value.remedy


def test_one_that_is_too_old_is_named(tmp_path, numpy):
    answer = json.dumps({"version": "3.9.18", "packages": {}, "modules": {"numpy": True}})
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\necho 'trivet-interpreter:{answer}'\n")
    path.chmod(0o755)
    with pytest.raises(BrokenEnvironment, match=r"Python 3\.9\.18; 3\.10 or newer"):
        own(numpy, str(path))


def test_what_is_no_python_is_named(numpy):
    with pytest.raises(BrokenEnvironment, match="no Python that runs"):
        own(numpy, "/bin/false")


def test_a_path_that_is_not_there_is_wrong_use(numpy):
    with pytest.raises(UsageError, match="no such file"):
        own(numpy, "/no/such/python")


def test_options_are_read():
    assert named([f"torch={sys.executable}"]) == {"torch": sys.executable}
    assert named(["torch=python3"])["torch"].endswith("/python3")


@pytest.mark.parametrize("text", ["torch", "torch=", f"trch={sys.executable}", "torch=/no/such/python"])
def test_options_of_another_form_are_refused(text):
    with pytest.raises(UsageError):
        named([text])
