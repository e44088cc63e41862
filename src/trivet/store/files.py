"""Reads a run's files, be it a folder or a zip file that somebody mailed."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path, PurePosixPath

from trivet.errors import StoreError
from trivet.store import codec
from trivet.store.upgrade import Raw, upgrade

HEADER = "run.json"
EVENTS = "events.jsonl"


def read_raw(place: Path) -> Raw:
    """Return a run's content in the current format, types not yet checked.

    Args:
        place: a run folder, or a zip file of one.

    Raises:
        StoreError: it is no run, damaged, or of a newer format.
    """
    header = read_file(place, HEADER)
    if header is None:
        message = f"{place} is no run: it has no {HEADER}."
        raise StoreError(message, "`trivet runs` lists the runs that are there.")
    lines = read_file(place, EVENTS)
    if lines is None:
        message = f"{place} has no file {EVENTS}, which every run has from its start."
        raise StoreError(message, "The run was damaged; restore the file, or measure again.")
    events = whole_lines(lines, f"{place}: {EVENTS}")
    return upgrade(Raw(header=codec.parse(header, f"{place}: {HEADER}"), events=events), str(place))


def read_file(place: Path, name: str) -> bytes | None:
    """Return a file of a run, or None if there is none of this name.

    Args:
        place: a run folder, or a zip file of one.
        name: relative to the run, such as "logs/mlp-0-jax-jit.txt".

    Raises:
        StoreError: it cannot be read.
    """
    if place.is_dir():
        path = place / name
        try:
            return path.read_bytes() if path.is_file() else None
        except OSError as error:
            message = f"{path} cannot be read: {error.strerror or error}."
            raise StoreError(message, "Make it readable, or restore it.") from error
    try:
        with zipfile.ZipFile(place) as archive:
            inner = _inner_folder(archive)
            member = str(inner / name)
            return archive.read(member) if member in archive.namelist() else None
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        message = f"{place} cannot be read as a zip file: {error}."
        raise StoreError(message, "Fetch it again; it may have been cut off on its way.") from error


def whole_lines(data: bytes, where: str) -> list[dict[str, object]]:
    """Return the objects in a file of JSON lines.

    A last line without its end was being written when the process was killed: it is left out, since what it said did
    not happen as far as the run is concerned.

    Args:
        data: the file's content.
        where: the file, for the message.

    Raises:
        StoreError: a line that was written whole is not valid.
    """
    lines = data[: whole_length(data)].splitlines()
    return [codec.parse(line, f"{where} line {number}") for number, line in enumerate(lines, start=1)]


def whole_length(data: bytes) -> int:
    """Return how many bytes of a file of JSON lines were written whole."""
    return data.rfind(b"\n") + 1


def _inner_folder(archive: zipfile.ZipFile) -> PurePosixPath:
    """Return the folder in the archive that holds the run: the top, or one level below."""
    found = [PurePosixPath(name).parent for name in archive.namelist() if PurePosixPath(name).name == HEADER]
    return min(found, key=lambda folder: len(folder.parts), default=PurePosixPath())
