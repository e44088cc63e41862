"""The questions that trivet can ask, kept as data in ``questions.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from trivet.catalog import check_table, read_toml
from trivet.errors import UsageError
from trivet.model.decision import Question

FILE = Path(__file__).parent / "questions.toml"

KINDS = ("yes_no", "one", "several", "number", "names")

_QUESTION_KINDS: Mapping[str, type] = {
    "text": str,
    "why": str,
    "kind": str,
    "options": dict,
    "unit": str,
    "low": float,
    "high": float,
    "when": str,
    "unless": str,
}


@cache
def load(path: Path = FILE) -> dict[str, Question]:
    """Return every question by id, the most deciding ones first.

    Args:
        path: of the file; trivet's own by default.

    Raises:
        UsageError: the file is damaged; names the file and the question.
    """
    tables = read_toml(path, {"question": dict}, {"question"})["question"]
    return {name: of_table(name, table, f"{path}: question.{name}") for name, table in tables.items()}


def of_table(name: str, table: Any, where: str) -> Question:
    """Return a question from its table.

    Args:
        name: its id.
        table: as TOML has it.
        where: file and place, for messages.

    Raises:
        UsageError: the table is damaged.
    """
    check_table(table, _QUESTION_KINDS, {"text", "why", "kind"}, where)
    if table["kind"] not in KINDS:
        message = f"{where}: kind is {table['kind']!r}; expected one of {', '.join(KINDS)}."
        raise UsageError(message, "Correct it.")
    if (table["kind"] in ("one", "several")) != bool(table.get("options")):
        message = f"{where}: a question has options exactly if its kind is one or several."
        raise UsageError(message, "Add or remove the options.")
    return Question(id=name, **table)
