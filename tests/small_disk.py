"""Disks of a few megabytes: file systems in memory, mounted for a test, filled, grown, made read-only."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

_FILLER = "filler"
_SMALLEST_BLOCK = 1 << 12


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Mount a disk of this size on a folder; skip the test where nobody may."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or error
        pytest.skip(f"no disk can be mounted here (as root, or under `unshare -rm`, it can): {said}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def change(disk: Path, options: str) -> None:
    """Mount a disk again with other options, such as "size=300m" or "ro"."""
    _mount("-o", f"remount,{options}", str(disk))


def fill(disk: Path) -> Path:
    """Write until nothing more fits, and return the file that makes room when it is deleted."""
    filler = disk / _FILLER
    block = 1 << 22
    with filler.open("wb", buffering=0) as file:
        while block >= _SMALLEST_BLOCK:
            try:
                if file.write(bytes(block)) < block:
                    block //= 2
            except OSError:
                block //= 2
    return filler


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True, capture_output=True, text=True)
