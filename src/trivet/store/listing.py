"""What runs there are, and how to be rid of one."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from trivet.errors import StoreError
from trivet.store.locate import locate_for_good, run_folders
from trivet.store.run import Run, take_lock
from trivet.store.sweep import remove_run


@dataclasses.dataclass(frozen=True, kw_only=True)
class Listed:
    """A run at a glance.

    Attributes:
        run: id.
        folder: where it lies.
        created: ISO 8601 with offset, "" if it cannot be read.
        workloads: names, in the order asked.
        contestants: labels, in the order asked.
        generations: complete ones, over all workloads.
        complete: True if all that was asked has been done.
        state: in words, whether it is complete, being measured now, or to be gone on with.
        problem: why it cannot be read, else "".
    """

    run: str
    folder: Path
    created: str = ""
    workloads: tuple[str, ...] = ()
    contestants: tuple[str, ...] = ()
    generations: int = 0
    complete: bool = False
    state: str = ""
    problem: str = ""


def listing() -> list[Listed]:
    """Return all runs, oldest first. A damaged one says so and hides no other."""
    return [_glance(folder) for folder in run_folders()]


def remove(where: str | Path) -> Path:
    """Delete a run, and return the folder that is gone.

    Args:
        where: a run folder, its id, six characters or more of its beginning or end that no other has, or "last".

    Raises:
        StoreError: there is no such run, too little of its id was given, it is a zip file, or a process is writing to it.
    """
    folder = locate_for_good(where)
    if not folder.is_dir():
        message = f"{folder} is a file; only run folders are removed."
        raise StoreError(message, "Delete the file yourself if you want to.")
    take_lock(folder).release()
    remove_run(folder)
    return folder


def _glance(folder: Path) -> Listed:
    try:
        run = Run.open(folder)
    except StoreError as error:
        return Listed(run=folder.name, folder=folder, problem=error.message)
    question = run.question
    return Listed(
        run=run.id,
        folder=folder,
        created=run.header.created,
        workloads=question.workloads,
        contestants=tuple(contestant.label for contestant in question.contestants),
        generations=sum(len(run.generations(workload)) for workload in question.workloads),
        complete=run.complete,
        state=run.state,
    )
