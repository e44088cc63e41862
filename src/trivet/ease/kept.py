"""Observations, kept by what was run where: an interrupted table goes on, and one that is asked again is there at once."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from pathlib import Path

from trivet.catalog import worker_folder
from trivet.folders import ease_folder, make_cache
from trivet.model.ease import Observation, Program
from trivet.model.environment import Environment
from trivet.store.atomic import write_atomically

FORMAT = 1
"""Raise it when programs are run in another way than before: those kept are then run anew."""


def key_of(program: Program, environment: Environment, *, timed: bool) -> str:
    """Return the name under which an observation is kept.

    It changes with the program, with any package of its environment, and with the way in which programs are run.

    Args:
        program: what was run.
        environment: where.
        timed: alone, and with empty compile caches.
    """
    runner = (worker_folder() / "verbs" / "script.py").read_bytes()
    parts = [
        FORMAT,
        program.digest,
        environment.plan.digest,
        environment.python,
        sorted(environment.packages.items()),
        hashlib.sha256(runner).hexdigest(),
        timed,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def keep(key: str, seen: Observation) -> None:
    """Keep an observation.

    Raises:
        OSError: it cannot be written.
        BrokenEnvironment: the cache folder cannot be made.
    """
    path = _path(key)
    make_cache(path.parent)
    write_atomically(path, json.dumps(dataclasses.asdict(seen)).encode())


def find(key: str) -> Observation | None:
    """Return a kept observation, None where there is none, or it is damaged."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        return Observation(**json.loads(_path(key).read_text(encoding="utf-8")))
    return None


def forget(key: str) -> None:
    """Remove a kept observation, if there is one."""
    _path(key).unlink(missing_ok=True)


def _path(key: str) -> Path:
    return ease_folder() / "observations" / f"{key}.json"
