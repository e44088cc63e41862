"""The page and the JSON file in a run's folder."""

from __future__ import annotations

from pathlib import Path

from trivet.conclude.timeline import timeline
from trivet.model.against import Against
from trivet.model.result import Result
from trivet.report.build import render
from trivet.store import codec
from trivet.store.archive import PAGE, RESULT
from trivet.store.atomic import write_atomically
from trivet.store.run import Run


def page_of(run: Run, result: Result, against: Against | None = None) -> str:
    """Return a run's page, its raw slices in it.

    Args:
        run: complete or not.
        result: its conclusions.
        against: the run beside a table of claims, for a section of its own.
    """
    return render(result, timeline(run), against)


def write_files(run: Run, result: Result, against: Against | None = None) -> Path:
    """Write ``result.json`` and ``report.html`` into a run's folder, and return the page's path.

    Args:
        run: in a folder, not in a zip file.
        result: its conclusions.
        against: the run beside a table of claims, for a section of the page.

    Raises:
        OSError: they cannot be written.
    """
    write_atomically(run.folder / RESULT, codec.encode(result, indent=1).encode())
    write_atomically(run.folder / PAGE, page_of(run, result, against).encode())
    return run.folder / PAGE
