"""Reads families of programs and mistakes from their folders in `trivet_worker/mistakes`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trivet.catalog import check_table, read_toml, worker_folder
from trivet.errors import UsageError
from trivet.model.ease import Change, Family, Mistake, Planting, Switch

MARK = "# PLANTED"
"""Every planted line carries it."""

_FAMILY: Mapping[str, type] = {
    "framework": str,
    "title": str,
    "guide": str,
    "variants": dict,
    "switches": dict,
}
_VARIANT: Mapping[str, type] = {"title": str, "decorator": str}
_SWITCH: Mapping[str, type] = {
    "title": str,
    "guide": str,
    "official": bool,
    "priced": bool,
    "variants": list,
    "mistakes": list,
    "change": list,
}
_CHANGE: Mapping[str, type] = {"file": str, "at": str, "correct": str, "planted": str, "both": str}
_PLANTING: Mapping[str, type] = {"uses": list, "cannot": str, "change": list}
_MISTAKE: Mapping[str, type] = {
    "number": str,
    "title": str,
    "about": str,
    "same": str,
    "names": list,
    "measure": str,
    "change": list,
}
_SAME = ("meant", "corrected")


def folder() -> Path:
    """Return where programs and mistakes lie."""
    return worker_folder() / "mistakes"


def families(root: Path | None = None) -> dict[str, Family]:
    """Return every family by name.

    Args:
        root: holds ``programs/<family>/``; None for trivet's own.

    Raises:
        UsageError: a family.toml is damaged.
    """
    programs = (root or folder()) / "programs"
    shared = {path.name: path.read_text(encoding="utf-8") for path in sorted(programs.glob("*.py"))}
    return {
        path.parent.name: _family(path, shared) for path in sorted(programs.glob("*/family.toml"), key=_order)
    }


def mistakes(root: Path | None = None) -> dict[str, Mistake]:
    """Return every mistake by name, in the order of their numbers.

    Args:
        root: holds ``planted/*.toml`` and ``programs/<family>/``; None for trivet's own.

    Raises:
        UsageError: a mistake's file is damaged, or a family is missing in it.
    """
    place = root or folder()
    known = families(place)
    found = [_mistake(path, known) for path in (place / "planted").glob("*.toml")]
    return {mistake.name: mistake for mistake in sorted(found, key=lambda mistake: _number(mistake.number))}


def price_changes() -> tuple[Change, ...]:
    """Return the changes that make the correct program large enough to tell the price of a switch."""
    path = folder() / "price.toml"
    return _changes(read_toml(path, {"change": list}, {"change"})["change"], str(path))


def _order(path: Path) -> tuple[int, str]:
    order = ("torch", "keras", "nnx", "linen")
    name = path.parent.name
    return (order.index(name) if name in order else len(order), name)


def _number(text: str) -> tuple[int, str]:
    digits = "".join(letter for letter in text if letter.isdigit())
    return int(digits or 0), text


def _family(path: Path, shared: Mapping[str, str]) -> Family:
    data = read_toml(path, _FAMILY, {"framework", "title", "guide", "variants"})
    own = {file.name: file.read_text(encoding="utf-8") for file in sorted(path.parent.glob("*.py"))}
    for label, entry in data["variants"].items():
        check_table(entry, _VARIANT, set(_VARIANT), f"{path}: variant {label}")
    return Family(
        name=path.parent.name,
        framework=data["framework"],
        title=data["title"],
        guide=data["guide"],
        files={**shared, **own},
        variants={label: entry["decorator"] for label, entry in data["variants"].items()},
        titles={label: entry["title"] for label, entry in data["variants"].items()},
        switches=tuple(
            _switch(name, entry, tuple(data["variants"]), f"{path}: switch {name}")
            for name, entry in data.get("switches", {}).items()
        ),
    )


def _switch(name: str, entry: Any, variants: tuple[str, ...], where: str) -> Switch:
    check_table(entry, _SWITCH, {"title", "guide", "official", "mistakes", "change"}, where)
    return Switch(
        name=name,
        title=entry["title"],
        guide=entry["guide"],
        official=entry["official"],
        priced=entry.get("priced", False),
        variants=tuple(entry.get("variants", variants)),
        mistakes=tuple(entry["mistakes"]),
        changes=_changes(entry["change"], where),
    )


def _mistake(path: Path, known: Mapping[str, Family]) -> Mistake:
    kinds = {**_MISTAKE, **dict.fromkeys(known, dict)}
    data = read_toml(path, kinds, {"number", "title", "about", "same", "names", *known})
    if data["same"] not in _SAME:
        message = f"{path}: same is {data['same']!r}; expected one of {', '.join(_SAME)}."
        raise UsageError(message, "Correct it.")
    shared = _changes(data.get("change", []), str(path))
    return Mistake(
        name=path.stem,
        number=data["number"],
        title=data["title"],
        about=data["about"],
        same=data["same"],
        names=tuple(data["names"]),
        timed=data.get("measure") == "seconds",
        plantings={family: _planting(data[family], shared, f"{path}: {family}") for family in known},
    )


def _planting(entry: Any, shared: tuple[Change, ...], where: str) -> Planting:
    check_table(entry, _PLANTING, set(), where)
    if entry.get("cannot"):
        return Planting(changes=(), uses=(), cannot=entry["cannot"])
    changes = (*shared, *_changes(entry.get("change", []), where))
    if not any(MARK in change.planted for change in changes):
        message = f"{where}: no planted line is marked with {MARK}."
        raise UsageError(message, "Mark it, or say under `cannot` why it cannot be made.")
    return Planting(changes=changes, uses=tuple(entry.get("uses", ())), cannot="")


def _changes(entries: Sequence[Any], where: str) -> tuple[Change, ...]:
    found = []
    for number, entry in enumerate(entries, start=1):
        check_table(entry, _CHANGE, {"file", "at"}, f"{where}: change {number}")
        both = entry.get("both")
        if both is None and not {"correct", "planted"} & set(entry):
            message = f"{where}: change {number} has none of `correct`, `planted` and `both`."
            raise UsageError(message, "Say what stands there instead, or leave the change out.")
        correct = entry.get("correct", entry["at"]) if both is None else both
        planted = entry.get("planted", entry["at"]) if both is None else both
        found.append(Change(file=entry["file"], at=entry["at"], correct=correct, planted=planted))
    return tuple(found)
