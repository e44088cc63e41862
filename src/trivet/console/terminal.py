"""The console that trivet prints to."""

from __future__ import annotations

from rich.console import Console


class Terminal(Console):
    """A console that leaves a reader who has gone (`trivet ... | head`) to whoever prints: rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        """Pass the error on."""
        raise  # noqa: PLE0704 - rich calls this while it handles the BrokenPipeError
