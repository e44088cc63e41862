"""trivet from Python: ask, open a stored run, take the numbers on, show the page in a notebook."""

from __future__ import annotations

import contextlib
import functools
import html
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trivet.conclude import conclude
from trivet.conclude.records import KINDS, Record, contestant_records, pair_records, slice_records
from trivet.console.live import SilentWatcher, Watcher, watcher
from trivet.console.table import render_text
from trivet.errors import TrivetError, UsageError
from trivet.model.result import Result
from trivet.report.files import page_of, write_files
from trivet.store.run import Run
from trivet.workflow import compare as carry_out
from trivet.workflow.question import ask

if TYPE_CHECKING:
    import pandas as pd

_FRAME_HEIGHT = 760


class MeasuredRun:
    """A stored run with its conclusions. In a notebook it shows its page; printed, its table.

    Attributes:
        id: the run's name, by which `trivet report` and `trivet.open` know it.
        folder: the run folder, or the zip file that it is read from.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.id = run.id
        self.folder = run.folder

    @functools.cached_property
    def result(self) -> Result:
        """Return all conclusions, as docs/result.md describes them."""
        return conclude(self._run)

    @functools.cached_property
    def page(self) -> str:
        """Return the page: one HTML file that needs no network."""
        return page_of(self._run, self.result)

    def records(self, what: str = "contestants") -> list[Record]:
        """Return flat records, as docs/python.md describes them.

        Args:
            what: "contestants" (one for each on each workload), "pairs" (each two that are ranked) or "slices" (raw).

        Raises:
            UsageError: `what` is something else.
        """
        if what == "contestants":
            return contestant_records(self.result)
        if what == "pairs":
            return pair_records(self.result)
        if what == "slices":
            return slice_records(self._run)
        message = f"There are no records of {what!r}."
        raise UsageError(message, f"Known: {', '.join(KINDS)}.")

    def to_pandas(self, what: str = "contestants") -> pd.DataFrame:
        """Return the records as a data frame.

        Args:
            what: as in `records`.

        Raises:
            ImportError: pandas is not installed here.
        """
        records = self.records(what)
        try:
            import pandas as pd
        except ImportError as error:
            message = (
                "to_pandas() needs pandas, which is not installed in this environment; `pip install pandas` installs it, "
                "and records() gives the same as a list of dictionaries."
            )
            raise ImportError(message) from error
        return pd.DataFrame.from_records(records)

    def __repr__(self) -> str:
        return f"<trivet run {self.id}: {', '.join(self._run.question.workloads)}; {self._run.state}>"

    def __str__(self) -> str:
        return render_text(self.result).rstrip()

    def _repr_html_(self) -> str:
        # In a frame of its own, page and notebook cannot spoil each other's style.
        return (
            f'<div><iframe title="trivet: run {html.escape(self.id)}" srcdoc="{html.escape(self.page)}" '
            f'style="width: 100%; height: {_FRAME_HEIGHT}px; border: 1px solid #8888"></iframe></div>'
        )


def compare(
    *workloads: str,
    contestants: Sequence[str] | str = (),
    precision: str = "float32",
    batch: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    budget: float = 5.0,
    quick: bool = False,
    margin: float = 5.0,
    python: Mapping[str, str] | None = None,
    seed: int = 0,
    largest_batch: bool = False,
    progress: bool = True,
) -> MeasuredRun:
    """Ask what `trivet compare` asks, measure, and return the run; its folder gets the page and the JSON file as well.

    Args:
        workloads: names; none for the default ones.
        contestants: such as ["torch:eager", "jax:jit@0.10.2"], or as on the command line; none for the default five.
        precision: "float32", "tf32" or "bfloat16".
        batch: examples per step, None for each workload's own.
        threads: CPUs to run on, None for one per physical core.
        device: "auto", "cpu" or "cuda".
        budget: measuring minutes over all workloads.
        quick: one generation, provisional.
        margin: percent that make no practical difference.
        python: framework -> your own interpreter.
        seed: for initial values and batches.
        largest_batch: also search for the largest batch that fits into memory.
        progress: tell on standard error how it goes.

    Raises:
        UsageError: a name is unknown, or a value out of range.
        DeviceError: the device is not there.
        StoreError: the run cannot be stored.

    Example:
        >>> run = trivet.compare("mlp", contestants=["torch:eager", "jax:jit"], quick=True)  # doctest: +SKIP
        >>> run.to_pandas()[["contestant", "items_per_second"]]  # doctest: +SKIP
    """
    with _remedies():
        question = ask(
            workloads,
            contestants=contestants.split(",") if isinstance(contestants, str) else contestants,
            precision=precision,
            batch=batch,
            threads=threads,
            device=device,
            budget=budget,
            quick=quick,
            margin=margin,
            pythons=_pythons(python),
            seed=seed,
            largest_batch=largest_batch,
        )
        asked = ", ".join([*map(repr, question.workloads), "..."])
        telling: Watcher = watcher(sys.stderr) if progress else SilentWatcher()
        with telling as watch:
            result, folder = carry_out(question, watch, command=f"trivet.compare({asked})")
        run = Run.open(folder)
        write_files(run, result)
        return MeasuredRun(run)


def open(where: str | Path = "last") -> MeasuredRun:  # noqa: A001 - read as trivet.open
    """Return a stored run.

    Args:
        where: a run folder, a zip file of one, an id or a unique part of one, "last", or "last~1" for the one before.

    Raises:
        UsageError: `where` is neither a text nor a path.
        StoreError: there is none, it is damaged, or of a newer format.
    """
    with _remedies():
        if not isinstance(where, str | Path):
            message = f"The run is {where!r}; it must be a text or a path."
            raise UsageError(message, 'Name a run folder, a zip file, an id or a part of one, or "last".')
        return MeasuredRun(Run.open(where))


def _pythons(python: object) -> list[str]:
    if python is None:
        return []
    if not isinstance(python, Mapping):
        message = f"python is {python!r}; it must be a dictionary."
        raise UsageError(message, 'Such as {"torch": "/path/to/python"}.')
    return [f"{name}={path}" for name, path in python.items()]


@contextlib.contextmanager
def _remedies() -> Iterator[None]:
    """Put what to do next below an error's traceback, where the command line would print it."""
    try:
        yield
    except TrivetError as error:
        if error.remedy:
            error.add_note(error.remedy)
        raise
