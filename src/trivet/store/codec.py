"""Domain types to strict JSON and back, all faults named with their paths. Only this module imports pydantic."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Annotated, Any

import pydantic

from trivet.errors import StoreError
from trivet.model.diff import RunDiff
from trivet.model.ease import EaseResult
from trivet.model.parity import Verdict
from trivet.model.result import LossCheck, Result
from trivet.store.events import Event, Failed, Finished, Gated, Measured, Noted, Peaked, Probed, Ready, Tried
from trivet.store.header import Header

_SHOWN_FAULTS = 8
_EVENTS = Annotated[
    Ready | Probed | Gated | Measured | Peaked | Tried | Failed | Noted | Finished,
    pydantic.Field(discriminator="kind"),
]


def encode(value: Header | Event | Result | RunDiff | EaseResult, *, indent: int | None = None) -> str:
    """Return a value as JSON.

    JSON has no NaN and no infinity, and a diverging loss is both: where a type promises a float, they are written as
    the strings "NaN", "Infinity" and "-Infinity", which `decode` takes back.

    Args:
        value: what to write.
        indent: spaces, or None for one line.

    Raises:
        pydantic_core.PydanticSerializationError: a field holds something else than its type says.
    """
    kind: Any = type(value)
    plain = _adapter(kind).dump_python(value, mode="json", warnings="error")
    return json.dumps(_finite(plain), allow_nan=False, ensure_ascii=False, indent=indent)


def parse(text: bytes | str, where: str) -> dict[str, Any]:
    """Return the JSON object in a text.

    Args:
        text: strict JSON.
        where: what is read, for the message.

    Raises:
        StoreError: it is something else.
    """
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        message = f"{where} is not valid JSON: {error}."
        raise StoreError(message, "The file was damaged or edited; restore it, or measure again.") from error
    if not isinstance(value, dict):
        message = f"{where} holds {type(value).__name__}, expected an object."
        raise StoreError(message, "The file was damaged or edited; restore it, or measure again.")
    return value


def decode_header(value: dict[str, Any], where: str) -> Header:
    """Return the header that a parsed object stands for; see `decode_event` for what it raises."""
    header: Header = _validate(Header, value, where)
    return header


def decode_event(value: dict[str, Any], where: str) -> Event:
    """Return the event that a parsed object stands for.

    Args:
        value: as `parse` returns it, in the current format.
        where: what is read, for the message.

    Raises:
        StoreError: fields are missing, unknown or of another type; names all of them.
    """
    event: Event = _validate(Event, value, where)
    return event


def decode_result(value: dict[str, Any], where: str) -> Result:
    """Return the result that a parsed object stands for; see `decode_event` for what it raises."""
    result: Result = _validate(Result, value, where)
    return result


def decode_ease(value: dict[str, Any], where: str) -> EaseResult:
    """Return the table of planted mistakes that a parsed object stands for; see `decode_event` for what it raises."""
    result: EaseResult = _validate(EaseResult, value, where)
    return result


def schema_of(kind: type[Result | RunDiff | Verdict | LossCheck]) -> dict[str, Any]:
    """Return the JSON Schema of a type as it is written."""
    return pydantic.TypeAdapter(kind).json_schema(mode="serialization")


@cache
def _adapter(kind: Any) -> pydantic.TypeAdapter[Any]:
    return pydantic.TypeAdapter(_EVENTS if kind is Event else kind)


def _validate(kind: Any, value: dict[str, Any], where: str) -> Any:
    try:
        return _adapter(kind).validate_python(value, extra="forbid")
    except pydantic.ValidationError as error:
        faults = [
            f"{'.'.join(str(part) for part in fault['loc']) or 'the whole'}: {fault['msg'].lower()}"
            for fault in error.errors(include_url=False)
        ]
        more = f" (and {len(faults) - _SHOWN_FAULTS} more)" if len(faults) > _SHOWN_FAULTS else ""
        message = f"{where} is not what trivet writes: {'; '.join(faults[:_SHOWN_FAULTS])}{more}."
        raise StoreError(
            message,
            "It was damaged, edited, or written by another version of trivet: update trivet, or measure again.",
        ) from error


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    return value


def _refuse(constant: str) -> None:
    problem = f"{constant} is not JSON"
    raise ValueError(problem)
