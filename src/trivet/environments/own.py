"""Takes the user's own interpreter as an environment: on clusters, in containers, under conda."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from trivet import catalog
from trivet.environments import interpreter
from trivet.environments.plan import own_plan
from trivet.errors import BrokenEnvironment, UsageError
from trivet.model.catalog import FrameworkInfo
from trivet.model.environment import Environment

OLDEST = "3.10"
"""What the worker's code needs."""


def named(texts: Iterable[str]) -> dict[str, str]:
    """Return framework -> path of its interpreter, for what the user gave as ``--python FRAMEWORK=PATH``.

    Raises:
        UsageError: the form is another, the framework is unknown, or there is no such file.
    """
    found = {}
    for text in texts:
        name, separator, path = text.partition("=")
        if not (separator and path):
            message = f"--python {text!r} is not of the form FRAMEWORK=PATH."
            raise UsageError(message, "For example: --python torch=/opt/conda/envs/torch/bin/python")
        found[name] = str(_path(catalog.framework(name), path))
    return found


def own(info: FrameworkInfo, python: str) -> Environment:
    """Return the user's own interpreter as an environment, after a look at what is in it.

    Args:
        info: the framework to run in it.
        python: its path, the folder of a virtual or conda environment, or a command on the PATH.

    Raises:
        UsageError: there is no such file.
        BrokenEnvironment: it does not run, is too old, or lacks the framework or numpy.
    """
    path = _path(info, python)
    needed = _needed(info)
    try:
        found = interpreter.ask(path, modules=[_module(info.package), *needed], own=True)
    except interpreter.NoInterpreter as error:
        message = f"--python {info.name}={python}: this is no Python that runs: {error}."
        raise BrokenEnvironment(message, f"Try it: {path} --version") from error
    if Version(found.version) < Version(OLDEST):
        message = (
            f"--python {info.name}={python}: this is Python {found.version}; {OLDEST} or newer is needed."
        )
        raise BrokenEnvironment(message, f"Bring a newer one, or leave out --python {info.name}=... .")
    lacking = [
        name
        for name, there in found.modules.items()
        if not there and canonicalize_name(name) not in found.packages
    ]
    if lacking:
        message = f"--python {info.name}={python}: this Python lacks {', '.join(lacking)}."
        remedy = f"Install it there ({path} -m pip install {' '.join(lacking)}), or leave out --python {info.name}=... ."
        raise BrokenEnvironment(message, remedy)
    version = "{}.{}".format(*Version(found.version).release[:2])
    return Environment(
        plan=own_plan(info, python=version, path=str(path), packages=found.packages),
        python=str(path),
        own=True,
        packages=found.packages,
        installer="own",
        source="own",
    )


def _path(info: FrameworkInfo, python: str) -> Path:
    """Return the interpreter's absolute path; links stay, since a virtual environment is known by them."""
    path = Path(python).expanduser()
    if path.is_dir():
        path = path / "bin" / "python"
    if not path.exists() and os.sep not in python:
        path = Path(shutil.which(python) or path)
    if not path.exists():
        message = f"--python {info.name}={python}: there is no such file."
        raise UsageError(
            message, "Give the path of a Python interpreter, such as /opt/conda/envs/torch/bin/python."
        )
    return path.absolute()


def _needed(info: FrameworkInfo) -> list[str]:
    """Return what must be there besides the framework itself, whose distribution may go by several names."""
    templates = info.requirements.get("cpu", ())
    names = [Requirement(template.replace("=={version}", "")).name for template in templates]
    return [name for name in names if not name.startswith(info.package)] or ["numpy"]


def _module(package: str) -> str:
    return package.replace("-", "_")
