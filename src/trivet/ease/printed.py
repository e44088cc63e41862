"""Reads what a program printed: its numbers, how far it came, and what the frameworks said beyond what they always say."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence

from trivet.ease.locations import plain

TOLERANCE = 2e-4
"""Relative difference up to which two programs are said to have computed the same; see docs/ease.md."""

_LOSS = re.compile(r"^loss (?P<loss>\S+) in (?P<ms>\d+(?:\.\d+)?) ms$")
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|nan|inf)(?![\w.])", re.IGNORECASE)
_BEGUN = "training"
_HELD_OUT = "held out:"
_VARYING = re.compile(r"0x[0-9a-f]+|\d+")
_WARNING = re.compile(r"Warning\b|WARNING|^W\d{4} ")
_WARNING_TYPE = re.compile(r"\b(\w*Warning)\b")
_PLACE_LINE = re.compile(r'^\s*File "|^\s*(?:->)?\s*[|+]\s+\S.*? \(L\d+\)')
_MARGIN = re.compile(r"^\s*(?:->)?\s*\|")
_CARETS = re.compile(r"^\s*[~^|+\s]+$")
_LAYER = re.compile(r"\bNet\b|\bnet(?:_\d+)?/|\bfc[12]\b")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a program came, by the lines that it printed.

    Attributes:
        begun: the training had begun.
        losses: of the steps that it finished.
        milliseconds: of the same steps.
        evaluated: the evaluation was done.
        numbers: every number that it printed, times left out.
    """

    begun: bool
    losses: tuple[float, ...]
    milliseconds: tuple[float, ...]
    evaluated: bool
    numbers: tuple[float, ...]

    def where(self, steps: int) -> str:
        """Return where it was when it stopped, such as "step 5".

        Args:
            steps: how many the whole training has.
        """
        if self.evaluated:
            return "after"
        if not self.begun:
            return "build"
        return f"step {len(self.losses)}" if len(self.losses) < steps else "evaluation"

    def first_nan(self) -> str:
        """Return where a number that is not finite was printed first, "" if none was."""
        for step, loss in enumerate(self.losses):
            if not math.isfinite(loss):
                lasting = any(not math.isfinite(later) for later in self.losses[step + 1 :])
                only = not lasting and step + 1 < len(self.losses)
                return f"step {step} only" if only else f"step {step}"
        return "evaluation" if any(not math.isfinite(value) for value in self.numbers) else ""


def progress(stdout: str) -> Progress:
    """Return how far a program came.

    Args:
        stdout: what it printed itself.
    """
    lines = stdout.splitlines()
    steps = [match for line in lines if (match := _LOSS.match(line))]
    kept = [_LOSS.sub(r"loss \g<loss>", line) for line in lines]
    return Progress(
        begun=_BEGUN in lines,
        losses=tuple(float(step["loss"]) for step in steps),
        milliseconds=tuple(float(step["ms"]) for step in steps),
        evaluated=any(line.startswith(_HELD_OUT) for line in lines),
        numbers=tuple(float(text) for line in kept for text in _NUMBER.findall(line)),
    )


def same_numbers(one: Sequence[float], other: Sequence[float]) -> bool:
    """Say whether two programs printed the same numbers, but for rounding."""
    return len(one) == len(other) and all(
        math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-6) for a, b in zip(one, other, strict=True)
    )


def beyond(stderr: str, twin: str) -> list[str]:
    """Return the lines that a program printed on stderr and its correct twin did not, blank ones left out.

    Numbers in them are not compared: banners carry times and process ids.

    Args:
        stderr: the program's.
        twin: the twin's.
    """
    known = {_fixed(line) for line in plain(twin).splitlines()}
    return [line for line in plain(stderr).splitlines() if line.strip() and _fixed(line) not in known]


def warning_in(lines: Sequence[str]) -> str:
    """Return the type of the first warning, "warning" if it has none, "" without one."""
    for line in lines:
        if _WARNING.search(line):
            match = _WARNING_TYPE.search(line)
            return match[1] if match else "warning"
    return ""


def message_of(lines: Sequence[str]) -> str:
    """Return what is said in so many words: places, and the source lines quoted below them, are taken out.

    A message that quotes the user's source would otherwise seem to name what merely stands there.
    """
    kept = []
    quoted = False
    for line in lines:
        if _PLACE_LINE.match(line):
            quoted = True
            continue
        source = quoted and line.startswith("    ")  # below a place, indented; a message is not
        quoted = False
        if not (source or _MARGIN.match(line) or _CARETS.match(line)):
            kept.append(line)
    return "\n".join(kept)


def names_layer(message: str) -> bool:
    """Say whether a message names one of the layers, or the model."""
    return _LAYER.search(message) is not None


def names_all(message: str, patterns: Sequence[str]) -> bool:
    """Say whether a message matches every pattern."""
    return all(re.search(pattern, message) for pattern in patterns)


def _fixed(line: str) -> str:
    return " ".join(_VARYING.sub("0", line).split())  # how many spaces pad a process id depends on it
