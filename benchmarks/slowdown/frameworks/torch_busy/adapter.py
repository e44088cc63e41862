"""PyTorch's own adapter, whose step is followed by a busy wait: a slower contestant whose slowness is known."""

from __future__ import annotations

import dataclasses
import time
from types import ModuleType
from typing import Any

from trivet_worker.contract import Program
from trivet_worker.frameworks.torch import adapter as torch_adapter
from trivet_worker.frameworks.torch.adapter import configure, devices, out_of_memory, versions
from trivet_worker.protocol import Job

__all__ = ["COMPILES_ON_FIRST_CALL", "build", "configure", "devices", "out_of_memory", "versions"]

COMPILES_ON_FIRST_CALL = ()


def build(job: Job, model: ModuleType) -> Program:
    """Build torch's program, and slow its step down by the option ``busy_share``."""
    program = torch_adapter.build(dataclasses.replace(job, variant="eager"), model)
    step = program.step

    def slow_step(batch: Any) -> None:
        started = time.perf_counter()
        step(batch)
        program.wait()
        until = time.perf_counter() + job.options["busy_share"] * (time.perf_counter() - started)
        while time.perf_counter() < until:
            pass

    program.step = slow_step
    return program
