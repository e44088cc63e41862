"""The JSON Schemas of a result and of a diff, made from the types; `docs/write_schema.py` stores them beside `docs/result.md`."""

from __future__ import annotations

from typing import Any

from trivet.model.diff import DIFF_VERDICTS, RunDiff
from trivet.model.diff import FORMAT as DIFF_FORMAT
from trivet.model.parity import Verdict
from trivet.model.result import FLAGS, FORMAT, STATUSES, VERDICTS, LossCheck, Result
from trivet.store.codec import schema_of

_CLOSED = {
    ("ContestantResult", "status"): {"enum": list(STATUSES)},
    ("Pair", "verdict"): {"enum": list(VERDICTS)},
    ("Flag", "code"): {"enum": list(FLAGS)},
}
"""Strings of which only some occur."""


def result_schema() -> dict[str, Any]:
    """Return the schema, draft 2020-12.

    `parity` and `loss` are plain dictionaries in the types, so that a table can ask for a field without importing
    their classes; the schema says what is in them.
    """
    schema = schema_of(Result)
    definitions: dict[str, Any] = schema["$defs"]
    for kind in (Verdict, LossCheck):
        part = schema_of(kind)
        definitions |= part.pop("$defs", {})
        definitions[kind.__name__] = part
    _close(schema)
    contestant = definitions["ContestantResult"]["properties"]
    contestant["parity"] = {"$ref": "#/$defs/Verdict"}
    contestant["loss"] = {"anyOf": [{"$ref": "#/$defs/LossCheck"}, {"type": "object", "maxProperties": 0}]}
    for (name, field), values in _CLOSED.items():
        definitions[name]["properties"][field] |= values
    schema["properties"]["format"] = {"const": FORMAT}
    schema["title"] = "Result of trivet compare"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def diff_schema() -> dict[str, Any]:
    """Return the schema of `trivet diff --format json`, draft 2020-12."""
    schema = schema_of(RunDiff)
    _close(schema)
    verdict = schema["$defs"]["ContestantChange"]["properties"]["verdict"]
    verdict["anyOf"][0]["enum"] = list(DIFF_VERDICTS)
    schema["properties"]["format"] = {"const": DIFF_FORMAT}
    schema["title"] = "Result of trivet diff"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _close(schema: dict[str, Any]) -> None:
    """Demand every field of every object, and no other; titles that only repeat names go."""
    for definition in (schema, *schema["$defs"].values()):
        definition["additionalProperties"] = False
        definition["required"] = list(definition["properties"])
        for field in definition["properties"].values():
            field.pop("title", None)
