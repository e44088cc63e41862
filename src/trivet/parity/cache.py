"""Verdicts kept between runs, under the hash of everything that they depend on.

A report is kept for a set of traces, each known by the hash of all that determines it. A contestant that a kept report
calls equal stays so in any smaller company. The tensors are not kept: those of five ResNet-50s take 3 GB.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import platform
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from trivet.model.environment import Environment
from trivet.model.measurement import Failure
from trivet.model.parity import Difference, ParityReport, Verdict

FORMAT = 1


def trace_key(
    *,
    code: str,
    arguments: Mapping[str, Any],
    environment: Environment,
    variables: Mapping[str, str],
) -> str:
    """Return the hash of everything that a trace depends on.

    How many CPUs it may use is not among that: it changes rounding alone.

    Args:
        code: hash of the worker's code and the workloads.
        arguments: of the verb ``trace``, without what changes from run to run.
        environment: where it runs.
        variables: the worker's environment variables that may change what it computes.
    """
    return _digest(
        {
            "code": code,
            "arguments": arguments,
            "python": [environment.plan.python, environment.python if environment.own else ""],
            "packages": environment.packages,
            "variables": variables,
            "cpu": [platform.machine(), _cpu_model()],
        }
    )


def report_digest(keys: Mapping[str, str]) -> str:
    """Return the hash of everything that a report depends on.

    Args:
        keys: label -> key of its trace.
    """
    return _digest({"format": FORMAT, "keys": keys, "gate": _gate_code()})


def find(folder: Path, keys: Mapping[str, str]) -> ParityReport | None:
    """Return the kept report that answers for these contestants, None if there is none.

    Args:
        folder: where reports are kept.
        keys: label -> key of its trace.
    """
    exact = _read(folder / f"{report_digest(keys)}.json")
    if exact is not None:
        return exact[1]
    for path in sorted(folder.glob("*.json")):
        kept = _read(path)
        if kept is not None and (report := _of_larger_company(*kept, keys)) is not None:
            return report
    return None


def keep(folder: Path, keys: Mapping[str, str], report: ParityReport) -> None:
    """Keep a report, unless a contestant failed in a way that may not happen again."""
    failures = [verdict.failure for verdict in report.verdicts.values() if verdict.failure is not None]
    if any(failure.status != "unsupported" for failure in failures):
        return
    data = {"format": FORMAT, "gate": _gate_code(), "keys": dict(keys), "report": dataclasses.asdict(report)}
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=".", dir=folder)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(data, file)
        Path(name).replace(folder / f"{report_digest(keys)}.json")
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _of_larger_company(
    report_keys: Mapping[str, str], report: ParityReport, keys: Mapping[str, str]
) -> ParityReport | None:
    """Return what a report on more contestants says of some of them, if it calls them all equal."""
    label_of = {key: label for label, key in report_keys.items()}
    if not set(keys.values()) <= set(label_of):
        return None
    verdicts = {label: report.verdicts[label_of[key]] for label, key in keys.items()}
    if not all(verdict.equal for verdict in verdicts.values()):
        return None
    absent = [label for key, label in label_of.items() if key not in keys.values()]
    if absent:
        note = (
            f"Compared earlier, with {', '.join(absent)} as well; the differences are those to that company."
        )
        verdicts = {label: dataclasses.replace(verdict, note=note) for label, verdict in verdicts.items()}
    return dataclasses.replace(
        report, reference=tuple(keys), verdicts=verdicts, cached=True, digest=report_digest(keys)
    )


def _read(path: Path) -> tuple[dict[str, str], ParityReport] | None:
    """Return a kept report and its keys, None if it is not there, damaged, or of another version of the gate."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] == FORMAT and data["gate"] == _gate_code():
            return data["keys"], _report(data["report"])
    return None


def _report(data: dict[str, Any]) -> ParityReport:
    verdicts = {label: _verdict(verdict) for label, verdict in data["verdicts"].items()}
    return ParityReport(
        **{
            **data,
            "verdicts": verdicts,
            "reference": tuple(data["reference"]),
            "cached": True,
            "seconds": 0.0,
        }
    )


def _verdict(data: dict[str, Any]) -> Verdict:
    difference, failure = data["first_difference"], data["failure"]
    parts = {
        "first_difference": None if difference is None else Difference(**difference),
        "by_convention": tuple(data["by_convention"]),
        "failure": None if failure is None else Failure(**failure),
    }
    return Verdict(**{**data, **parts})


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@cache
def _gate_code() -> str:
    """Return the hash of the code that draws the conclusions: this package's."""
    state = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


def _cpu_model() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()
