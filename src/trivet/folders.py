"""Where trivet keeps things on this machine: what can be made again (cache), and what cannot (runs).

``TRIVET_CACHE`` and ``TRIVET_RUNS`` name other folders, such as a local disk where the home folder is slow or small.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from trivet.errors import BrokenEnvironment

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by trivet; backups may leave it out. See https://bford.info/cachedir/\n"


def cache_folder() -> Path:
    """Return the root of all that can be made again; `TRIVET_CACHE` overrides it."""
    return _named("TRIVET_CACHE") or Path(platformdirs.user_cache_dir("trivet", appauthor=False))


def environments_folder() -> Path:
    """Return where frameworks' environments are built, a folder each."""
    return cache_folder() / "environments"


def staged_folder() -> Path:
    """Return where copies of the worker's code are staged, a folder for each content hash."""
    return cache_folder() / "staged"


def gates_folder() -> Path:
    """Return where results of the parity gate are kept for reuse."""
    return cache_folder() / "gates"


def peaks_folder() -> Path:
    """Return where the machine's peaks are kept for reuse."""
    return cache_folder() / "peaks"


def needs_folder() -> Path:
    """Return where answers of package indexes are kept, with their dates."""
    return cache_folder() / "needs"


def ease_folder() -> Path:
    """Return where planted mistakes are run, and what they did is kept."""
    return cache_folder() / "ease"


def compile_caches_folder() -> Path:
    """Return where runs keep their private compile caches while they last, a folder each."""
    return cache_folder() / "compile"


def measuring_lock() -> Path:
    """Return the lock that whoever measures on this machine holds."""
    return cache_folder() / "measuring.lock"


def runs_folder() -> Path:
    """Return where runs are stored; `TRIVET_RUNS` overrides it."""
    return _named("TRIVET_RUNS") or Path(platformdirs.user_data_dir("trivet", appauthor=False)) / "runs"


def make_cache(folder: Path) -> Path:
    """Create a folder within the cache, and mark the cache's root for backup programs and git.

    Args:
        folder: a folder at or below `cache_folder()`.

    Returns:
        The same folder.

    Raises:
        BrokenEnvironment: it cannot be created or written.
    """
    root = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
            if not (root / name).exists():
                (root / name).write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"The cache folder {root} cannot be used: {error.strerror or error}."
        raise BrokenEnvironment(message, "Make room, or set TRIVET_CACHE to another folder.") from error
    return folder


def _named(variable: str) -> Path | None:
    """Return the folder that a variable names, made absolute: workers run in other folders than the user."""
    text = os.environ.get(variable, "")
    return Path(text).expanduser().absolute() if text else None
