"""Facts that are not the same in two runs: question, work, machine, code, versions, settings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from trivet.model.diff import Difference
from trivet.model.result import Result

_BY_ITSELF = {"load", "clock_mhz"}
"""Facts of a machine that change from one minute to the next."""

_ELSEWHERE = {"workloads", "contestants"}
"""Parts of a question that the tables show."""

_ENVIRONMENT = ("python", "accelerator", "own", "installer")


def differences(before: Result, after: Result) -> tuple[Difference, ...]:
    """Return every fact that differs; one that holds for several contestants or workloads comes once.

    Args:
        before: the earlier run's conclusions.
        after: the later one's.
    """
    question = _unlike(before.question, after.question, leave_out=_ELSEWHERE)
    machine = _unlike(before.machine, after.machine, leave_out=_BY_ITSELF)
    code = _unlike(_short(before.code), _short(after.code))
    return (
        *_about_all("question", question),
        *_grouped("work", _works(before), _works(after)),
        *_about_all("machine", machine),
        *_about_all("code", code),
        *_grouped("versions", _versions(before), _versions(after)),
        *_grouped("settings", _settings(before), _settings(after)),
    )


def _short(code: Mapping[str, str]) -> dict[str, str]:
    """Return hashes by their first 16 digits, which tell them apart."""
    return {part: value[:16] for part, value in code.items()}


def _works(result: Result) -> dict[str, Mapping[str, Any]]:
    return {one.workload: {"batch": one.batch, **_flat(one.settings)} for one in result.workloads}


def _versions(result: Result) -> dict[str, Mapping[str, Any]]:
    """Return label -> what it ran in: the interpreter, then all packages, the framework among them."""
    return {
        label: {**{name: facts[name] for name in _ENVIRONMENT if name in facts}, **facts["packages"]}
        for label, facts in result.environments.items()
    }


def _settings(result: Result) -> dict[str, Mapping[str, Any]]:
    # Compile caches lie in a folder with the run's name, which is no setting.
    return {
        one.contestant: {name: value.replace(result.run, "RUN") for name, value in one.settings.items()}
        for workload in result.workloads
        for one in workload.contestants
    }


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with the parts of mappings in them named "whole part"."""
    found: dict[str, Any] = {}
    for name, value in settings.items():
        if isinstance(value, Mapping):
            found |= {f"{name} {part}": inner for part, inner in value.items()}
        else:
            found[name] = value
    return found


def _unlike(
    before: Mapping[str, Any], after: Mapping[str, Any], leave_out: Collection[str] = ()
) -> Iterator[tuple[str, str | None, str | None]]:
    for name in dict.fromkeys([*before, *after]):
        values = _text(before.get(name)), _text(after.get(name))
        if name not in leave_out and values[0] != values[1]:
            yield name, *values


def _about_all(where: str, found: Iterator[tuple[str, str | None, str | None]]) -> list[Difference]:
    return [
        Difference(where=where, name=name.replace("_", " "), of=(), before=old, after=new)
        for name, old, new in found
    ]


def _grouped(
    where: str, before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> list[Difference]:
    """Return the differences of those that are in both runs, each with all whom it is about."""
    found: dict[tuple[str, str | None, str | None], list[str]] = {}
    for one in after:
        if one in before:
            for difference in _unlike(before[one], after[one]):
                found.setdefault(difference, []).append(one)
    return [
        Difference(where=where, name=name, of=tuple(of), before=old, after=new)
        for (name, old, new), of in found.items()
    ]


def _text(value: Any) -> str | None:
    """Return a fact as text; None for one that is not there or empty, lists and tuples alike."""
    if value in (None, "", (), [], {}):
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_text(part) or "–" for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(part) or '–'}" for name, part in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
