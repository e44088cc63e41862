"""Conclusions: what the JSON output, the tables and the page show. Its JSON form is described in docs/result.md."""

from __future__ import annotations

import dataclasses
from typing import Any

STATUSES = (
    "measured",
    "failed",
    "unsupported",
    "timed_out",
    "out_of_memory",
    "not_equal",
    "disturbed",
    "pending",
)
"""A contestant's status. "pending" occurs only while a run is incomplete: its turn has not come."""

VERDICTS = ("a_faster", "b_faster", "no_practical_difference", "undecided")

FLAGS = (
    "not_finite",
    "loss_differs",
    "changed_behaviour",
    "clock",
    "over_peak",
    "not_linear",
    "wrong_device",
    "wrong_dtype",
    "preallocated",
    "overhead_bound",
    "recompiles",
)
"""Codes of plausibility flags; `trivet.conclude.plausibility` has a function for each."""

FORMAT = 1

MEMORY_COUNTERS = ("live_peak_bytes", "host_peak_bytes")
"""Counters that stand for a contestant's memory where one is shown, the first that is there."""


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
        phases: "import", "build", "compile", "first_step" -> mean seconds; they add up to the value.
    """

    phases: dict[str, float]


@dataclasses.dataclass(frozen=True, kw_only=True)
class LossCheck:
    """How the losses of the timed precision compare, from the same parameters and batches.

    Attributes:
        losses: of steps 1, 2 and 3, and the last one measured; None where it is not finite.
        falls: True if the last is below the first.
        reference: label of the contestant that is compared with, "" if there is none.
        distance: largest relative difference to the reference over steps 1 to 3.
    """

    losses: tuple[float | None, ...]
    falls: bool
    reference: str
    distance: float | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Child:
    """Processes of one name that a worker started itself. Their memory is listed, not added.

    Attributes:
        name: of the program.
        count: the most seen at once.
        peak_bytes: of the largest one.
    """

    name: str
    count: int
    peak_bytes: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Flag:
    """Something that makes a number implausible, or not mean what it seems to.

    Attributes:
        code: one of `FLAGS`.
        message: what was seen, with its numbers, in a sentence or two.
    """

    code: str
    message: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class LargestBatch:
    """The largest batch that fits into memory, found by trying in fresh processes.

    Attributes:
        value: the largest one that trained.
        failed_at: the smallest larger one for which memory ran out; None if none did: the value is then a lower bound.
        resolution: how far the two lie apart, as a share of the value; None for a lower bound.
        limit_bytes: the memory that a process was allowed.
        points: (batch, peak bytes) of those that trained, by batch.
    """

    value: int
    failed_at: int | None
    resolution: float | None
    limit_bytes: int
    points: tuple[tuple[int, int], ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Peak:
    """The most that this machine was seen to compute in a precision.

    Attributes:
        flops_per_second: floating-point operations per second, a multiply-add counted as two.
        framework: whose operation it was.
        operation: such as "matrix product 2048".
        precision: of the operands.
    """

    flops_per_second: float
    framework: str
    operation: str
    precision: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class ContestantResult:
    """All that is known of one contestant on one workload. Measures are None where there are none.

    Attributes:
        contestant: label.
        framework, variant: its parts.
        title: the framework's name for people, such as "PyTorch".
        version: of the framework, as installed; "" if it never came to that.
        precision: of the question.
        status: one of `STATUSES`.
        reason: why the status is not "measured", or a remark; "" if there is none.
        log: path of the log within the run, or "".
        throughput: items per second.
        startup_cold, startup_warm: seconds to the end of the first step; compile caches empty, and filled.
        memory: counter -> bytes; warm generations, or the cold one where there is no other.
        children: processes that the worker started.
        parity: the fields of `trivet.model.parity.Verdict`, "equal" None where it was not checked.
        loss: the fields of `LossCheck`, {} where nothing was measured.
        clean_rounds: rounds that count, over all generations.
        rejected_slices: slices that do not, because the machine was disturbed.
        gpu: reading -> median, such as "clocks_mhz"; {} on a CPU.
        settings: name -> value, for the report.
        utilisation: the workload's analytic operations per second over the machine's peak; None without either.
        flags: what makes its numbers implausible.
        largest_batch: None where it was not asked for, or not found.
    """

    contestant: str
    framework: str
    variant: str
    title: str
    version: str
    precision: str
    status: str
    reason: str
    log: str
    throughput: Estimate | None
    startup_cold: StartUpEstimate | None
    startup_warm: StartUpEstimate | None
    memory: dict[str, Estimate]
    children: tuple[Child, ...]
    parity: dict[str, Any]
    loss: dict[str, Any]
    clean_rounds: int
    rejected_slices: int
    gpu: dict[str, float]
    settings: dict[str, str]
    utilisation: Estimate | None = None
    flags: tuple[Flag, ...] = ()
    largest_batch: LargestBatch | None = None

    @property
    def shown_memory(self) -> Estimate | None:
        """Return the counter that tables show: the device's live peak if there is one, else the host's high-water mark."""
        return next((self.memory[name] for name in MEMORY_COUNTERS if name in self.memory), None)


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
            None = never; 0 = ahead from the start. A start-up that was not measured has no entry.
        break_even_seconds: the same in wall time since the start of the process of the faster one.
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
    break_even_seconds: dict[str, float | None] = dataclasses.field(default_factory=dict)

    def seen_from(self, label: str) -> Pair:
        """Return the pair with one of its two contestants as `a`."""
        if label == self.a:
            return self
        swapped = {"a_faster": "b_faster", "b_faster": "a_faster"}
        return dataclasses.replace(
            self,
            a=self.b,
            b=self.a,
            ratio=1 / self.ratio,
            low=1 / self.high,
            high=1 / self.low,
            generations=tuple(1 / ratio for ratio in self.generations),
            verdict=swapped.get(self.verdict, self.verdict),
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorkloadResult:
    """One workload's table.

    Attributes:
        workload: name.
        summary: one line.
        unit: what is counted, such as "images".
        batch: examples per step.
        settings: sizes, loss and optimizer.
        generations: how many are complete.
        minutes: wall time that they took.
        process_sd: spread of a ratio between generations, log scale; None where it cannot be told.
        headline: the verdict in a sentence.
        parity_reference: labels of the group that agrees; () on a tie or without a gate.
        initial_values: tensor -> label -> root mean square of the program's own initial values, where these differ
            between frameworks; all are given the same ones, so this blocks nothing.
        contestants: in the order asked.
        pairs: of those that are ranked, each once.
        flops_per_item: floating-point operations of a training step for one item, from layer shapes; None if unknown.
        peak: what the machine reaches at best in this precision; None where it was not measured.
    """

    workload: str
    summary: str
    unit: str
    batch: int
    settings: dict[str, Any]
    generations: int
    minutes: float
    process_sd: float | None
    headline: str
    parity_reference: tuple[str, ...]
    initial_values: dict[str, dict[str, float]]
    contestants: tuple[ContestantResult, ...]
    pairs: tuple[Pair, ...]
    flops_per_item: float | None = None
    peak: Peak | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result:
    """A whole run's conclusions.

    Attributes:
        format: version of this shape.
        run: id.
        trivet: version that measured.
        created: ISO 8601 with offset.
        command: as typed.
        complete: True if all that was asked has been done.
        question: as asked, contestants as labels.
        machine: facts about the host.
        environments: label -> version, Python, origin and packages.
        code: part of the code -> hash of what ran.
        workloads: those of which something is known.
        notes: sentences that qualify the numbers.
    """

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
