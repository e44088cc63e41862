"""Asks an interpreter what it is: version, numpy, packages. Also one that prints banners or is a wrapper script."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from packaging.utils import canonicalize_name

_SECONDS = 120
_MARK = "trivet-interpreter:"

_QUESTION = f"""
import sys
sys.path[:] = [p for p in sys.path if p]  # what lies where the user stands is not a package
import json
answer = dict(version="%d.%d.%d" % sys.version_info[:3], packages=dict(), modules=dict())
try:
    import importlib.metadata, importlib.util
except ImportError:  # an old Python still says how old it is
    sys.argv, found = sys.argv[:1], []
else:
    found = importlib.metadata.distributions()
for one in found:
    try:
        answer["packages"].setdefault(one.metadata["Name"], one.version)
    except Exception:
        continue
for name in sys.argv[1:]:
    try:
        answer["modules"][name] = importlib.util.find_spec(name) is not None
    except Exception:
        answer["modules"][name] = False
sys.stdout.write("\\n{_MARK}" + json.dumps(answer) + "\\n")
sys.stdout.flush()
"""


class NoInterpreter(Exception):  # noqa: N818 - says what it is
    """A path is no Python interpreter, or a broken one; the text says how that showed."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Interpreter:
    """What an interpreter says of itself.

    Attributes:
        version: such as "3.11.7".
        packages: distribution -> version, names normalised ("ml-dtypes").
        modules: module -> whether it can be found, for those asked about.
    """

    version: str
    packages: dict[str, str]
    modules: dict[str, bool]


def ask(python: str | Path, *, modules: Sequence[str] = (), own: bool = False) -> Interpreter:
    """Return what an interpreter says of itself.

    Args:
        python: its path.
        modules: top-level modules to look for; none is imported.
        own: True for the user's own, which is asked with its PYTHONPATH and user site.

    Raises:
        NoInterpreter: it does not start, ends with an error, or does not answer.
    """
    command = [str(python), *([] if own else ["-I"]), "-c", _QUESTION, *modules]
    try:
        answer = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        problem = f"it did not answer within {_SECONDS} s"
        raise NoInterpreter(problem) from error
    except OSError as error:
        problem = f"it cannot be started: {error.strerror}"
        raise NoInterpreter(problem) from error
    found = answer.stdout.decode(errors="replace").rpartition(_MARK)
    if answer.returncode != 0 or not found[1]:
        words = (answer.stderr or answer.stdout).decode(errors="replace").strip().splitlines()
        problem = f"it ended with status {answer.returncode}" + (f": {words[-1][:300]}" if words else "")
        raise NoInterpreter(problem)
    said = json.loads(found[2].splitlines()[0])
    return Interpreter(
        version=said["version"],
        packages={canonicalize_name(name): version for name, version in sorted(said["packages"].items())},
        modules=said["modules"],
    )
