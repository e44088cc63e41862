"""Facts of the ecosystem from dated sources, kept as data in ``facts/*.toml``; each names its source and its expiry."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trivet.catalog import check_table, read_toml
from trivet.errors import UsageError
from trivet.model.evidence import Evidence

FOLDER = Path(__file__).parent / "facts"

_FILE_KINDS: Mapping[str, type] = {"fact": list}
_FACT_KINDS: Mapping[str, type] = {
    "claim": str,
    "framework": str,
    "value": object,
    "text": str,
    "source": str,
    "dated": dt.date,
    "expires": dt.date,
}


def facts(folder: Path = FOLDER) -> list[Evidence]:
    """Return every fact, in the order of files and of facts in them.

    Args:
        folder: where the files lie; trivet's own by default.

    Raises:
        UsageError: a file is damaged, a fact lacks a key or holds a wrong one, or two facts claim the same; names the
            file and the fact.
    """
    found: dict[tuple[str, str], Evidence] = {}
    for path in sorted(folder.glob("*.toml")):
        for number, entry in enumerate(read_toml(path, _FILE_KINDS, {"fact"})["fact"], start=1):
            fact = _fact(entry, f"{path}: fact {number}")
            key = (fact.claim, fact.framework)
            if key in found:
                message = f"{path}: fact {number} claims {fact.claim} of {fact.framework}, which another fact does too."
                raise UsageError(message, "Keep the newer one.")
            found[key] = fact
    return list(found.values())


def _fact(entry: Any, where: str) -> Evidence:
    check_table(entry, _FACT_KINDS, set(_FACT_KINDS), where)
    if not isinstance(entry["value"], bool | str):
        message = f"{where}: value is {entry['value']!r}; expected true, false or a text."
        raise UsageError(message, "Correct it.")
    if not entry["source"].startswith("https://"):
        message = f"{where}: source is {entry['source']!r}; expected an address that a reader can follow."
        raise UsageError(message, "Name the page that says so, or leave the fact out.")
    if entry["expires"] <= entry["dated"]:
        message = f"{where}: expires is {entry['expires']}, not after dated, {entry['dated']}."
        raise UsageError(message, "Correct one of them.")
    return Evidence(
        claim=entry["claim"],
        framework=entry["framework"],
        value=entry["value"],
        source=entry["source"],
        dated=entry["dated"].isoformat(),
        strength="cited",
        expires=entry["expires"].isoformat(),
        text=entry["text"],
    )
