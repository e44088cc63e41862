"""A lock that outlives its holder for as long as the holder's installer does.

It is a lock on an open file (flock), handed to the installer with the file's descriptor: where trivet is killed, the next
one waits until the installer has ended too, and never wipes a folder that somebody still writes to.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from trivet.errors import BrokenEnvironment

SAY_AFTER_SECONDS = 2.0
_POLL_SECONDS = 0.1


@contextlib.contextmanager
def held(path: Path, *, what: str, report: Callable[[str], None]) -> Iterator[int]:
    """Hold the lock, waiting as long as somebody else does.

    Args:
        path: the lock file, beside what it guards; it stays.
        what: what the holder does, for the message, such as "builds this environment".
        report: told once when waiting takes longer than `SAY_AFTER_SECONDS`.

    Yields:
        The descriptor to pass to a child that may outlive this process.

    Raises:
        BrokenEnvironment: the file system cannot lock.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _wait(descriptor, path, what, report)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Say whether somebody holds the lock now."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _take(descriptor, path)
    finally:
        os.close(descriptor)


def holder(path: Path) -> str:
    """Return the process id of who took the lock last, "unknown" where that is not to be seen."""
    try:
        return path.read_text(errors="replace").strip() or "unknown"
    except OSError:
        return "unknown"


def _wait(descriptor: int, path: Path, what: str, report: Callable[[str], None]) -> None:
    started = time.monotonic()
    said = False
    while not _take(descriptor, path):
        if not said and time.monotonic() - started > SAY_AFTER_SECONDS:
            report(f"waiting for another trivet that {what} (pid {holder(path)})")
            said = True
        time.sleep(_POLL_SECONDS)


def _take(descriptor: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
            raise
        message = f"The file system of {path.parent} cannot lock files ({error.strerror})."
        raise BrokenEnvironment(message, "Set TRIVET_CACHE to a folder on a local disk.") from error
    return True
