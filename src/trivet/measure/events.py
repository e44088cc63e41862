"""What a generation tells whoever watches it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from trivet.model.measurement import Failure, Slice, StartUp


@dataclasses.dataclass(frozen=True, kw_only=True)
class Starting:
    """A contestant's process starts.

    Attributes:
        contestant: label.
        what: "start", or the phase that the worker is in: "import", "build", "compile", "first_step".
        again: True if it is started once more because the machine was disturbed.
    """

    contestant: str
    what: str
    again: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class Started:
    """A contestant has taken its first step."""

    contestant: str
    startup: StartUp


@dataclasses.dataclass(frozen=True, kw_only=True)
class WarmedUp:
    """A contestant is warm.

    Attributes:
        contestant: label.
        steps: how many make a slice.
        settled: False if successive blocks did not come to agree in time.
    """

    contestant: str
    steps: int
    settled: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class SliceTaken:
    """A slice was taken; if it is not clean, its round will be repeated."""

    slice: Slice


@dataclasses.dataclass(frozen=True, kw_only=True)
class MemoryRead:
    """A contestant's memory was read."""

    contestant: str
    memory: dict[str, int]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Dropped:
    """A contestant failed; the others go on."""

    contestant: str
    failure: Failure


Event = Starting | Started | WarmedUp | SliceTaken | MemoryRead | Dropped

Report = Callable[[Event, float | None], None]
"""Takes an event and about how many seconds the generation still takes (None: no idea)."""


def ignore(event: Event, remaining_seconds: float | None) -> None:
    """Do nothing with an event: nobody watches."""


def sentence(event: Event) -> str:
    """Return an event in words."""
    match event:
        case Starting(contestant=contestant, what="start", again=again):
            return f"{contestant} starts{' again, undisturbed this time' if again else ''}"
        case Starting(contestant=contestant, what=what):
            return f"{contestant} starts: {what.replace('_', ' ')}"
        case Started(contestant=contestant, startup=startup):
            return f"{contestant} took {startup.total_seconds:.1f} s to its first step"
        case WarmedUp(contestant=contestant, steps=steps, settled=settled):
            return f"{contestant} is {'warm' if settled else 'as warm as it gets'}, {steps} steps a slice"
        case SliceTaken(slice=taken) if taken.clean:
            return f"{taken.contestant}, round {taken.round + 1}"
        case SliceTaken(slice=taken):
            share = (
                f"{taken.foreign_share:.0%} of the CPUs" if taken.foreign_share is not None else "the machine"
            )
            return f"{taken.contestant}, round {taken.round + 1}: others took {share}; to be repeated"
        case MemoryRead(contestant=contestant):
            return f"{contestant}: memory read"
        case Dropped(contestant=contestant, failure=failure):
            return f"{contestant} dropped out: {failure.message}"
