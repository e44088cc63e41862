"""Nothing stays of runs that are no more: their compile caches, and folders of runs whose making failed."""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from pathlib import Path

from trivet.folders import compile_caches_folder, make_cache, runs_folder

_UNFINISHED = re.compile(r"\.[0-9]{8}-[0-9]{6}-[0-9a-f]{4}", re.ASCII)
_OWNER = ".run"
_MINUTE = 60.0
"""A folder without its header that is older than this is nobody's: making a run takes milliseconds."""


def note_owner(folder: Path) -> None:
    """Write down, beside a run's compile caches, where the run lies: runs of several folders may share a cache.

    Raises:
        BrokenEnvironment: the cache cannot be written.
        OSError: likewise.
    """
    place = make_cache(compile_caches_folder()) / f"{folder.name}{_OWNER}"
    place.write_text(str(folder), encoding="utf-8")


def remove_run(folder: Path) -> None:
    """Delete a run's folder and its compile caches.

    Raises:
        OSError: the folder cannot be deleted.
    """
    shutil.rmtree(folder)
    drop_caches(folder.name)


def sweep() -> None:
    """Delete compile caches of runs that are no more, and what failed attempts to make a run left.

    Call it while holding the lock of whoever measures. What cannot be deleted stays for another time.
    """
    caches = compile_caches_folder()
    with contextlib.suppress(OSError):
        for name in {path.name.removesuffix(_OWNER) for path in caches.iterdir()}:
            if not _run_of(name).is_dir():
                drop_caches(name)
    with contextlib.suppress(OSError):
        for path in runs_folder().iterdir():
            if _UNFINISHED.fullmatch(path.name) and time.time() - path.stat().st_mtime > _MINUTE:
                shutil.rmtree(path, ignore_errors=True)


def _run_of(name: str) -> Path:
    """Return where the run lies to which compile caches belong."""
    with contextlib.suppress(OSError):
        return Path((compile_caches_folder() / f"{name}{_OWNER}").read_text(encoding="utf-8"))
    return runs_folder() / name


def drop_caches(name: str) -> None:
    """Delete the compile caches of a run, which needs them no more."""
    shutil.rmtree(compile_caches_folder() / name, ignore_errors=True)
    with contextlib.suppress(OSError):
        (compile_caches_folder() / f"{name}{_OWNER}").unlink(missing_ok=True)
