"""Which runs there are, and which one a user means."""

from __future__ import annotations

import re
from pathlib import Path

from trivet.errors import StoreError
from trivet.folders import runs_folder
from trivet.store.files import HEADER

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
        StoreError: there is none, or several.
    """
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


def _last(known: list[Path], back: int) -> Path:
    if not known:
        message = f"There is no run yet in {runs_folder()}."
        raise StoreError(message, "`trivet compare` makes one.")
    if back >= len(known):
        message = f"There is no run last~{back}: {runs_folder()} holds {len(known)}."
        raise StoreError(message, "`trivet runs` lists them.")
    return known[-1 - back]
