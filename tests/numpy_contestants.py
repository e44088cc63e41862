"""Contestants of the framework on plain numpy, which runs in the tests' own interpreter."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import pytest

from trivet import catalog
from trivet.launch.stage import Staged, stage
from trivet.measure.entry import Entry
from trivet.model.contestant import parse_contestant
from trivet.model.environment import Environment, Plan
from trivet_worker.protocol import Job

EXTENSIONS = Path(__file__).parent / "extensions"
SIZES = {"features": 32, "hidden": 16, "classes": 10}


def this_environment(*, own: bool = False, python: str = sys.executable) -> Environment:
    """Return the environment that the tests run in, as trivet's own or as the user's."""
    plan = Plan(
        framework="numpy",
        version="own",
        accelerator="cpu",
        python="3.11",
        requirements=(),
        pinned=False,
        digest="tests",
    )
    return Environment(plan=plan, python=python, own=own, packages={}, installer="own", source="own")


def numpy_staged(folder: Path) -> Staged:
    """Stage the worker with the framework on plain numpy merged in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIVET_EXTENSIONS", str(EXTENSIONS))
        return stage(catalog.frameworks().values(), catalog.workloads().values(), folder=folder)


def numpy_entry(label: str = "numpy:plain", *, batch: int = 32, **options: Any) -> Entry:
    """Return a contestant on a small mlp, its variant's options overridden."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIVET_EXTENSIONS", str(EXTENSIONS))
        framework, workload = catalog.framework("numpy"), catalog.workload("mlp")
    contestant = parse_contestant(label)
    job = Job(
        framework="numpy",
        variant=contestant.variant,
        workload="mlp",
        folder="mlp",
        model="numpy",
        sizes=SIZES,
        batch=batch,
        optimizer=dict(workload.optimizer),
        loss="cross_entropy",
        precision="float32",
        device="cpu",
        layout=framework.layout,
        seed=0,
        started=0.0,
        options={**framework.options.get(contestant.variant, {}), **options},
    )
    return Entry(contestant=contestant, framework=framework, environment=this_environment(), job=job)


def job_arguments(entry: Entry, started: float) -> dict[str, Any]:
    """Return the arguments of `prepare`."""
    return {"job": dataclasses.asdict(dataclasses.replace(entry.job, started=started))}
