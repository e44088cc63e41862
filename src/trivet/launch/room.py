"""Whether trivet's own folders can still be written: where they cannot, nobody's failure says anything of a contestant."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from trivet.errors import DiskError

_BYTES = 1 << 16
"""What must fit: a log's last words and an event, with the file system's own overhead."""


def check_room(folders: Iterable[Path]) -> None:
    """Write a little into each folder, and take it back.

    Args:
        folders: those that are there.

    Raises:
        DiskError: one of them is full, or may not be written.
    """
    for folder in folders:
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(_BYTES))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise cannot_write(folder, error) from error


def cannot_write(path: Path, error: OSError) -> DiskError:
    """Return the error that ends a command when a file or folder of trivet's cannot be written."""
    message = f"{path} cannot be written: {error.strerror or error}."
    return DiskError(
        message, "Make room there; a comparison then goes on with `trivet compare --resume last`."
    )
