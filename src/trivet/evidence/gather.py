"""All the evidence there is for a decision. A source is a module in ``sources/``: a file that is there is registered.

Each has ``evidence(asked: Asked) -> Found``.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable, Mapping

from trivet.evidence import sources
from trivet.model.evidence import Evidence


@dataclasses.dataclass(frozen=True, kw_only=True)
class Asked:
    """What evidence is wanted.

    Attributes:
        titles: framework -> its name for people, of those in question.
        needs: libraries that the user cannot do without, as pip takes them.
        workload: whose runs count; "" for any.
        run: the run to take; "" for the newest that fits.
        hardware: what the user trains on: "gpu", "tpu", "apple" or "cpu"; "" if that is not known. A run on anything
            else says nothing of it.
        offline: ask nobody.
        today: ISO date.
        report: told what takes a while.
    """

    titles: Mapping[str, str]
    needs: tuple[str, ...] = ()
    workload: str = ""
    run: str = ""
    hardware: str = ""
    offline: bool = False
    today: str
    report: Callable[[str], None] = lambda _: None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Found:
    """What a source has.

    Attributes:
        evidence: of frameworks that are not in question too: the length of a training is that of the run's first
            contestant, whoever is in question.
        notes: where it comes from and why, sentences for people.
    """

    evidence: tuple[Evidence, ...] = ()
    notes: tuple[str, ...] = ()


def gather(asked: Asked) -> Found:
    """Return what all sources have, in the order of their names.

    Args:
        asked: what is wanted.

    Raises:
        TrivetError: a source cannot be read, such as a run that the user named.
    """
    evidence: list[Evidence] = []
    notes: list[str] = []
    for module in pkgutil.iter_modules(sources.__path__):
        found: Found = importlib.import_module(f"{sources.__name__}.{module.name}").evidence(asked)
        evidence += found.evidence
        notes += found.notes
    return Found(evidence=tuple(evidence), notes=tuple(notes))
