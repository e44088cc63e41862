from __future__ import annotations

import pytest

from trivet.environments import failures
from trivet.environments.failures import (
    Conflict,
    DiskFull,
    IndexUnreachable,
    InstallFailed,
    NoWheel,
    VersionNotFound,
)

# What uv 0.13 and pip 23 to 26 really print, shortened.
UV_NO_VERSION = """\
Using Python 3.11.7 environment at: v311
error: No solution found when resolving dependencies
  cause: Because there is no version of jax==9.9.9 and you require jax==9.9.9, we can conclude that your requirements are unsatisfiable.
"""
UV_OUT_OF_RANGE = """\
error: No solution found when resolving dependencies
  cause: Because only torch<=2.15.0 is available and you require torch>=9.9.9,<9.9.9+cpu, we can conclude that your requirements are unsatisfiable.
"""
UV_NEEDS_NEWER = """\
error: No solution found when resolving dependencies
  cause: Because the current Python version (3.11.7) does not satisfy Python>=3.12 and jax==0.11.0 depends on Python>=3.12, we can conclude that jax==0.11.0 cannot be used.
         And because you require jax==0.11.0, we can conclude that your requirements are unsatisfiable.
"""
UV_NO_WHEEL = """\
error: No solution found when resolving dependencies
  cause: Because tensorflow-cpu==2.13.0 has no wheels with a matching Python ABI tag (e.g., `cp313`) and you require tensorflow-cpu==2.13.0, we can conclude that your requirements are unsatisfiable.

hint: You require CPython 3.13 (`cp313`), but we only found wheels for `tensorflow-cpu` (v2.13.0) with the following Python ABI tags: `cp38`, `cp39`, `cp310`, `cp311`
"""
UV_CONFLICT = """\
error: No solution found when resolving dependencies
  cause: Because you require torch==2.15.0 and torch<=2.14.1, we can conclude that your requirements are unsatisfiable.
"""
UV_UNREACHABLE = """\
error: Request failed after 3 retries in 7.0s
  cause: Failed to fetch: http://127.0.0.1:9/simple/jax/
  cause: error sending request for url (http://127.0.0.1:9/simple/jax/)
  cause: Connection refused (os error 111)
"""
UV_OFFLINE = """\
error: No solution found when resolving dependencies
  cause: Because jax was not found in the cache and you require jax==0.10.2, we can conclude that your requirements are unsatisfiable.

hint: Packages were unavailable because the network was disabled. When the network is disabled, registry packages may only be read from the cache.
"""
UV_DISK = """\
error: Failed to install: torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl (torch==2.13.0)
  cause: failed to copy file: No space left on device (os error 28)
"""
PIP_NO_VERSION = """\
ERROR: Ignored the following versions that require a different python version: 0.11.0 Requires-Python >=3.12; 0.11.1 Requires-Python >=3.12
ERROR: Could not find a version that satisfies the requirement jax==9.9.9 (from versions: 0.0, 0.1)
ERROR: No matching distribution found for jax==9.9.9
"""
PIP_NEEDS_NEWER = PIP_NO_VERSION.replace("9.9.9", "0.11.0")
PIP_DIFFERENT_PYTHON = "ERROR: Package 'jax' requires a different Python: 3.10.13 not in '>=3.11'\n"
PIP_UNREACHABLE = """\
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)': /simple/jax/
ERROR: Could not find a version that satisfies the requirement jax==0.10.2 (from versions: none)
ERROR: No matching distribution found for jax==0.10.2
"""
PIP_CONFLICT = "ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/\n"
PIP_DISK = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"


@pytest.mark.parametrize(
    ("output", "asked", "kind"),
    [
        (UV_NO_VERSION, "jax==9.9.9", VersionNotFound),
        (UV_OUT_OF_RANGE, "torch==9.9.9,!=9.9.9+cpu", VersionNotFound),
        (UV_NEEDS_NEWER, "jax==0.11.0", NoWheel),
        (UV_NO_WHEEL, "tensorflow-cpu==2.13.0", NoWheel),
        (UV_CONFLICT, "torch==2.15.0", Conflict),
        (UV_UNREACHABLE, "jax==0.10.2", IndexUnreachable),
        (UV_OFFLINE, "jax==0.10.2", IndexUnreachable),
        (UV_DISK, "torch==2.13.0", DiskFull),
        (PIP_NO_VERSION, "jax==9.9.9", VersionNotFound),
        (PIP_NEEDS_NEWER, "jax==0.11.0", NoWheel),
        (PIP_DIFFERENT_PYTHON, "jax==0.11.0", NoWheel),
        (PIP_UNREACHABLE, "jax==0.10.2", IndexUnreachable),
        (PIP_CONFLICT, "jax==0.10.2", Conflict),
        (PIP_DISK, "jax==0.10.2", DiskFull),
        ("Segmentation fault\n", "jax==0.10.2", InstallFailed),
    ],
)
def test_what_installers_print_is_understood(output, asked, kind):
    assert failures.classify(output, [asked, "numpy"]) is kind


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (UV_NO_WHEEL, "Python 3.8, 3.9, 3.10, 3.11"),
        (UV_NEEDS_NEWER, "Python >=3.12"),
        (PIP_NEEDS_NEWER, "Python >=3.12"),
        (PIP_DIFFERENT_PYTHON, "Python >=3.11"),
        (UV_CONFLICT, ""),
    ],
)
def test_the_pythons_that_have_wheels_are_named(output, words):
    assert failures.pythons_with_wheels(output) == words


def test_last_words_leave_out_noise_and_credentials():
    output = "Downloading torch (2.0GiB)\n\nResolved 3 packages in 1s\nerror: https://me:secret@mirror.example/simple broke\n"
    assert failures.last_words(output) == "error: https://***@mirror.example/simple broke"


def test_only_what_is_unsupported_is_called_so():
    assert NoWheel.kind == failures.NotOffered.kind == "unsupported"
    assert VersionNotFound.kind == DiskFull.kind == Conflict.kind == "failed"
