"""What is wrong with a tree's file: all of it at once, each with its line."""

from __future__ import annotations

from trivet.decide.lines import Lines, Place
from trivet.errors import UsageError


class Problems:
    """Gathers what is wrong.

    Args:
        file: for messages.
        text: its content.
    """

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._lines = Lines(text)
        self._found: dict[str, int] = {}

    def where(self, place: Place, *needles: str) -> str:
        """Return file and line of something within a table; see `Lines.at`."""
        return f"{self._file} line {self._lines.at(place, *needles)}"

    def add(self, message: str, place: Place, *needles: str) -> None:
        """Note that something is wrong, in a sentence, with the place and what to look for there."""
        self.note(f"{self.where(place, *needles)}: {message}", place, *needles)

    def note(self, message: str, place: Place, *needles: str) -> None:
        """Note a message that names file and line already."""
        self._found.setdefault(message, self._lines.at(place, *needles))

    def settle(self) -> None:
        """Raise if anything is wrong.

        Raises:
            UsageError: says all of it, in the file's order.
        """
        if self._found:
            messages = sorted(self._found, key=lambda message: self._found[message])
            raise UsageError("\n".join(messages), "docs/choose.md says how a tree is written.")
