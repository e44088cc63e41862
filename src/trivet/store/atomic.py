"""Writes that a kill or a power cut leaves either done or undone."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from trivet.errors import DiskError, UsageError


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's content in one step.

    Args:
        path: in a folder that exists.
        data: the whole new content.

    Raises:
        OSError: it cannot be written; the old content is still there.
    """
    try:
        _replace(path, data)
    except OSError as error:  # the name of the temporary file says nothing to anybody
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def write_named(path: Path, data: bytes, option: str) -> None:
    """Write a file that the user named.

    Args:
        path: as given.
        data: the whole new content.
        option: by which it was named, such as "--page".

    Raises:
        UsageError: it is a folder, or in a folder that is not there.
        DiskError: it cannot be written.
    """
    if path.is_dir():
        message = f"{option} {path} is a folder."
        raise UsageError(message, f"Name a file, such as {path / 'report.html'}.")
    if not path.parent.is_dir():
        message = f"{option} {path}: there is no folder {path.parent}."
        raise UsageError(message, f"Make it first (mkdir -p {path.parent}), or name a file elsewhere.")
    try:
        write_atomically(path, data)
    except OSError as error:
        message = f"{option} {path} cannot be written: {error.strerror or error}."
        raise DiskError(message, "Make room there, or name a file where you may write.") from error


def _replace(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make new names in a folder survive a power cut, where the system allows it."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows cannot open folders
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    # There is no call that only reads it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
