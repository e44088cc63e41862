"""Turns an exception into the failure that a request is answered with."""

from __future__ import annotations

import traceback

from trivet_worker import modules
from trivet_worker.contract import Unsupported
from trivet_worker.protocol import FAILED, OUT_OF_MEMORY, UNSUPPORTED, Failure

_LONGEST_MESSAGE = 300
"""Characters: what a table cell or one line of a log bears."""


def failure_of(error: BaseException) -> Failure:
    """Return kind, one-line message and traceback of an exception."""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return Failure(kind=_kind(error), message=_message(error), traceback=text)


def _kind(error: BaseException) -> str:
    if isinstance(error, Unsupported):
        return UNSUPPORTED
    if isinstance(error, MemoryError) or any(
        adapter.out_of_memory(error) for adapter in modules.imported_adapters()
    ):
        return OUT_OF_MEMORY
    return FAILED


def _message(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else ""
    if not isinstance(error, Unsupported):  # that one is worded for the user already
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 1] + "…"
