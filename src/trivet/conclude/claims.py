"""Reads tables of claims from TOML: those that come with trivet, or a user's own. docs/against.md describes the form."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trivet import catalog
from trivet.catalog import check_table, parse_toml
from trivet.errors import UsageError
from trivet.model.against import ClaimTable, Ratio, Row, Setting
from trivet.model.question import PRECISIONS

FOLDER = Path(__file__).parent / "tables"

_TABLE_KINDS: Mapping[str, type] = {
    "title": str,
    "source": str,
    "dated": str,
    "devices": int,
    "defects": list,
    "setting": dict,
    "row": list,
}
_SETTING_KINDS: Mapping[str, type] = {
    "workload": str,
    "batch": int,
    "precision": str,
    "device": str,
    "unit": str,
}
_FIGURES = ("throughput", "startup_seconds", "memory_gb", "speed_up")
_ROW_KINDS: Mapping[str, type] = {
    "framework": str,
    "variant": str,
    "version": str,
    "startup_variant": str,
    **dict.fromkeys(_FIGURES, object),  # numbers, whole or with a point: `_figure` looks at them
}
_GIGABYTE = 1e9
_REMEDY = "docs/against.md shows a whole table."


def shipped() -> list[str]:
    """Return the names of the tables that come with trivet."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read_table(path: Path) -> ClaimTable:
    """Return the table in a TOML file.

    Raises:
        UsageError: it cannot be read or is no such table; names the file and the line at fault.
    """
    if not path.is_file():
        message = f"There is no file {path}."
        raise UsageError(message, _REMEDY)
    data = parse_toml(path)
    part = _Part(path=path, lines=path.read_text(encoding="utf-8").splitlines(), first=1)
    part.check(data, _TABLE_KINDS, {"title", "source", "row"})
    rows = [_row(entry, part.beginning(r"\[\[\s*row\s*\]\]", n)) for n, entry in enumerate(data["row"])]
    if len(rows) < 2:
        part.fail("row", f"there is {len(rows)} row; a claim sets two frameworks against each other")
    if repeated := _repeated(row.framework for row in rows):
        part.fail("row", f"two rows are about {repeated}; a table has one for each framework")
    if "devices" not in data and any(row.speed_up for row in rows):
        part.fail("speed_up", "speed_up needs the key 'devices' at the top: on how many it is")
    return ClaimTable(
        name=path.stem,
        title=data["title"],
        source=data["source"],
        dated=data.get("dated", ""),
        setting=_setting(data.get("setting", {}), part.beginning(r"\[\s*setting\s*\]", 0)),
        rows=tuple(rows),
        ratios=tuple(_ratios(rows)),
        devices=data.get("devices"),
        defects=tuple(str(text) for text in data.get("defects", ())),
    )


class _Part:
    """A part of a file, for messages with lines.

    Attributes:
        path: of the file.
        lines: all of them.
        first: number of the line in which the part begins.
    """

    def __init__(self, *, path: Path, lines: Sequence[str], first: int) -> None:
        self.path = path
        self.lines = lines
        self.first = first

    def beginning(self, header: str, number: int) -> _Part:
        """Return the part that a header's nth occurrence begins, or this one where the file has it in another form."""
        found = [n for n, line in enumerate(self.lines, start=1) if re.match(rf"\s*{header}", line)]
        first = found[number] if number < len(found) else self.first
        return _Part(path=self.path, lines=self.lines, first=first)

    def check(self, data: Any, kinds: Mapping[str, type], needed: Collection[str]) -> None:
        """Raise as `check_table` does, with the line of the first key that is at fault."""
        keys = data if isinstance(data, dict) else {}
        wrong = (key for key in sorted(keys) if key not in kinds or not isinstance(keys[key], kinds[key]))
        try:
            check_table(data, kinds, set(needed), self.place(next(wrong, "")))
        except UsageError as error:
            raise UsageError(error.message, _REMEDY) from error

    def fail(self, key: str, problem: str) -> None:
        """Raise, saying what is wrong with a key.

        Raises:
            UsageError: always.
        """
        message = f"{self.place(key)}: {problem}."
        raise UsageError(message, _REMEDY)

    def place(self, key: str) -> str:
        """Return the file and the line of a key, or that in which the part begins."""
        pattern = re.compile(rf"\s*(?:\[+\s*)?[\"']?{re.escape(key)}\b" if key else r"(?!)")
        after = range(self.first, len(self.lines) + 1)
        line = next((n for n in after if pattern.match(self.lines[n - 1])), self.first)
        return f"{self.path}, line {line}"


def _setting(data: Mapping[str, Any], part: _Part) -> Setting:
    part.check(data, _SETTING_KINDS, ())
    precision = data.get("precision", "")
    if precision not in ("", "mixed", *PRECISIONS):
        part.fail("precision", f"precision is {precision!r}; expected {', '.join(PRECISIONS)} or mixed")
    return Setting(
        workload=data.get("workload", ""),
        batch=data.get("batch"),
        precision=precision,
        device=data.get("device", ""),
        unit=data.get("unit", "items"),
    )


def _row(entry: Any, part: _Part) -> Row:
    part.check(entry, _ROW_KINDS, {"framework"})
    known = catalog.frameworks()
    name = entry["framework"]
    if name not in known:
        part.fail("framework", f"there is no framework {name!r}, only {', '.join(known)}")
    for key in ("variant", "startup_variant"):
        if key in entry and entry[key] not in known[name].variants:
            part.fail(key, f"{name} has no variant {entry[key]!r}; it has {', '.join(known[name].variants)}")
    if not any(figure in entry for figure in _FIGURES):
        part.fail("framework", f"the row claims nothing; expected one of {', '.join(_FIGURES)}")
    figures = {key: _figure(entry, key, part) for key in _FIGURES}
    memory = figures["memory_gb"]
    return Row(
        framework=name,
        title=known[name].title,
        variant=entry.get("variant", ""),
        version=entry.get("version", ""),
        throughput=figures["throughput"],
        startup_seconds=figures["startup_seconds"],
        startup_variant=entry.get("startup_variant", entry.get("variant", "")),
        memory_bytes=None if memory is None else memory * _GIGABYTE,
        speed_up=figures["speed_up"],
    )


def _figure(entry: Mapping[str, Any], key: str, part: _Part) -> float | None:
    value = entry.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        part.fail(key, f"{key} is {value!r}; expected a number above 0")
    return float(value)


def _ratios(rows: Sequence[Row]) -> Iterator[Ratio]:
    for one, other in itertools.combinations(rows, 2):
        if one.throughput is not None and other.throughput is not None:
            a, b = (one, other) if one.throughput >= other.throughput else (other, one)
            value = max(one.throughput, other.throughput) / min(one.throughput, other.throughput)
            yield Ratio(a=a, b=b, value=value, low=value, high=value)


def _repeated(names: Iterator[str]) -> str:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""
