"""Finds frameworks and workloads by folder: a folder that is there is all the registration there is.

Besides trivet's own, the folders named in ``TRIVET_EXTENSIONS`` (separated like PATH) are searched: each may hold
``frameworks/<name>/`` and ``workloads/<family>/``, of the same shape as trivet's.
"""

from __future__ import annotations

import datetime as dt
import difflib
import importlib.util
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from trivet.errors import UsageError
from trivet.model.catalog import FrameworkInfo, WorkloadInfo
from trivet_worker.layouts import LAYOUTS

DEFAULT_WORKLOADS = ("mlp", "resnet18")
"""Small, and the winner differs between them."""

_Info = TypeVar("_Info", FrameworkInfo, WorkloadInfo)


def worker_folder() -> Path:
    """Return where `trivet_worker` lies."""
    spec = importlib.util.find_spec("trivet_worker")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def roots() -> tuple[Path, ...]:
    """Return the folders that are searched, trivet's own first.

    Raises:
        UsageError: ``TRIVET_EXTENSIONS`` names a folder that is not there.
    """
    named = [Path(text) for text in os.environ.get("TRIVET_EXTENSIONS", "").split(os.pathsep) if text]
    for folder in named:
        if not folder.is_dir():
            message = f"TRIVET_EXTENSIONS names {folder}, which is not a folder."
            raise UsageError(message, "Correct the variable, or unset it.")
    return (worker_folder(), *named)


def frameworks() -> dict[str, FrameworkInfo]:
    """Return every framework by name, trivet's own first, each group in alphabetical order."""
    found = {}
    for root in roots():
        for path in sorted((root / "frameworks").glob("*/framework.toml")):
            found[path.parent.name] = _framework(path)
    return found


def workloads() -> dict[str, WorkloadInfo]:
    """Return every workload by name."""
    found: dict[str, WorkloadInfo] = {}
    for root in roots():
        for path in sorted((root / "workloads").glob("*/workload.toml")):
            for info in _family(path):
                found[info.name] = info
    return found


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint such as " Did you mean resnet18?" or "" when nothing is near."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" Did you mean {matches[0]}?" if matches else ""


def framework(name: str) -> FrameworkInfo:
    """Return one framework.

    Raises:
        UsageError: there is none of this name; names the nearest.
    """
    return _named("framework", name, frameworks(), "contestants")


def workload(name: str) -> WorkloadInfo:
    """Return one workload.

    Raises:
        UsageError: there is none of this name; names the nearest.
    """
    return _named("workload", name, workloads(), "workloads")


def _named(kind: str, name: str, known: Mapping[str, _Info], listed: str) -> _Info:
    if name not in known:
        message = f"There is no {kind} {name!r}.{nearest(name, known)}"
        raise UsageError(message, f"Known: {', '.join(known)}. `trivet list {listed}` says more.")
    return known[name]


@cache
def _toml(path: Path, changed: int) -> dict[str, Any]:  # noqa: ARG001 - part of the cache's key
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise UsageError(
            message, "Correct the file, or leave its folder out of TRIVET_EXTENSIONS."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"{path} is not valid TOML: {error}."
        raise UsageError(message, "Correct the file.") from error


def read_toml(path: Path, kinds: Mapping[str, type], needed: set[str]) -> dict[str, Any]:
    """Return a TOML file whose top table has been checked; see `check_table`.

    Raises:
        UsageError: it cannot be read, is not TOML (with the line), or its keys are not these.
    """
    data = parse_toml(path)
    check_table(data, kinds, needed, str(path))
    return data


def parse_toml(path: Path) -> dict[str, Any]:
    """Return a TOML file as it is.

    Raises:
        UsageError: it cannot be read, or is not TOML (with the line).
    """
    return _toml(path, path.stat().st_mtime_ns)


def check_table(data: Any, kinds: Mapping[str, type], needed: set[str], where: str) -> None:
    """Raise if a table has keys that it must not have, lacks some, or holds values of another kind.

    Args:
        data: the table.
        kinds: each key that it may have, with the type of its value.
        needed: the keys that it must have.
        where: the file, and the place in it, for the message.

    Raises:
        UsageError: names the place and the key.
    """
    if not isinstance(data, dict):
        message = f"{where} is {data!r}, not a table."
        raise UsageError(message, f"Known keys: {', '.join(sorted(kinds))}.")
    unknown = sorted(set(data) - set(kinds))
    if unknown:
        message = f"{where}: unknown key {unknown[0]!r}.{nearest(unknown[0], kinds)}"
        raise UsageError(message, f"Known keys: {', '.join(sorted(kinds))}.")
    missing = sorted(needed - set(data))
    if missing:
        message = f"{where}: the key {missing[0]!r} is missing."
        raise UsageError(message, "Add it; docs/adding/ shows a whole file.")
    for key, value in data.items():
        if not isinstance(value, kinds[key]) or (isinstance(value, bool) and kinds[key] is int):
            message = f"{where}: {key} is {value!r}; expected {_KIND_NAMES[kinds[key]]}."
            raise UsageError(message, "Correct it; docs/adding/ shows a whole file.")


_KIND_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number with a point",
    list: "a list",
    dict: "a table",
    dt.date: "a date such as 2026-12-01",
}
_FRAMEWORK_KINDS: Mapping[str, type] = {
    "title": str,
    "package": str,
    "model": str,
    "environment": str,
    "layout": str,
    "python": str,
    "variants": dict,
    "precisions": list,
    "requirements": dict,
    "variables": dict,
    "memory_variables": dict,
    "caches": dict,
    "conventions": dict,
    "options": dict,
    "settings": dict,
}
_FAMILY_KINDS: Mapping[str, type] = {
    "summary": str,
    "unit": str,
    "loss": str,
    "optimizer": dict,
    "names": dict,
    "label_smoothing": float,
}
_WORKLOAD_KINDS: Mapping[str, type] = {"summary": str, "batch": int, "sizes": dict}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""A workload's name is part of file names."""


def _framework(path: Path) -> FrameworkInfo:
    needed = {"title", "package", "layout", "python", "variants", "requirements"}
    data = read_toml(path, _FRAMEWORK_KINDS, needed)
    for key, value in data["requirements"].items():
        if not isinstance(value, list):
            message = f"{path}: requirements.{key} is {value!r}; expected a list."
            raise UsageError(message, "Correct it; docs/adding/framework.md shows a whole file.")
    name = path.parent.name
    if data["layout"] not in LAYOUTS:
        message = f"{path}: layout {data['layout']!r} is unknown.{nearest(data['layout'], LAYOUTS)}"
        raise UsageError(message, f"Known: {', '.join(LAYOUTS)}.")
    return FrameworkInfo(
        name=name,
        title=data["title"],
        package=data["package"],
        model=data.get("model", name),
        environment=data.get("environment", name),
        layout=data["layout"],
        python=data["python"],
        variants=data["variants"],
        precisions=tuple(data.get("precisions", ["float32"])),
        requirements={key: tuple(value) for key, value in data["requirements"].items()},
        variables=data.get("variables", {}),
        memory_variables=data.get("memory_variables", {}),
        caches=data.get("caches", {}),
        conventions=data.get("conventions", {}),
        options=data.get("options", {}),
        settings=data.get("settings", {}),
        folder=path.parent,
    )


def _family(path: Path) -> list[WorkloadInfo]:
    data = read_toml(path, _FAMILY_KINDS, {"summary", "unit", "loss", "optimizer", "names"})
    for name, entry in data["names"].items():
        if not _NAME.fullmatch(name):
            message = (
                f"{path}: the name {name!r} may hold letters, digits, dots, dashes and underscores only."
            )
            raise UsageError(message, "Rename it.")
        check_table(entry, _WORKLOAD_KINDS, {"batch", "sizes"}, f"{path}: names.{name}")
    folder = path.parent
    models: dict[str, Path] = {}
    for root in roots():
        for model in (root / "frameworks").glob(f"*/workloads/{folder.name}/model_*.py"):
            models[model.stem.removeprefix("model_")] = model
    for model in folder.glob("model_*.py"):
        models[model.stem.removeprefix("model_")] = model
    return [_workload(name, entry, data, models, folder) for name, entry in data["names"].items()]


def _workload(
    name: str, entry: Mapping[str, Any], data: Mapping[str, Any], models: Mapping[str, Path], folder: Path
) -> WorkloadInfo:
    return WorkloadInfo(
        name=name,
        family=folder.name,
        summary=entry.get("summary", data["summary"]),
        unit=data["unit"],
        batch=entry["batch"],
        sizes=entry["sizes"],
        loss=data["loss"],
        optimizer=data["optimizer"],
        models=models,
        folder=folder,
        label_smoothing=data.get("label_smoothing", 0.0),
    )
