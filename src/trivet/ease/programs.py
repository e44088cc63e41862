"""Puts programs together: a family's files, a variant, a switch, a mistake or its correct twin."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from trivet.ease.planted import MARK
from trivet.errors import UsageError
from trivet.model.ease import Change, Family, Mistake, Program, Switch

VARIANT = "# VARIANT\n"
"""Where the programs take the decorator that makes a variant."""


def program(
    family: Family,
    variant: str,
    *,
    mistake: Mistake | None = None,
    planted: bool = False,
    switch: Switch | None = None,
    larger: tuple[Change, ...] = (),
) -> Program:
    """Return a program.

    Args:
        family: whose files it is made of.
        variant: label of one of its variants.
        mistake: whose changes are applied; None for the family's own correct program.
        planted: True for the mistake, False for its correct twin.
        switch: turned on, or None.
        larger: changes to sizes, before all others.

    Raises:
        UsageError: a change does not fit: its text is not there, or there more than once.
    """
    files = dict(family.files)
    decorator = Change(file="train.py", at=VARIANT, correct="", planted=family.variants[variant])
    for change in (*larger, decorator):
        _apply(files, change, change.planted, family.name)
    planting = mistake.plantings[family.name] if mistake else None
    for change in planting.changes if planting else ():
        _apply(
            files,
            change,
            change.planted if planted else change.correct,
            f"{family.name}, {mistake and mistake.name}",
        )
    for change in switch.changes if switch else ():
        _apply(files, change, change.planted, f"{family.name}, {switch and switch.name}")
    uses = planting.uses if planting else ()
    targets = _targets(files, uses) if planted else ()
    return Program(files=files, targets=targets, digest=_digest(files))


def _apply(files: dict[str, str], change: Change, text: str, where: str) -> None:
    count = files.get(change.file, "").count(change.at)
    if count != 1:
        message = f"{where}: a change wants this once in {change.file}, and it is there {count} times: {change.at!r}."
        raise UsageError(message, "Correct `at` in the mistake's file.")
    files[change.file] = files[change.file].replace(change.at, text)


def _targets(files: Mapping[str, str], uses: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return where the planted lines stand, and those that use them."""
    found = []
    for name, text in files.items():
        for number, line in enumerate(text.splitlines(), start=1):
            if MARK in line or line.strip() in uses:
                found.append((name, number))
    return tuple(found)


def _digest(files: Mapping[str, str]) -> str:
    state = hashlib.sha256()
    for name in sorted(files):
        state.update(f"{name}\0{files[name]}\0".encode())
    return state.hexdigest()
