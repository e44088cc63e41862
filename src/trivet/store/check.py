"""What the types of a stored run cannot say: ranges, labels, and names that must be those of the header.

Whoever reads a run may rely on all this, so that damage is told once, with file, line and field, and computes nothing.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from trivet.errors import StoreError
from trivet.model.contestant import Contestant, parse_contestant
from trivet.model.measurement import MEASURED, Failure, Generation
from trivet.model.question import DEVICES, PRECISIONS
from trivet.store.events import Event, Failed, Finished, Gated, Measured, Noted, Peaked, Probed, Ready, Tried
from trivet.store.header import Header
from trivet_worker.protocol import FAILURE_KINDS

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}", re.ASCII)
_MOST = 2**31 - 1
_MOST_STEPS = 2**53
_MOST_BYTES = 2**60
_SHORTEST_SECONDS = 1e-9
_LONGEST_SECONDS = 1e9
_SHOWN_FAULTS = 8


def check_header(header: Header, where: str) -> None:
    """See to it that a header can have been written by trivet.

    Args:
        header: of the right types.
        where: the file, for the message.

    Raises:
        StoreError: it cannot; names what is wrong.
    """
    _tell(_header_faults(header), where)


def check_event(event: Event, header: Header, where: str) -> None:
    """See to it that an event can have been written in a run.

    Args:
        event: of the right types.
        header: of the run, checked.
        where: file and line, for the message.

    Raises:
        StoreError: it cannot; names what is wrong.
    """
    _tell(_event_faults(event, header), where)


def _tell(faults: Iterator[str], where: str) -> None:
    found = list(faults)
    if found:
        more = f" (and {len(found) - _SHOWN_FAULTS} more)" if len(found) > _SHOWN_FAULTS else ""
        message = f"{where} is not what trivet writes: {'; '.join(found[:_SHOWN_FAULTS])}{more}."
        raise StoreError(message, "It was damaged or edited; restore it, or measure again.")


def _header_faults(header: Header) -> Iterator[str]:
    question, machine = header.question, header.machine
    yield from _name("run", header.run)
    if not _is_time(header.created):
        yield f"created: {header.created!r} is no time with an offset, such as 2026-11-30T17:04:12+00:00"
    yield from _one_of("question.precision", question.precision, PRECISIONS)
    yield from _one_of("question.device", question.device, [one for one in DEVICES if one != "auto"])
    yield from _number("question.batch", question.batch, 1, _MOST)
    yield from _number("question.seed", question.seed, 0, _MOST)
    yield from _number("question.budget_minutes", question.budget_minutes, 1e-9, 60 * 24)
    yield from _number("question.margin", question.margin, 1e-9, 1 - 1e-9)
    for number, cpu in enumerate(question.cpus):
        yield from _number(f"question.cpus.{number}", cpu, 0, _MOST)
    for number, contestant in enumerate(question.contestants):
        if not _is_contestant(contestant):
            yield f"question.contestants.{number}: {contestant.label!r} is no contestant"
    asked = [contestant.label for contestant in question.contestants]
    yield from _same("contestants", [facts.label for facts in header.contestants], asked)
    for number, facts in enumerate(header.workloads):
        yield from _name(f"workloads.{number}.name", facts.name)
        yield from _number(f"workloads.{number}.batch", facts.batch, 1, _MOST)
        yield from _number(f"workloads.{number}.label_smoothing", facts.label_smoothing, 0, 1)
    yield from _same("workloads", [facts.name for facts in header.workloads], question.workloads)
    yield from _number("machine.logical_cpus", machine.logical_cpus, 1, _MOST)
    yield from _number("machine.physical_cores", machine.physical_cores, 1, _MOST)
    yield from _number("machine.memory_bytes", machine.memory_bytes, 1, _MOST_BYTES)
    yield from _number("machine.memory_limit_bytes", machine.memory_limit_bytes, 0, 2**64)
    yield from _number("machine.cpu_quota", machine.cpu_quota, 0, _MOST)
    yield from _number("machine.clock_mhz", machine.clock_mhz, 0, _MOST)
    yield from _number("machine.load", machine.load, 0, _MOST)
    for number, gpu in enumerate(machine.gpus):
        yield from _number(f"machine.gpus.{number}.memory_bytes", gpu.memory_bytes, 1, _MOST_BYTES)
        yield from _number(f"machine.gpus.{number}.power_limit_watts", gpu.power_limit_watts, 0, _MOST)


def _event_faults(event: Event, header: Header) -> Iterator[str]:
    labels = [facts.label for facts in header.contestants]
    workloads = [facts.name for facts in header.workloads]
    match event:
        case Ready():
            yield from _known("contestants", event.contestants, labels)
            yield from _seconds("environment.seconds", event.environment.seconds)
        case Probed():
            yield from _known("contestants", event.contestants, labels)
            yield from _facts(event.facts)
        case Gated():
            report = event.report
            yield from _known("report.workload", [report.workload], workloads)
            yield from _known("report.reference", report.reference, labels)
            yield from _known("report.verdicts", report.verdicts, labels)
            yield from _seconds("report.seconds", report.seconds)
            for label, verdict in report.verdicts.items():
                if verdict.failure is not None:
                    yield from _failure(f"report.verdicts.{label}.failure", verdict.failure)
        case Measured():
            yield from _generation(event.generation, labels, workloads)
        case Peaked():
            for name, speed in event.reading.operations.items():
                yield from _number(f"reading.operations.{name}", speed, 1e-9, 1e30)
        case Tried():
            yield from _known("workload", [event.workload], workloads)
            yield from _known("contestant", [event.contestant], labels)
            yield from _number("attempt.batch", event.attempt.batch, 1, _MOST)
            yield from _one_of("attempt.outcome", event.attempt.outcome, (MEASURED, *FAILURE_KINDS))
            yield from _number("attempt.peak_bytes", event.attempt.peak_bytes, 0, _MOST_BYTES)
            yield from _number("attempt.limit_bytes", event.attempt.limit_bytes, 0, _MOST_BYTES)
        case Failed():
            yield from _known("contestant", [event.contestant], labels)
            yield from _known("workload", [event.workload], ["", *workloads])
            yield from _failure("failure", event.failure)
        case Noted() | Finished():
            return


def _generation(one: Generation, labels: list[str], workloads: list[str]) -> Iterator[str]:
    at = "generation"
    yield from _known(f"{at}.workload", [one.workload], workloads)
    yield from _number(f"{at}.number", one.number, 0, _MOST)
    yield from _seconds(f"{at}.seconds", one.seconds)
    yield from _number(f"{at}.flops_per_item", one.flops_per_item, 1e-9, 1e30)
    for number, taken in enumerate(one.slices):
        here = f"{at}.slices.{number}"
        yield from _known(f"{here}.contestant", [taken.contestant], labels)
        yield from _number(f"{here}.round", taken.round, 0, _MOST)
        yield from _timed(here, taken.steps, taken.seconds)
        yield from _seconds(f"{here}.started", taken.started)
        yield from _number(f"{here}.foreign_share", taken.foreign_share, -1e6, 1e6)
        yield from _number(f"{here}.steal_share", taken.steal_share, -1e6, 1e6)
    for label, block in one.blocks.items():
        yield from _timed(f"{at}.blocks.{label}", block.steps, block.seconds)
    for label, start in one.startups.items():
        here = f"{at}.startups.{label}"
        yield from _number(f"{here}.total_seconds", start.total_seconds, _SHORTEST_SECONDS, _LONGEST_SECONDS)
        yield from _number(f"{here}.foreign_share", start.foreign_share, -1e6, 1e6)
        for phase, seconds in {**start.phases, "harness": start.harness_seconds}.items():
            yield from _number(f"{here}.{phase}", seconds, -_LONGEST_SECONDS, _LONGEST_SECONDS)
    for label, failure in one.failures.items():
        yield from _failure(f"{at}.failures.{label}", failure)
    yield from _nested(f"{at}.memory", one.memory, 0, _MOST_BYTES)
    yield from _nested(
        f"{at}.children", {key: dict(found) for key, found in one.children.items()}, 0, _MOST_BYTES
    )
    yield from _nested(f"{at}.compilations", one.compilations, 0, _MOST)
    yield from _nested(f"{at}.gpu", one.gpu, -1e12, 1e12)
    by_label: dict[str, Iterable[str]] = {
        name: getattr(one, name)
        for name in [
            "startups",
            "memory",
            "children",
            "losses",
            "failures",
            "gpu",
            "variables",
            "unsettled",
            "blocks",
            "compilations",
            "placements",
        ]
    }
    for name, named in by_label.items():
        yield from _known(f"{at}.{name}", named, labels)


def _nested(where: str, values: Mapping[str, Mapping[str, float]], low: float, high: float) -> Iterator[str]:
    for label, found in values.items():
        for name, value in found.items():
            yield from _number(f"{where}.{label}.{name}", value, low, high)


def _timed(where: str, steps: int, seconds: float) -> Iterator[str]:
    yield from _number(f"{where}.steps", steps, 1, _MOST_STEPS)
    yield from _number(f"{where}.seconds", seconds, _SHORTEST_SECONDS, _LONGEST_SECONDS)


def _facts(facts: Mapping[str, Any]) -> Iterator[str]:
    versions, devices = facts.get("versions", {}), facts.get("devices", [])
    if not isinstance(versions, dict) or not all(isinstance(one, str) for one in versions.values()):
        yield f"facts.versions: {_shown(versions)} is no table of versions"
    if not isinstance(devices, list) or not all(isinstance(one, dict) for one in devices):
        yield f"facts.devices: {_shown(devices)} is no list of devices"


def _failure(where: str, failure: Failure) -> Iterator[str]:
    yield from _one_of(f"{where}.status", failure.status, FAILURE_KINDS)
    path = PurePosixPath(failure.log)
    if failure.log and (path.is_absolute() or ".." in path.parts or "\0" in failure.log):
        yield f"{where}.log: {_shown(failure.log)} does not lie within the run"


def _seconds(where: str, seconds: float) -> Iterator[str]:
    yield from _number(where, seconds, 0, _LONGEST_SECONDS)


def _number(where: str, value: float | None, low: float, high: float) -> Iterator[str]:
    if value is not None and not (low <= value <= high):  # NaN is not
        yield f"{where}: {_shown(value)} does not lie between {low:g} and {high:g}"


def _one_of(where: str, value: str, known: Iterable[str]) -> Iterator[str]:
    if value not in known:
        yield f"{where}: {_shown(value)} is none of {', '.join(known)}"


def _known(where: str, named: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    for name in named:
        if name not in known:
            yield f"{where}: {_shown(name)} is not in the run's header"


def _same(where: str, found: Iterable[str], asked: Iterable[str]) -> Iterator[str]:
    ours, theirs = list(found), list(asked)
    if ours != theirs:
        yield f"{where}: {', '.join(ours) or 'none'}, but the question names {', '.join(theirs) or 'none'}"
    if len(set(ours)) < len(ours) or not ours:
        yield f"{where}: {', '.join(ours) or 'none'} must be different ones, one at least"


def _name(where: str, text: str) -> Iterator[str]:
    if not _NAME.fullmatch(text):
        yield f"{where}: {_shown(text)} is no name for a file"


def _shown(value: Any) -> str:
    if isinstance(value, int) and abs(value) >= 10**18:
        return f"about {'-' if value < 0 else ''}1e{int(math.log10(abs(value)))}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_time(text: str) -> bool:
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return False
    return moment.tzinfo is not None and 1970 < moment.year < 9999


def _is_contestant(contestant: Contestant) -> bool:
    try:
        return parse_contestant(contestant.label) == contestant
    except ValueError:
        return False
