"""Finds the line of something in a TOML file, which Python's own reader does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

Place = tuple[str | int, ...]
"""Of a table: ("node", "targets"), or ("node", "targets", "branch", 1) for the second of its `[[node.targets.branch]]`."""

_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(#.*)?$")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+)")


class Lines:
    """The lines of one TOML text.

    Args:
        text: the file's content.
    """

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._headers = dict(_headers(self._lines))

    def at(self, place: Place, *needles: str) -> int:
        """Return the number of the first line within a table, tables in it included, that holds all needles, or of its header.

        A table without a header of its own (an inline table) is looked for within the table that holds it.

        Args:
            place: of the table; () for the top one.
            needles: texts, such as a key and a value.
        """
        while place and place not in self._headers:
            place = place[:-1]
        first = self._headers.get(place, 1)
        later = [
            number
            for header, number in self._headers.items()
            if number > first and header[: len(place)] != place
        ]
        last = min(later, default=len(self._lines) + 1)
        for number in range(first, last):
            line = self._lines[number - 1]
            if needles and not line.lstrip().startswith("#") and all(needle in line for needle in needles):
                return number
        return first


def _headers(lines: list[str]) -> Iterator[tuple[Place, int]]:
    counts: dict[Place, int] = {}
    in_text = ""
    for number, line in enumerate(lines, start=1):
        for quotes in ('"""', "'''"):
            if in_text in ("", quotes) and line.count(quotes) % 2:
                in_text = "" if in_text else quotes
        header = _HEADER.match(line)
        if in_text or not header:
            continue
        place: Place = ()
        names = ["".join(part) for part in _PART.findall(header.group(2))]
        for depth, name in enumerate(names, start=1):
            place = (*place, name)
            last = depth == len(names)
            if last and header.group(1) == "[[":
                counts[place] = counts.get(place, 0) + 1
            if place in counts:
                place = (*place, counts[place] - 1)
        yield place, number
