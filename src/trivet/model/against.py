"""A table of somebody's claims, and what a run's measurements say of each; described in docs/against.md."""

from __future__ import annotations

import dataclasses
from typing import Literal

Verdict = Literal["holds", "does not hold here", "cannot be tested here", "undecided"]
Quantity = Literal["speed", "start-up", "memory", "break-even", "scaling", "figures"]

FORMAT = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setting:
    """In what a table's figures were measured; "" or None for what it does not say.

    Attributes:
        workload: as trivet names it, such as "resnet50".
        batch: examples per step.
        precision: one of trivet's, or "mixed" where the table does not say which kind.
        device: such as "A100"; a device here is the same if its name holds this.
        unit: what is counted, such as "images".
    """

    workload: str
    batch: int | None
    precision: str
    device: str
    unit: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """What a table says of one framework. Figures are None where it says nothing.

    Attributes:
        framework: folder name, such as "torch".
        title: for people, such as "PyTorch".
        variant: such as "compile"; "" where the table does not say: then the framework's fastest contestant here stands
            for it.
        version: "" where the table does not say.
        throughput: items per second.
        startup_seconds: start-up or compile time.
        startup_variant: the variant that the start-up is of; "" if it is that of the throughput.
        memory_bytes: as the table read it.
        speed_up: times one device's speed, on `ClaimTable.devices` devices.
    """

    framework: str
    title: str
    variant: str = ""
    version: str = ""
    throughput: float | None = None
    startup_seconds: float | None = None
    startup_variant: str = ""
    memory_bytes: float | None = None
    speed_up: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ratio:
    """A claimed ratio of two training speeds.

    Attributes:
        a, b: rows; a is the one that is claimed to be faster, or as fast.
        value: speed of a over that of b, at least 1.
        low, high: where the table gives an interval; the value itself where it gives none.
    """

    a: Row
    b: Row
    value: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class ClaimTable:
    """A table of claims.

    Attributes:
        name: such as "article", a file's name or a run's id.
        title: for people.
        source: whose it is, as far as that is known.
        dated: ISO date, or as much of one as is known; "" if none is.
        setting: what its figures were measured in.
        rows: one for each framework.
        ratios: of every two rows with a speed, but for those that the table itself leaves undecided.
        devices: how many the rows' `speed_up` is on; None if it has none.
        defects: what is wrong with it, or not said, a sentence each.
        anywhere: True if its claims are tested on every workload, False if on its own alone.
    """

    name: str
    title: str
    source: str
    dated: str
    setting: Setting
    rows: tuple[Row, ...]
    ratios: tuple[Ratio, ...]
    devices: int | None = None
    defects: tuple[str, ...] = ()
    anywhere: bool = True


@dataclasses.dataclass(frozen=True, kw_only=True)
class Judgement:
    """One claim, and what the run says of it.

    Attributes:
        quantity: what it is about.
        claim: in a few words, with its number.
        verdict: what the run says.
        why: in a sentence or two, with the numbers measured.
        claimed: the number that was claimed, None where there are several.
        measured, low, high: the same here, with its interval; None where there is none.
        provisional: True if it rests on an assumed interval.
    """

    quantity: Quantity
    claim: str
    verdict: Verdict
    why: str
    claimed: float | None = None
    measured: float | None = None
    low: float | None = None
    high: float | None = None
    provisional: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """Something in which a run's setting is not the table's.

    Attributes:
        name: such as "precision".
        there: of the table.
        here: of the run.
    """

    name: str
    there: str
    here: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorkloadAgainst:
    """A table's claims beside one workload's measurements.

    Attributes:
        workload: name.
        elsewhere: in which its setting is another.
        versions: frameworks whose version is another; they are no part of the setting.
        meaning: what verdicts mean then, in a sentence.
        judgements: one for each claim.
    """

    workload: str
    elsewhere: tuple[Elsewhere, ...]
    versions: tuple[Elsewhere, ...]
    meaning: str
    judgements: tuple[Judgement, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Against:
    """A run set against a table of claims.

    Attributes:
        format: version of this shape.
        run: id.
        margin: what counts as no practical difference, the run's.
        title, source, dated, defects: of the table.
        workloads: those that its claims could be tested on.
        notes: sentences that qualify the verdicts.
    """

    format: int
    run: str
    margin: float
    title: str
    source: str
    dated: str
    defects: tuple[str, ...]
    workloads: tuple[WorkloadAgainst, ...]
    notes: tuple[str, ...]
