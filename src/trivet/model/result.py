"""Conclusions: what the JSON output, the tables and the page show. Its JSON form is described in docs/result.md."""

from __future__ import annotations

import dataclasses
from typing import Any

STATUSES = ("measured", "failed", "unsupported", "timed_out", "out_of_memory", "not_equal", "disturbed")
VERDICTS = ("a_faster", "b_faster", "no_practical_difference", "undecided")
FORMAT = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number with its interval.

    Attributes:
        value: the estimate.
        low, high: 95 % interval, None where one sample allows none.
        n: fresh processes behind it.
        unit: such as "images/s", "s", "bytes".
    """

    value: float
    low: float | None
    high: float | None
    n: int
    unit: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class StartUpEstimate(Estimate):
    """A start-up time and its split.

    Attributes:
        phases: "import", "build", "compile", "first_step" -> median seconds.
    """

    phases: dict[str, float]


@dataclasses.dataclass(frozen=True, kw_only=True)
class ContestantResult:
    """All that is known of one contestant on one workload. Measures are None where there are none."""

    contestant: str
    framework: str
    variant: str
    version: str
    precision: str
    status: str
    reason: str
    log: str
    throughput: Estimate | None
    startup_cold: StartUpEstimate | None
    startup_warm: StartUpEstimate | None
    memory: dict[str, Estimate]
    parity: dict[str, Any]
    loss: dict[str, Any]
    clean_rounds: int
    rejected_slices: int
    settings: dict[str, str]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pair:
    """Two contestants set against each other.

    Attributes:
        a, b: labels.
        ratio: throughput of a over that of b.
        low, high: 95 % interval (with one generation an assumed one, see `provisional`).
        generations: the ratio in each generation.
        verdict: one of `VERDICTS`.
        provisional: True when it rests on one generation.
        unguarded: True when the noise counters could not be read.
        more_minutes: about how much longer until it is decided; None if it is, or cannot be said.
        break_even_items: "cold" and "warm" -> items after which the faster one has made up for its slower start;
            None = never; 0 = ahead from the start.
    """

    a: str
    b: str
    ratio: float
    low: float
    high: float
    generations: tuple[float, ...]
    verdict: str
    provisional: bool
    unguarded: bool
    more_minutes: float | None
    break_even_items: dict[str, float | None]


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorkloadResult:
    """One workload's table."""

    workload: str
    summary: str
    unit: str
    batch: int
    generations: int
    process_sd: float | None
    headline: str
    parity_reference: tuple[str, ...]
    contestants: tuple[ContestantResult, ...]
    pairs: tuple[Pair, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result:
    """A whole run's conclusions."""

    format: int
    run: str
    trivet: str
    created: str
    command: str
    complete: bool
    question: dict[str, Any]
    machine: dict[str, Any]
    environments: dict[str, Any]
    code: dict[str, str]
    workloads: tuple[WorkloadResult, ...]
    notes: tuple[str, ...]
