"""What is timed: a framework in a variant, perhaps of a given version."""

from __future__ import annotations

import dataclasses
import re

_FORM = re.compile(
    r"^(?P<framework>[a-z][a-z0-9_-]*):(?P<variant>[a-z][a-z0-9_-]*)"
    r"(?:@(?P<version>[A-Za-z0-9.+!_-]+))?(?:#(?P<copy>[1-9][0-9]*))?$"
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Contestant:
    """A contestant, as written ``framework:variant[@version][#copy]``.

    Attributes:
        framework: "torch", "tensorflow", "jax", ...
        variant: "eager", "compile", "graph", "xla", "jit", ...
        version: a version that the user asked for, or None for trivet's pin.
        copy: 1, or more to enter the same program again (``torch:eager#2``), which shows the noise.
    """

    framework: str
    variant: str
    version: str | None = None
    copy: int = 1

    @property
    def label(self) -> str:
        """Return the name by which tables, files and pairs know it."""
        version = f"@{self.version}" if self.version else ""
        copy = f"#{self.copy}" if self.copy > 1 else ""
        return f"{self.framework}:{self.variant}{version}{copy}"

    @property
    def slug(self) -> str:
        """Return the label as a file name."""
        return re.sub(r"[^A-Za-z0-9.+_-]", "-", self.label)


def parse_contestant(text: str) -> Contestant:
    """Return the contestant that a text names.

    Raises:
        ValueError: the text has another form.

    Example:
        >>> parse_contestant("jax:jit@0.9.2").version
        '0.9.2'
    """
    match = _FORM.match(text.strip())
    if match is None:
        problem = f"{text!r} is not of the form framework:variant[@version]"
        raise ValueError(problem)
    return Contestant(
        framework=match["framework"],
        variant=match["variant"],
        version=match["version"],
        copy=int(match["copy"] or 1),
    )
