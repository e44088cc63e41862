"""Fixtures for tests of worker processes."""

import contextlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from numpy_contestants import numpy_entry, numpy_staged, this_environment
from stub_worker import STUB
from trivet.launch.stage import Staged
from trivet.launch.worker import Worker


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Staged:
    return numpy_staged(tmp_path_factory.mktemp("staged"))


@pytest.fixture
def stub(tmp_path: Path) -> Callable[[str], Staged]:
    """Return a function that makes a worker of a few lines."""

    def make(code: str) -> Staged:
        folder = tmp_path / "stub"
        (folder / "trivet_worker").mkdir(parents=True, exist_ok=True)
        (folder / "trivet_worker" / "bootstrap.py").write_text(STUB + textwrap.dedent(code))
        return Staged(folder=folder, digest="stub")

    return make


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Return a function that starts workers, all ended after the test."""
    framework = numpy_entry().framework
    with contextlib.ExitStack() as workers:

        def run(staged: Staged, *, own: bool = False, python: str = sys.executable, **options: Any) -> Worker:
            return workers.enter_context(
                Worker.start(
                    this_environment(own=own, python=python),
                    framework,
                    staged,
                    folder=tmp_path / "work",
                    log=tmp_path / "logs" / "log.txt",
                    **options,
                )
            )

        yield run
