"""The built environments on this machine: a folder each, whole if and only if its ``environment.json`` is there.

The marker is written last and removed first, so that whatever is killed in between leaves nothing that looks usable.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import json
import os
import shutil
from pathlib import Path
from typing import Any

from trivet import lock
from trivet.folders import environments_folder
from trivet.model.environment import Environment, Plan

FORMAT = 1
_MARKER = "environment.json"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Entry:
    """A folder in the cache.

    Attributes:
        name: folder name.
        folder: where it lies.
        environment: what is in it; None for one that was never finished.
        size_bytes: on disk, as counted when it was built; files shared with uv's cache count in full.
        used: when it was last asked for.
        building: True while somebody builds it.
    """

    name: str
    folder: Path
    environment: Environment | None
    size_bytes: int
    used: dt.datetime
    building: bool


def name_of(plan: Plan) -> str:
    """Return the folder name of a plan's environment."""
    return f"{plan.framework}-{plan.version}-{plan.accelerator}-py{plan.python}-{plan.digest}"


def folder_of(plan: Plan) -> Path:
    """Return where a plan's environment lies, or will lie."""
    return environments_folder() / name_of(plan)


def lock_of(folder: Path) -> Path:
    """Return the lock file beside an environment's folder."""
    return folder.with_name(f"{folder.name}.lock")


def log_of(folder: Path) -> Path:
    """Return the log of the last build, beside the folder: it outlives one that failed."""
    return folder.with_name(f"{folder.name}.log")


def python_of(folder: Path) -> Path:
    """Return an environment's interpreter."""
    return folder / "bin" / "python"


def read(folder: Path) -> Environment | None:
    """Return the environment in a folder, or None if it is not whole (or of another format, or its Python is gone)."""
    marked = _marked(folder)
    return marked[0] if marked else None


def write(folder: Path, environment: Environment) -> None:
    """Mark an environment as whole.

    Raises:
        OSError: the marker cannot be written.
    """
    content = {
        "format": FORMAT,
        "environment": dataclasses.asdict(environment),
        "size_bytes": _size(folder),
        "built": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    }
    temporary = folder / f".{_MARKER}.new"
    with temporary.open("w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / _MARKER)


def touch(folder: Path) -> None:
    """Note that an environment is used now; no matter if it is another user's."""
    with contextlib.suppress(OSError):
        os.utime(folder / _MARKER)


def wipe(folder: Path) -> None:
    """Remove a folder, its marker first. The caller holds the lock.

    Raises:
        OSError: something cannot be removed.
    """
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        (folder / _MARKER).unlink()
    if folder.exists():
        shutil.rmtree(folder)


def entries() -> list[Entry]:
    """Return all environments of this machine, unfinished ones too, by name."""
    root = environments_folder()
    folders = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    return [_entry(folder) for folder in folders]


def _entry(folder: Path) -> Entry:
    marked = _marked(folder)
    environment, size_bytes = marked or (None, 0)
    changed = (folder / _MARKER if environment else folder).stat().st_mtime
    return Entry(
        name=folder.name,
        folder=folder,
        environment=environment,
        size_bytes=size_bytes,
        used=dt.datetime.fromtimestamp(changed, tz=dt.UTC),
        building=environment is None and lock.is_held(lock_of(folder)),
    )


def _marked(folder: Path) -> tuple[Environment, int] | None:
    try:
        content = json.loads((folder / _MARKER).read_text(encoding="utf-8"))
        if content["format"] != FORMAT or not python_of(folder).exists():
            return None
        return _environment(content["environment"], folder), int(content["size_bytes"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _environment(data: dict[str, Any], folder: Path) -> Environment:
    plan = data["plan"]
    return Environment(
        plan=Plan(**{**plan, "requirements": tuple(plan["requirements"])}),
        python=str(python_of(folder)),
        own=False,
        packages=data["packages"],
        installer=data["installer"],
        source=data["source"],
    )


def _size(folder: Path) -> int:
    """Return the size of all files, in bytes, links not followed."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(Path(base, name)).st_size
    return total
