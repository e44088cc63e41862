"""Answers of the index, kept with their date: offline they are shown with their age, and nothing is guessed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trivet.ecosystem.asking import Index
from trivet.ecosystem.remote import INDEXES
from trivet.folders import make_cache, needs_folder
from trivet.store.atomic import write_atomically

FORMAT = 2
"""Raise it when an answer means or says something else than before: those kept are then asked anew."""


def keep(kind: str, asked: str, answer: Mapping[str, Any], index: Index) -> None:
    """Keep an answer in which the index has spoken.

    Args:
        kind: "need" or "upkeep".
        asked: the requirement as the user wrote it, or the framework.
        answer: what `json` can write.
        index: that was asked.

    Raises:
        OSError: it cannot be written.
        BrokenEnvironment: the cache folder cannot be made.
    """
    make_cache(needs_folder())
    write_atomically(_file(kind, asked, index), json.dumps(answer, indent=1).encode())


def find(kind: str, asked: str, index: Index) -> dict[str, Any] | None:
    """Return the kept answer to the same question; None where there is none, or it is damaged.

    Args:
        kind: "need" or "upkeep".
        asked: as in `keep`.
        index: the same index, Python and platform; an answer of another index is no answer.
    """
    with contextlib.suppress(OSError, ValueError):
        data = json.loads(_file(kind, asked, index).read_text(encoding="utf-8"))
        return data if isinstance(data, dict) else None
    return None


def _file(kind: str, asked: str, index: Index) -> Path:
    told = [os.environ.get(name, "") for name in INDEXES]
    key = [
        FORMAT,
        kind,
        asked,
        index.python,
        index.platform,
        sorted(index.variables.items()),
        told,
        index.no_index,
    ]
    return needs_folder() / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:24]}.json"
