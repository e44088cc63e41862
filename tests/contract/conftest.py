from __future__ import annotations

import functools
import os
import sys

import pytest

from trivet.errors import TrivetError
from worker_process import EXTENSIONS, all_frameworks, staged_worker


@pytest.fixture(scope="session")
def staged(tmp_path_factory):
    return staged_worker(tmp_path_factory.mktemp("staged"))


@pytest.fixture(scope="session")
def interpreter():
    """Return a function that finds a framework's interpreter.

    That is the one that ``TRIVET_TEST_PYTHON_<FRAMEWORK>`` names, else that of the environment which trivet builds.
    """
    return _interpreter


@functools.cache
def _interpreter(framework: str) -> str:
    named = os.environ.get(f"TRIVET_TEST_PYTHON_{framework.upper()}")
    if named:
        return named
    info = all_frameworks()[framework]
    if info.folder.is_relative_to(EXTENSIONS):  # it needs no more than trivet itself
        return sys.executable
    from trivet.environments.build import ensure
    from trivet.environments.plan import plan_for

    try:
        return ensure(plan_for(info, version=None, accelerator="cpu"), report=lambda line: None).python
    except TrivetError as error:
        pytest.fail(f"{error.message} {error.remedy}")
