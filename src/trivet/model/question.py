"""What one `trivet compare` asks."""

from __future__ import annotations

import dataclasses

from trivet.model.contestant import Contestant

PRECISIONS = ("float32", "tf32", "bfloat16")
DEVICES = ("auto", "cpu", "cuda")
"""What may be asked for; "auto" is resolved before it becomes a question."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Question:
    """What to measure, fully resolved: the same question always means the same work.

    Attributes:
        workloads: names.
        contestants: in the order asked.
        precision: "float32", "tf32" or "bfloat16".
        batch: examples per step for every workload, or None for each workload's own.
        device: "cpu" or "cuda" ("auto" is resolved before).
        cpus: the CPUs of the affinity mask, one per thread.
        budget_minutes: measuring time over all workloads.
        margin: what counts as no practical difference, as a share (0.05 = 5 %).
        quick: one generation only.
        pythons: framework name -> the user's own interpreter.
        seed: for parameters and batches.
        largest_batch: also search for the largest batch that fits into memory.
    """

    workloads: tuple[str, ...]
    contestants: tuple[Contestant, ...]
    precision: str = "float32"
    batch: int | None = None
    device: str = "cpu"
    cpus: tuple[int, ...] = ()
    budget_minutes: float = 5.0
    margin: float = 0.05
    quick: bool = False
    pythons: dict[str, str] = dataclasses.field(default_factory=dict)
    seed: int = 0
    largest_batch: bool = False
