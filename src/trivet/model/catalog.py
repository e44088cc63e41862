"""What the folders under `trivet_worker` (and extension folders) offer."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any


@dataclasses.dataclass(frozen=True, kw_only=True)
class FrameworkInfo:
    """A framework's folder: framework.toml and where it lies.

    Attributes:
        name: folder name, such as "torch".
        title: for people, such as "PyTorch".
        package: the distribution whose version counts as the framework's, such as "torch".
        model: whose model files it runs, its own name as a rule (``model_<model>.py``).
        environment: whose environment it runs in, its own name as a rule.
        layout: a key of `trivet_worker.layouts.LAYOUTS`.
        python: the Python versions it supports, as a specifier such as ">=3.10,<3.15".
        variants: variant name -> one line that says what it is.
        precisions: of `trivet_worker.protocol.PRECISIONS` without float64.
        requirements: accelerator ("cpu", "cuda") -> requirements, "{version}" standing for the framework's version.
        variables: environment variables of every worker of this framework.
        memory_variables: those of a device-memory run (preallocation off).
        caches: environment variable -> subfolder; compile caches, private to a run, empty when cold.
        conventions: rules that frameworks really have differently: ``running_variance`` ("biased", "unbiased"),
            ``momentum`` ("rate_outside", "rate_inside"), ``adam_epsilon`` ("after_correction", "before_correction"),
            ``clipping`` ("exact", "guarded").
        options: settings handed to the adapter, by variant name; "all" holds for every variant.
        settings: what the report prints as this framework's settings, by variant; "all" for every variant.
        folder: where it lies.
    """

    name: str
    title: str
    package: str
    model: str
    environment: str
    layout: str
    python: str
    variants: Mapping[str, str]
    precisions: tuple[str, ...]
    requirements: Mapping[str, tuple[str, ...]]
    variables: Mapping[str, str]
    memory_variables: Mapping[str, str]
    caches: Mapping[str, str]
    conventions: Mapping[str, str]
    options: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, Mapping[str, str]]
    folder: Path


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorkloadInfo:
    """One workload, ready to be asked for.

    Attributes:
        name: such as "resnet18".
        family: folder name, such as "resnet".
        summary: one line.
        unit: what is counted, such as "images".
        batch: default examples per step.
        sizes: keyword arguments of `build` and of `spec.py`.
        loss: "cross_entropy".
        optimizer: kind and constants, as `trivet_worker.protocol.Job` says.
        models: framework name -> its native model file.
        folder: where it lies.
        label_smoothing: share of each label that is spread over all classes.
    """

    name: str
    family: str
    summary: str
    unit: str
    batch: int
    sizes: Mapping[str, Any]
    loss: str
    optimizer: Mapping[str, Any]
    models: Mapping[str, Path]
    folder: Path
    label_smoothing: float = 0.0
