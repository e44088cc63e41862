"""Puts together what a worker is asked to compute, from what the catalogue says of workload and framework."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trivet.model.catalog import FrameworkInfo, WorkloadInfo
from trivet_worker.protocol import Job


def job_of(
    workload: WorkloadInfo,
    framework: FrameworkInfo,
    variant: str,
    *,
    precision: str,
    device: str,
    seed: int = 0,
    batch: int | None = None,
    optimizer: Mapping[str, Any] | None = None,
) -> Job:
    """Return a contestant's work; whoever starts the worker fills in ``started``.

    Args:
        workload: what is trained, at full size.
        framework: by whom.
        variant: one of the framework's.
        precision: one of `trivet_worker.protocol.PRECISIONS`.
        device: "cpu" or "cuda".
        seed: for parameters and batches.
        batch: examples per step; None is the workload's own.
        optimizer: in place of the workload's own.
    """
    return Job(
        framework=framework.name,
        variant=variant,
        workload=workload.name,
        folder=workload.family,
        model=framework.model,
        sizes=dict(workload.sizes),
        batch=batch or workload.batch,
        optimizer=dict(workload.optimizer if optimizer is None else optimizer),
        loss=workload.loss,
        precision=precision,
        device=device,
        layout=framework.layout,
        seed=seed,
        started=0.0,
        options={**framework.options.get("all", {}), **framework.options.get(variant, {})},
        label_smoothing=workload.label_smoothing,
    )
