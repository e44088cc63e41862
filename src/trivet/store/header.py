"""What a run knows from its start, and never changes: the question, the machine, and what catalog entries said then.

Facts from the catalog are copied here, so that a run can be reported where the workload or framework is unknown.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from trivet import catalog
from trivet.model.contestant import Contestant
from trivet.model.machine import Machine
from trivet.model.question import Question

FORMAT = 2
"""Version of the run folder. Raise it with every change that an older trivet could not read, and add an upgrader."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorkloadFacts:
    """A workload as it was when the run began.

    Attributes:
        name: such as "resnet18".
        summary: one line.
        unit: what is counted, such as "images".
        batch: examples per step in this run.
        sizes: of the model and its inputs.
        loss: such as "cross_entropy".
        optimizer: kind and constants.
        label_smoothing: share of each label that is spread over all classes.
    """

    name: str
    summary: str
    unit: str
    batch: int
    sizes: dict[str, Any]
    loss: str
    optimizer: dict[str, Any]
    label_smoothing: float = 0.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class ContestantFacts:
    """A contestant as its framework's folder described it when the run began.

    Attributes:
        label: such as "jax:jit@0.9.2".
        title: the framework's name for people.
        package: the distribution whose version counts as the framework's.
        variant: one line that says what the variant is.
        settings: printed in the report, name -> value.
    """

    label: str
    title: str
    package: str
    variant: str
    settings: dict[str, str]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Header:
    """The file ``run.json``.

    Attributes:
        format: version of the folder.
        run: id, the folder's name.
        trivet: version that wrote it.
        created: ISO 8601 with offset.
        command: as typed, for "how to reproduce".
        question: what was asked.
        machine: facts about the host.
        code: part of the code -> hash of what ran.
        workloads: in the order asked.
        contestants: in the order asked.
    """

    format: int
    run: str
    trivet: str
    created: str
    command: str
    question: Question
    machine: Machine
    code: dict[str, str]
    workloads: tuple[WorkloadFacts, ...]
    contestants: tuple[ContestantFacts, ...]


def workload_facts(name: str, batch: int | None) -> WorkloadFacts:
    """Return what the catalog says of a workload.

    Args:
        name: such as "resnet18".
        batch: examples per step, or None for the workload's own.

    Raises:
        UsageError: there is no such workload.
    """
    info = catalog.workload(name)
    return WorkloadFacts(
        name=name,
        summary=info.summary,
        unit=info.unit,
        batch=batch or info.batch,
        sizes=dict(info.sizes),
        loss=info.loss,
        optimizer=dict(info.optimizer),
        label_smoothing=info.label_smoothing,
    )


def contestant_facts(contestant: Contestant) -> ContestantFacts:
    """Return what the catalog says of a contestant.

    Raises:
        UsageError: there is no such framework.
    """
    info = catalog.framework(contestant.framework)
    return ContestantFacts(
        label=contestant.label,
        title=info.title,
        package=info.package,
        variant=info.variants.get(contestant.variant, ""),
        settings={**info.settings.get("all", {}), **info.settings.get(contestant.variant, {})},
    )
