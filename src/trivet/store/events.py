"""What is written down while a run goes on, in the order in which it happened."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from trivet.model.environment import Environment
from trivet.model.measurement import BatchAttempt, Failure, Generation, PeakReading
from trivet.model.parity import ParityReport


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ready:
    """An environment is ready.

    Attributes:
        contestants: labels of those that run in it.
        environment: versions and origin.
    """

    kind: Literal["environment"] = "environment"
    contestants: tuple[str, ...]
    environment: Environment


@dataclasses.dataclass(frozen=True, kw_only=True)
class Probed:
    """An environment's framework was imported.

    Attributes:
        contestants: labels of those that run in it.
        facts: what `trivet_worker.protocol` documents for the verb ``probe``.
    """

    kind: Literal["probe"] = "probe"
    contestants: tuple[str, ...]
    facts: dict[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Gated:
    """The parity gate has judged a workload's contestants; a later one replaces an earlier one."""

    kind: Literal["gate"] = "gate"
    report: ParityReport


@dataclasses.dataclass(frozen=True, kw_only=True)
class Measured:
    """A generation is complete; one of the same workload and number replaces an earlier one."""

    kind: Literal["generation"] = "generation"
    generation: Generation


@dataclasses.dataclass(frozen=True, kw_only=True)
class Peaked:
    """How fast a framework's own large operations run is known, measured now or before; see `PeakReading`."""

    kind: Literal["peak"] = "peak"
    reading: PeakReading


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tried:
    """A batch was tried in the search for the largest that fits.

    Attributes:
        workload: name.
        contestant: label.
        attempt: what came of it.
    """

    kind: Literal["batch"] = "batch"
    workload: str
    contestant: str
    attempt: BatchAttempt


@dataclasses.dataclass(frozen=True, kw_only=True)
class Failed:
    """A contestant is out, outside of any generation.

    Attributes:
        contestant: label.
        workload: name, or "" for all workloads.
        failure: why.
    """

    kind: Literal["failure"] = "failure"
    contestant: str
    workload: str
    failure: Failure


@dataclasses.dataclass(frozen=True, kw_only=True)
class Noted:
    """Something that the reader of the report should know, as a sentence."""

    kind: Literal["note"] = "note"
    text: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Finished:
    """All that was asked has been done. A run that is extended afterwards gets another one at its end."""

    kind: Literal["finished"] = "finished"


Event = Ready | Probed | Gated | Measured | Peaked | Tried | Failed | Noted | Finished
