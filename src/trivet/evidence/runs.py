"""Finds the stored run whose performance a decision rests on: the newest that fits."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trivet.errors import StoreError
from trivet.evidence.performance import heaviest, of_workload, ranked
from trivet.model.machine import Gpu, Machine
from trivet.model.result import FORMAT, Result, WorkloadResult
from trivet.store.archive import RESULT
from trivet.store.files import EVENTS, HEADER
from trivet.store.locate import locate, run_folders

_FEWEST = 2
"""Frameworks that a run must rank before it can speak for one of them against another."""

_HARDWARE = {"cpu": "cpu", "cuda": "gpu"}
"""A run's device -> the answer to the question of hardware that it is."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ChosenRun:
    """A run, and the workload of it that counts.

    Attributes:
        result: its conclusions.
        workload: the one workload.
        named: the user named the run.
        asked: the workload that the user named, "" for none.
        older: how many older runs of the same workload there are.
    """

    result: Result
    workload: WorkloadResult
    named: bool
    asked: str
    older: int

    @property
    def quick(self) -> bool:
        """Say whether it rests on one generation only, so that its intervals are assumed."""
        return bool(self.result.question.get("quick"))


def named_run(where: str, workload: str = "") -> ChosenRun:
    """Return a run that the user names.

    Args:
        where: as `trivet.store.locate.locate` takes it.
        workload: that counts; "" for the heaviest.

    Raises:
        StoreError: there is no such run, it is damaged, or ranks nobody on the workload.
    """
    place = locate(where)
    result = conclusions(place)
    found = of_workload(result, workload) if workload else heaviest(result)
    if found is None or not ranked(found):
        on = f" on {workload}" if workload else ""
        message = f"The run {result.run} ranks no contestant{on}."
        raise StoreError(message, f"`trivet report {result.run}` says why; `trivet runs` lists the others.")
    return ChosenRun(result=result, workload=found, named=True, asked=workload, older=0)


def newest_run(workload: str = "", hardware: str = "") -> ChosenRun | None:
    """Return the newest run that ranks contestants of two frameworks, None where there is none.

    A run on other hardware is taken only where there is none on that asked for, and a run with --quick, whose intervals are
    assumed, only where there is no other.

    Args:
        workload: that it must hold; "" for any.
        hardware: "gpu" or "cpu", that it should have been measured on; anything else prefers none.
    """
    glances = [glance for glance in map(_glance, reversed(run_folders())) if glance is not None]
    fitting = [
        one for one in glances if one.frameworks >= _FEWEST and (not workload or workload in one.workloads)
    ]
    # Stable: the newest first.
    for glance in sorted(fitting, key=lambda one: (bool(hardware) and one.hardware != hardware, one.quick)):
        with contextlib.suppress(StoreError):  # a damaged run hides no other
            result = conclusions(glance.folder)
            found = of_workload(result, workload) if workload else heaviest(result)
            if found is not None and len({one.framework for one in ranked(found)}) >= _FEWEST:
                older = [one for one in fitting if one.folder.name < glance.folder.name]
                same = sum(found.workload in one.workloads for one in older)
                return ChosenRun(result=result, workload=found, named=False, asked=workload, older=same)
    return None


def conclusions(place: Path) -> Result:
    """Return a run's conclusions: as they were written, if nothing has been measured since, or drawn anew.

    Args:
        place: a run folder, or a zip file of one.

    Raises:
        StoreError: it is damaged.
    """
    from trivet.store import codec

    written, events = place / RESULT, place / EVENTS
    if written.is_file() and events.is_file() and written.stat().st_mtime_ns >= events.stat().st_mtime_ns:
        with contextlib.suppress(
            StoreError
        ):  # damaged, or of another trivet: it can be had from the run itself
            data = codec.parse(written.read_bytes(), str(written))
            if data.get("format") == FORMAT:
                return codec.decode_result(data, str(written))
    from trivet.conclude import conclude
    from trivet.store.run import Run

    return conclude(Run.open(place))


def machine_of(result: Result) -> Machine | None:
    """Return the machine that a run was measured on; None where its description is that of another trivet."""
    described: Mapping[str, Any] = result.machine
    with contextlib.suppress(TypeError, KeyError):
        gpus = tuple(Gpu(**gpu) for gpu in described["gpus"])
        lists = {name: tuple(described[name]) for name in ("features", "cpus")}
        return Machine(**{**described, **lists, "gpus": gpus})
    return None


def hardware_of(result: Result) -> str:
    """Return what a run trained on, as the question of hardware has it: "gpu" or "cpu"."""
    return _HARDWARE.get(str(result.question.get("device")), "cpu")


def device_of(result: Result) -> str:
    """Return what a run trained on for people, such as "a CPU (AMD EPYC 7B13)"."""
    if hardware_of(result) == "cpu":
        return f"a CPU ({result.machine.get('cpu', 'unknown')})"
    gpus = result.machine.get("gpus") or [{}]
    return f"a GPU ({gpus[0].get('name', 'unknown')})"


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Glance:
    """What a run's header tells without reading the run.

    Attributes:
        folder: of the run.
        workloads: that it asks about.
        frameworks: how many.
        quick: whether it has one generation only.
        hardware: "gpu" or "cpu".
    """

    folder: Path
    workloads: tuple[str, ...]
    frameworks: int
    quick: bool
    hardware: str


def _glance(folder: Path) -> _Glance | None:
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        question = json.loads((folder / HEADER).read_bytes())["question"]
        return _Glance(
            folder=folder,
            workloads=tuple(question["workloads"]),
            frameworks=len({one["framework"] for one in question["contestants"]}),
            quick=bool(question["quick"]),
            hardware=_HARDWARE.get(question["device"], ""),
        )
    return None
