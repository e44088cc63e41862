"""Writes the page of a decision that `trivet choose` has come to."""

from __future__ import annotations

import os
import urllib.parse
from pathlib import Path

from trivet.decide import trees
from trivet.decide.decision import Decision, with_plain_names
from trivet.decide.ready import make_ready
from trivet.decide.tree import Tree
from trivet.report.decision.alternatives import alternatives
from trivet.report.decision.page import render_decision
from trivet.store.archive import PAGE
from trivet.store.atomic import write_atomically
from trivet.store.locate import run_folders


def write_page(path: Path, decided: Decision, tree: Tree) -> None:
    """Write the page, with the trees that ship with trivet beside the one that was taken.

    Args:
        path: of the page; its folder is made.
        decided: the decision.
        tree: that was taken.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, page_of(decided, tree, place=path.parent).encode())


def page_of(decided: Decision, tree: Tree, *, place: Path) -> str:
    """Return the page as HTML.

    Args:
        decided: the decision.
        tree: that was taken.
        place: folder where the page will lie, for links to the pages of runs.
    """
    frameworks, today = tuple(decided.titles), decided.today
    others = [other for other in map(trees.load, trees.names()) if other.sha256 != tree.sha256]
    used = set(decided.used)
    shown = (*decided.used, *(piece for piece in decided.evidence if piece not in used))
    return render_decision(
        decided.recommendation,
        decided.ready,
        {**{name: one for other in others for name, one in other.questions.items()}, **decided.questions},
        with_plain_names(decided.answers),
        shown,
        titles=decided.titles,
        today=today,
        others=[make_ready(other, decided.evidence, frameworks=frameworks, today=today) for other in others],
        run_pages=_run_pages({piece.source for piece in shown}, place),
        alternatives=alternatives(
            tree, decided.recommendation, decided.evidence, frameworks=frameworks, today=today
        ),
        costs=decided.costs,
        notes=decided.notes,
    )


def _run_pages(sources: set[str], place: Path) -> dict[str, str]:
    """Return run -> address of its page as seen from a folder, for the runs that are here."""
    found = {}
    for folder in run_folders():
        page = folder / PAGE
        if folder.name in sources and page.is_file():
            found[folder.name] = urllib.parse.quote(Path(os.path.relpath(page, place)).as_posix())
    return found
