"""Keeps the names of what XLA compiles in this process, as JAX's own monitoring tells them."""

from __future__ import annotations

from typing import Any

import jax

_EVENT = "/jax/core/compile/backend_compile_duration"

compiled: list[str] = []
"""Names of the compiled functions, in order."""


def _note(event: str, duration: float, **facts: Any) -> None:  # noqa: ARG001 - a listener's signature
    if event == _EVENT:
        compiled.append(str(facts.get("fun_name", "a function")))


jax.monitoring.register_event_duration_secs_listener(_note)
