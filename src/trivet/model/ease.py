"""Planted mistakes: what is planted where, what a program did, and what is made of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal, get_args

Kind = Literal[
    "cannot be made",
    "meant",
    "corrected",
    "located",
    "loud elsewhere",
    "warned",
    "visible NaN",
    "silent",
    "costs time",
    "unusable",
    "not run",
]
"""Outcome classes; `trivet.ease.classify` says by which rule each is given."""

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Change:
    """Text that is put in place of other text.

    Attributes:
        file: name of the file in the program.
        at: what is replaced; it occurs once.
        correct: what the correct twin has there.
        planted: what the program with the mistake has there.
    """

    file: str
    at: str
    correct: str
    planted: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Planting:
    """How a mistake is made in one family of programs.

    Attributes:
        changes: in the order in which they are applied; () if it cannot be made.
        uses: source lines that use what was planted elsewhere: to name one of them is to name the mistake.
        cannot: why it cannot be made, "" if it can.
    """

    changes: tuple[Change, ...]
    uses: tuple[str, ...]
    cannot: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Mistake:
    """A mistake, planted in every family.

    Attributes:
        name: of its file.
        number: short, such as "M3a".
        title: for a table.
        about: one sentence.
        same: what it is called when the numbers are those of the correct twin: "meant" or "corrected".
        names: patterns; a message that matches them all names the offending values.
        timed: True if what it costs is time, and is measured.
        plantings: family -> how it is made there.
    """

    name: str
    number: str
    title: str
    about: str
    same: Literal["meant", "corrected"]
    names: tuple[str, ...]
    timed: bool
    plantings: Mapping[str, Planting]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Switch:
    """A framework's own debugging aid.

    Attributes:
        name: short.
        title: the code that turns it on.
        guide: address of its documentation.
        official: False for an alternative to the usual one.
        priced: True if it is on while training runs, so that its price is asked.
        variants: labels for which it is tried.
        mistakes: names of those for which it is tried.
        changes: turn it on in a program; `Change.planted` holds the new text.
    """

    name: str
    title: str
    guide: str
    official: bool
    priced: bool
    variants: tuple[str, ...]
    mistakes: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Family:
    """Programs of one dialect, such as Flax NNX, in one or more variants.

    Attributes:
        name: of its folder.
        framework: in whose environment they run.
        title: for people.
        guide: address of the guide that the programs follow.
        files: file name -> text, before any change.
        variants: label, such as "torch:compile" -> what stands above the step.
        titles: label -> for people.
        switches: its debugging aids.
    """

    name: str
    framework: str
    title: str
    guide: str
    files: Mapping[str, str]
    variants: Mapping[str, str]
    titles: Mapping[str, str]
    switches: tuple[Switch, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Program:
    """A program as it is run.

    Attributes:
        files: file name -> text.
        targets: (file, line) of the planted lines and of those that use them; () for a correct program.
        digest: of the files.
    """

    files: Mapping[str, str]
    targets: tuple[tuple[str, int], ...]
    digest: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Observation:
    """What a program printed, and how it ended. Kept as it was; what is made of it can change.

    Attributes:
        stdout: lines that the program printed.
        stderr: the rest, the traceback included. The program's folder is written as `PLACE`.
        error: type of the exception that ended it, "" without one.
        ended: "" if it ran to its end or raised; else how its process ended.
        seconds: from start to end of its process.
        traces: how often the step was traced or compiled, None where it was not counted.
        disturbed: its times do not count, since other work used the machine.
    """

    stdout: str
    stderr: str
    error: str
    ended: str
    seconds: float
    traces: int | None
    disturbed: bool = False


PLACE = "<program>"
"""Stands for the folder of the program in what it printed."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cell:
    """One mistake in one variant, with or without a switch: what happened.

    Attributes:
        mistake: name.
        variant: label.
        switch: name, "" without one.
        kind: outcome class.
        where: "build", "step 5", "evaluation" or "after"; "" if nothing was said.
        error: type of the exception, or the first words of a warning, "" without either.
        line: the last line of the user's that was printed, such as "model.py:18".
        form: in which form that line was printed; see `trivet.ease.locations`.
        names_values: the message names the offending values, None without a message.
        names_layer: it names the layer or the model, None without a message.
        lines: lines on stderr beyond those of the correct twin.
        frames: lines that name a place in a file.
        warned: there was a warning.
        extra_seconds: of a timed mistake, beyond its twin; None for others.
        disturbed: its seconds do not count, since other work used the machine.
        traces: of a timed mistake.
        reason: why it cannot be made, or why it was not run, or is unusable.
    """

    mistake: str
    variant: str
    switch: str
    kind: Kind
    where: str = ""
    error: str = ""
    line: str = ""
    form: str = ""
    names_values: bool | None = None
    names_layer: bool | None = None
    lines: int = 0
    frames: int = 0
    warned: bool = False
    extra_seconds: float | None = None
    disturbed: bool = False
    traces: int | None = None
    reason: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what tells it from all other cells."""
        return self.mistake, self.variant, self.switch

    @property
    def outcome(self) -> tuple[object, ...]:
        """Return what must be the same when the same program is run again: all but lines and seconds."""
        return (
            self.kind,
            self.where,
            self.error,
            self.line,
            self.form,
            self.names_values,
            self.names_layer,
            self.warned,
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Price:
    """What a switch costs.

    Attributes:
        variant: label.
        switch: name.
        off_ms: milliseconds of a step without it, the median.
        on_ms: with it; None if the correct program does not run with it.
        reason: why it does not.
        disturbed: the times do not count, since other work used the machine.
    """

    variant: str
    switch: str
    off_ms: float
    on_ms: float | None
    reason: str = ""
    disturbed: bool = False

    @property
    def ratio(self) -> float | None:
        """Return how many times as long a step takes."""
        return None if self.on_ms is None else self.on_ms / self.off_ms


@dataclasses.dataclass(frozen=True, kw_only=True)
class EaseResult:
    """A whole table, as it is stored and shipped.

    Attributes:
        dated: ISO date.
        versions: variant -> the packages that matter, with their versions.
        system: operating system and processor type, and how many CPUs.
        cells: in the order of mistakes, variants, switches.
        prices: of the switches.
        alarms: correct twins that were warned about, without a switch, in a sentence each; there should be none.
    """

    dated: str
    versions: Mapping[str, Mapping[str, str]]
    system: str
    cells: tuple[Cell, ...]
    prices: tuple[Price, ...]
    alarms: tuple[str, ...] = ()
