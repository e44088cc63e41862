"""Raw samples, as they are stored: nothing here is a conclusion."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a contestant has no result in a stage.

    Attributes:
        status: "failed", "unsupported", "timed_out" or "out_of_memory".
        stage: "environment", "probe", "parity", "start" or "measure".
        message: for the table.
        log: path of the log within the run folder, or "".
    """

    status: str
    stage: str
    message: str
    log: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class StartUp:
    """Process start to the end of the first training step.

    Attributes:
        total_seconds: the whole, trivet's own work (loading the shared parameters) taken out.
        phases: "import", "build", "compile", "first_step" -> seconds; they add up to the total.
        harness_seconds: trivet's own work, not in the total.
        cold: True if the compile caches were empty.
        first_loss: loss of the first step.
        foreign_share: CPU time of other processes meanwhile, over wall time and CPUs; None where it cannot be read.
    """

    total_seconds: float
    phases: dict[str, float]
    harness_seconds: float
    cold: bool
    first_loss: float
    foreign_share: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Slice:
    """One timed block of steps.

    Attributes:
        contestant: label.
        round: number within the generation, from 0.
        steps: how many.
        seconds: started to finished waiting.
        started: seconds since the run began.
        foreign_share: CPU time of other processes over wall time and CPUs; None where it cannot be read.
        steal_share: time stolen by the hypervisor, likewise.
        clean: True if it counts.
    """

    contestant: str
    round: int
    steps: int
    seconds: float
    started: float
    foreign_share: float | None
    steal_share: float | None
    clean: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Block:
    """A timed block of steps that is no slice: the last one of a warm-up.

    Attributes:
        steps: how many.
        seconds: started to finished waiting.
    """

    steps: int
    seconds: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Placement:
    """Where and in which precision a contestant really computed.

    Attributes:
        devices: kinds of device that hold parameters.
        parameters: their dtypes.
        compute: dtypes of the operands of the step's matrix products and convolutions.
    """

    devices: tuple[str, ...]
    parameters: tuple[str, ...]
    compute: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Generation:
    """One set of fresh processes, one for each contestant.

    Attributes:
        workload: name.
        number: from 0; number 0 is cold.
        startups: label -> start-up.
        slices: in the order taken, rejected ones too.
        memory: label -> counter -> bytes.
        children: label -> [[name, peak bytes]] of the worker's own child processes.
        losses: label -> [first loss, losses of the next two steps, loss at the end].
        failures: label -> why it has none.
        guarded: False if the noise counters could not be read.
        cold_caches: True for number 0.
        gpu: readings beside GPU numbers (clocks_mhz, power_watts, temperature_celsius), else {}.
        seconds: wall time that the generation took.
        variables: label -> the environment variables that may change what was measured.
        unsettled: labels whose warm-up ended after its longest time, successive blocks still apart.
        flops_per_item: the workload's analytic count for a training step; None where it has none.
        blocks: label -> last block of its warm-up, to see whether time grows with the number of steps; only where
            nobody disturbed it and the warm-up settled.
        compilations: label -> name -> how often it was traced or compiled while slices were timed.
        placements: label -> where and how it computed.
        repeated: label -> losses of its first steps taken again after all else, from the same parameters and batches.
        clocks: label -> (seconds that its worker told, seconds that passed here) of the slice in which the two were
            furthest apart; only where they contradict each other.
    """

    workload: str
    number: int
    startups: dict[str, StartUp]
    slices: tuple[Slice, ...]
    memory: dict[str, dict[str, int]]
    children: dict[str, list[tuple[str, int]]]
    losses: dict[str, list[float]]
    failures: dict[str, Failure]
    guarded: bool
    cold_caches: bool
    gpu: dict[str, dict[str, float]]
    seconds: float
    variables: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)
    unsettled: tuple[str, ...] = ()
    flops_per_item: float | None = None
    blocks: dict[str, Block] = dataclasses.field(default_factory=dict)
    compilations: dict[str, dict[str, int]] = dataclasses.field(default_factory=dict)
    placements: dict[str, Placement] = dataclasses.field(default_factory=dict)
    repeated: dict[str, list[float]] = dataclasses.field(default_factory=dict)
    clocks: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, kw_only=True)
class PeakReading:
    """How fast a framework's own large operations run on this machine.

    Attributes:
        framework: folder name.
        version: of the framework.
        precision: of the operands.
        device: "cpu" or "cuda".
        operations: name -> floating-point operations per second in its fastest block.
        disturbed: operations during which others used the machine at every try: they may be faster than that.
    """

    framework: str
    version: str
    precision: str
    device: str
    operations: dict[str, float]
    disturbed: tuple[str, ...] = ()


MEASURED = "measured"
"""Outcome of a batch that trained; the others are those of `trivet_worker.protocol.FAILURE_KINDS`."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class BatchAttempt:
    """A batch that was tried, to find the largest that fits into memory.

    Attributes:
        batch: items per step.
        outcome: "measured", "out_of_memory", or another failure.
        message: why it failed, else "".
        peak_bytes: the high-water mark of its process, or of the allocator on a GPU; None where it failed.
        limit_bytes: what it was allowed.
    """

    batch: int
    outcome: str
    message: str
    peak_bytes: int | None
    limit_bytes: int
