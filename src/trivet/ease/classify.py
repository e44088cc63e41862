"""Makes an outcome class of what a program printed, by fixed rules. The first that fits counts.

1. the correct twin fails: *unusable* with a switch on, *not run* without;
2. an exception: *located* if a printed stack points at the planted line, or at one that uses it; else *loud elsewhere*;
3. a printed number is not finite: *warned* if there was a warning, else *visible NaN*;
4. what it costs is time: *costs time*, with a warning or without;
5. the printed numbers are those of the twin: *meant* or *corrected*, whichever the mistake says;
6. a warning: *warned*;
7. *silent*: plausible numbers, and they are wrong.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from trivet.ease.locations import pointed_at, stacks
from trivet.ease.printed import (
    Progress,
    beyond,
    message_of,
    names_all,
    names_layer,
    progress,
    same_numbers,
    warning_in,
)
from trivet.model.ease import Cell, Mistake, Observation, Program

_REASON_LETTERS = 160


def classify(
    mistake: Mistake, variant: str, switch: str, planted: Program, seen: Observation, twin: Observation
) -> Cell:
    """Return the cell.

    Args:
        mistake: what was planted.
        variant: label.
        switch: name of the one that was on, "" without.
        planted: the program; its targets say where the mistake is.
        seen: what it did.
        twin: what its correct twin did, with the same switch on.
    """
    key: dict[str, Any] = {"mistake": mistake.name, "variant": variant, "switch": switch}
    problem = failure_of(twin)
    if problem:
        return Cell(
            **key, kind="unusable" if switch else "not run", reason=f"The correct program fails: {problem}"
        )
    if seen.ended and not seen.error:
        return Cell(**key, kind="not run", reason=seen.ended)
    came, whole = progress(seen.stdout), progress(twin.stdout)
    lines = beyond(seen.stderr, twin.stderr)
    common: dict[str, Any] = {
        **key,
        "lines": len(lines),
        "frames": sum(stack.frames for stack in stacks(seen.stderr)),
    }
    if seen.error:
        place, form, hit = pointed_at(stacks(seen.stderr), planted.targets)
        message = message_of(lines)
        return Cell(
            **common,
            kind="located" if hit else "loud elsewhere",
            where=came.where(len(whole.losses)),
            error=seen.error,
            line=f"{place[0]}:{place[1]}" if place else "",
            form=form,
            names_values=names_all(message, mistake.names),
            names_layer=names_layer(message),
        )
    return _without_error(mistake, common, lines, came, seen, twin)


def failure_of(seen: Observation) -> str:
    """Return why a program that ought to be correct is not fit to compare with, "" if it is."""
    if seen.error or seen.ended:
        last = next((line for line in reversed(seen.stderr.splitlines()) if line.strip()), "")
        return seen.ended or f"{seen.error}: {textwrap.shorten(last, _REASON_LETTERS)}"
    if progress(seen.stdout).first_nan():
        return "it prints numbers that are not finite"
    return ""


def _without_error(
    mistake: Mistake,
    common: dict[str, Any],
    lines: Sequence[str],
    came: Progress,
    seen: Observation,
    twin: Observation,
) -> Cell:
    whole = progress(twin.stdout)
    warning = warning_in(lines)
    said: dict[str, Any] = {"warned": bool(warning), "error": warning}
    if warning:
        message = message_of(lines)
        said |= {
            "names_values": names_all(message, mistake.names),
            "names_layer": names_layer(message),
        }
    if mistake.timed:
        common |= {"disturbed": seen.disturbed or twin.disturbed}
        extra = (sum(came.milliseconds) - sum(whole.milliseconds)) / 1000
        return Cell(
            **common,
            **said,
            kind="costs time",
            extra_seconds=round(extra, 2),
            traces=seen.traces,
        )
    where = came.first_nan()
    if where:
        return Cell(**common, **said, kind="warned" if warning else "visible NaN", where=where)
    if same_numbers(came.numbers, whole.numbers):
        return Cell(**common, **said, kind=mistake.same)
    return Cell(**common, **said, kind="warned" if warning else "silent")
