"""Answers of the index, kept with their date: offline they are shown with their age, and nothing is guessed."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
from pathlib import Path

from trivet.ecosystem.asking import Index
from trivet.ecosystem.need import CONCLUSIVE, Need, from_plain
from trivet.ecosystem.remote import INDEXES
from trivet.folders import make_cache, needs_folder
from trivet.store.atomic import write_atomically

FORMAT = 1
"""Raise it when a need means something else than before: those kept are then asked anew."""


def keep(need: Need, index: Index) -> None:
    """Keep an answer in which the index has spoken; others are passed over.

    Raises:
        OSError: it cannot be written.
        BrokenEnvironment: the cache folder cannot be made.
    """
    if need.state not in CONCLUSIVE or need.kept:
        return
    make_cache(needs_folder())
    write_atomically(_file(need.requirement, index), json.dumps(dataclasses.asdict(need), indent=1).encode())


def find(requirement: str, index: Index) -> Need | None:
    """Return the kept answer to the same question, marked as kept; None where there is none, or it is damaged.

    Args:
        requirement: as the user wrote it.
        index: the same index, Python and platform; an answer of another index is no answer.
    """
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        data = json.loads(_file(requirement, index).read_text(encoding="utf-8"))
        return dataclasses.replace(from_plain(data), kept=True)
    return None


def _file(requirement: str, index: Index) -> Path:
    told = [os.environ.get(name, "") for name in INDEXES]
    key = [
        FORMAT,
        requirement,
        index.python,
        index.platform,
        sorted(index.variables.items()),
        told,
        index.no_index,
    ]
    return needs_folder() / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:24]}.json"
