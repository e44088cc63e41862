"""A private folder for arrays that are too big to keep: removed in the end, however it comes."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

_PREFIX = "scratch"


@contextlib.contextmanager
def scratch(parent: Path) -> Iterator[Path]:
    """Make a private folder, and remove it with all that is in it.

    What coordinators of this host left when they were killed goes first: the folder's name tells whose it is.
    """
    parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(parent)
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}+{_host()}+{os.getpid()}+", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def size_bytes(folder: Path) -> int:
    """Return the size of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _remove_leftovers(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}+{_host()}+*"):
        owner = folder.name.split("+")[2]
        if not (owner.isdigit() and psutil.pid_exists(int(owner))):
            shutil.rmtree(folder, ignore_errors=True)


def _host() -> str:
    return platform.node().replace("+", "-").replace("/", "-")
