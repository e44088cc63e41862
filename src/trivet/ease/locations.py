r"""Finds the user's lines in what frameworks print, in the five forms in which they print them.

======================  ===============================================================================
``traceback``           Python's own: ``File "x.py", line 3, in f`` below ``Traceback``
``user code``           torch.compile: the same, indented by three, in the message, below ``from user code``
``graph definition``    TensorFlow: ``File "x.py", line 3, in f`` in the message, below ``Detected at node``
                        or ``defined at``
``op creation``         TensorFlow's check_numerics: ``-> | x.py (L3) f``
``forward call``        torch's anomaly mode: a traceback of the forward call, printed as a warning above the error
======================  ===============================================================================

JAX's checkify raises from an error whose own traceback holds the user's line: two tracebacks, of which the first one
counts as well. So each list of places that is printed is a `Stack` of its own, and its last line of the user's is what
it points at.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from trivet.model.ease import PLACE

TRACEBACK = "traceback"
USER_CODE = "user code"
GRAPH = "graph definition"
OP_CREATION = "op creation"
FORWARD = "forward call"

_FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in .*)?$')
_CREATED = re.compile(r"^\s*(?:->)?\s*[|+]\s+(?P<file>\S.*?) \(L(?P<line>\d+)\)(?: |$)")
_STARTS = (
    ("Traceback of forward call", FORWARD),
    ("Traceback (most recent call last)", TRACEBACK),
    ("from user code:", USER_CODE),
    ("Detected at node", GRAPH),
    ("defined at (most recent call last)", GRAPH),
    ("Stack trace of op's creation", OP_CREATION),
)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_SHORTENED = re.compile(r"\.\.\.\S*?/programs/[0-9a-f]{16}-\d+")
"""The program's folder, where a framework shortens long paths from the left."""
_NOT_ITS_OWN = re.compile(r"/trivet_worker/(?:bootstrap|serve|verbs)\b|<frozen runpy>")
"""Places of what runs the program. A script that is run by itself would not have them."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Stack:
    """One printed list of places.

    Attributes:
        form: see above.
        places: (file, line) of the user's own lines, in the order printed; files relative to the program.
        frames: how many places it prints, those of libraries included.
    """

    form: str
    places: tuple[tuple[str, int], ...]
    frames: int


def plain(text: str) -> str:
    """Return a text without terminal colours and without what is said of trivet's own code; its folder is `PLACE`."""
    kept = []
    left_out = False
    for line in _SHORTENED.sub(PLACE, _COLOURS.sub("", text)).splitlines():
        source = left_out and line.startswith("    ") and _place(line) is None
        left_out = _NOT_ITS_OWN.search(line) is not None
        if not (left_out or source):
            kept.append(line)
    return "\n".join(kept)


def stacks(text: str) -> tuple[Stack, ...]:
    """Return every printed stack, in order.

    Args:
        text: what was printed on stderr, the program's folder written as `PLACE`.
    """
    found: list[Stack] = []
    form, frames = "", 0
    places: list[tuple[str, int]] = []
    for line in plain(text).splitlines():
        start = next((name for words, name in _STARTS if words in line), None)
        if start is not None:
            _close(found, form, places, frames)
            form, places, frames = start, [], 0
            continue
        place = _place(line)
        if place is None:
            continue
        form = form or TRACEBACK
        frames += 1
        if place[0].startswith(f"{PLACE}/"):
            places = [*places, (place[0].removeprefix(f"{PLACE}/"), place[1])]
    _close(found, form, places, frames)
    return tuple(found)


def pointed_at(
    found: Sequence[Stack], targets: Sequence[tuple[str, int]]
) -> tuple[tuple[str, int] | None, str, bool]:
    """Return the place that is pointed at, in which form, and whether it is one of the targets.

    A stack points at its last line of the user's. The last stack that points at a target counts; without one, the last
    that points at anything.

    Args:
        found: from `stacks`.
        targets: where the mistake is.
    """
    pointing = [(stack.places[-1], stack.form) for stack in found if stack.places]
    hits = [(place, form) for place, form in pointing if place in targets]
    if hits:
        return (*hits[-1], True)
    return (*pointing[-1], False) if pointing else (None, "", False)


def _place(line: str) -> tuple[str, int] | None:
    match = _FRAME.match(line) or _CREATED.match(line)
    return (match["file"], int(match["line"])) if match else None


def _close(found: list[Stack], form: str, places: list[tuple[str, int]], frames: int) -> None:
    if frames:
        found.append(Stack(form=form, places=tuple(places), frames=frames))
