"""Decides again what a record decided: same answers, same tree, the evidence of today."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from trivet.decide import answers, trees
from trivet.decide.decision import Decision, all_questions, decide, titles_of
from trivet.decide.tree import Tree
from trivet.errors import UsageError
from trivet.evidence.gather import Asked
from trivet.record import block
from trivet.record.block import Recorded


def decide_again(
    path: Path, *, run: str, offline: bool, today: str, report: Callable[[str], None]
) -> tuple[Recorded, Decision]:
    """Return what a record says, and what follows from its answers today.

    Args:
        path: of the record.
        run: the run to take; "" for the newest that fits.
        offline: ask nobody.
        today: ISO date.
        report: told what takes a while.

    Raises:
        UsageError: the record cannot be read or was damaged, or its tree or an answer is none any more.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {error}."
        raise UsageError(message, "Name a record that `trivet choose --record` wrote.") from error
    recorded = block.read(text, str(path))
    tree = _tree(recorded.tree, path)
    known = answers.check_all(recorded.answers, all_questions(tree), lambda name: f"{path}: {name}")
    asked = Asked(
        titles=titles_of(recorded.frameworks),
        workload=recorded.workload,
        run=run,
        offline=offline,
        today=today,
        report=report,
    )
    return recorded, decide(tree, known, given=recorded.tree, asked=asked)


def _tree(given: str, record: Path) -> Tree:
    """Return a record's tree; a file is looked for from here, then from the record's folder."""
    beside = record.parent / given
    return trees.load(str(beside) if not Path(given).exists() and beside.is_file() else given)
