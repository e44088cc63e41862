"""Which runs there are, and which one a user means."""

from __future__ import annotations

import re
from pathlib import Path

from trivet.errors import StoreError
from trivet.folders import runs_folder
from trivet.store.files import HEADER

LEAST = 6
"""Characters that a part of an id must have to remove a run: fewer fit one run by chance."""

_LAST = re.compile(r"last(?:~([0-9]+))?$", re.ASCII)


def run_folders() -> list[Path]:
    """Return the folders of all runs, oldest first: their names begin with the time."""
    place = runs_folder()
    if not place.is_dir():
        return []
    return sorted(
        path for path in place.iterdir() if (path / HEADER).is_file() and not path.name.startswith(".")
    )


def locate(where: str | Path) -> Path:
    """Return the run that a user means.

    Args:
        where: a run folder, a zip file, an id, a part of one that only one run has, "last", or "last~1" for the
            one before it, "last~2" and so on.

    Raises:
        StoreError: nothing is named, there is none, or several.
    """
    if not str(where).strip():
        message = "No run is named: the name is empty."
        raise StoreError(
            message, 'Is a shell variable not set? `trivet runs` lists the runs; "last" means the newest.'
        )
    path = Path(where)
    if path.is_file() or (path / HEADER).is_file():
        return path
    known = run_folders()
    back = _LAST.match(str(where))
    if back:
        return _last(known, int(back[1] or 0))
    exact = [folder for folder in known if folder.name == str(where)]
    found = exact or [folder for folder in known if str(where) in folder.name]
    if len(found) == 1:
        return found[0]
    if found:
        message = f"{str(where)!r} fits {len(found)} runs: {', '.join(folder.name for folder in found[-5:])}."
        raise StoreError(message, "Give more of the id.")
    message = (
        f"There is no run {str(where)!r}: no folder or zip file of this name, and none in {runs_folder()}."
    )
    raise StoreError(message, '`trivet runs` lists the runs that are there; "last" means the newest.')


def locate_for_good(where: str | Path) -> Path:
    """Return the run that a user means to remove: `locate`, but a part of an id must be its beginning or its end.

    Args:
        where: as for `locate`; a part has `LEAST` characters or more.

    Raises:
        StoreError: nothing is named, there is none, or several, or the part says too little.
    """
    path, text = locate(where), str(where)
    named = _LAST.match(text) or path.name == text or path == Path(where)
    part = len(text) >= LEAST and (path.name.startswith(text) or path.name.endswith(text))
    if not (named or part):
        message = f"{text!r} is too little of the id {path.name} to remove it."
        raise StoreError(
            message, f"Give the whole id, or {LEAST} characters or more of its beginning or its end."
        )
    return path.resolve() if path.name in ("", "..") else path


def _last(known: list[Path], back: int) -> Path:
    if not known:
        message = f"There is no run yet in {runs_folder()}."
        raise StoreError(message, "`trivet compare` makes one.")
    if back >= len(known):
        message = f"There is no run last~{back}: {runs_folder()} holds {len(known)}."
        raise StoreError(message, "`trivet runs` lists them.")
    return known[-1 - back]
