"""A run as one file, to be mailed and reported elsewhere."""

from __future__ import annotations

import os
import tempfile
import zipfile
from pathlib import Path

from trivet.errors import DiskError, StoreError
from trivet.store.files import EVENTS, HEADER
from trivet.store.run import LOGS, Run

PAGE = "report.html"
RESULT = "result.json"


def zip_run(run: Run, target: Path) -> Path:
    """Write a run as a zip file, which `Run.open` reads.

    A run that is still being written can be zipped: the file holds what is complete by then.

    Args:
        run: in a folder.
        target: the file to write, replaced if it is there; or a folder, in which the file gets the run's name.

    Returns:
        The file.

    Raises:
        StoreError: the run is a zip file already.
        DiskError: the target cannot be written.
    """
    if not run.folder.is_dir():
        message = f"{run.folder} is a zip file already."
        raise StoreError(message, "Copy it.")
    path = target / f"{run.id}.zip" if target.is_dir() else target
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for member in _members(run.folder):
                archive.write(member, f"{run.id}/{member.relative_to(run.folder).as_posix()}")
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        message = f"{path} cannot be written: {error.strerror or error}."
        raise DiskError(message, "Name a place that can be written.") from error
    return path


def _members(folder: Path) -> list[Path]:
    named = [folder / name for name in (HEADER, EVENTS, RESULT, PAGE)]
    logs = sorted((folder / LOGS).rglob("*"))
    # A link may lead anywhere, and a zip file is mailed.
    return [path for path in (*named, *logs) if path.is_file() and not _through_link(path, folder)]


def _through_link(path: Path, folder: Path) -> bool:
    return any(
        part.is_symlink() for part in (path, *path.parents) if part.is_relative_to(folder) and part != folder
    )
