"""Progress while a comparison runs: what, for whom, how long still, and the table so far.

On a terminal one live view is redrawn; elsewhere (a log, a pipe) plain lines are written as things happen. Both go to
standard error, so that standard output holds the result alone.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol, Self, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from trivet import figures
from trivet.console.table import result_view, workload_view
from trivet.model.result import Result
from trivet.plain import all_plain, plain

_PLAIN_INTERVAL_SECONDS = 10.0
"""In a log, activity lines come no more often than this; lasting lines always come."""


class Watcher(Protocol):
    """Who is told how a comparison goes."""

    def say(self, text: str) -> None:
        """Show a line that stays."""

    def doing(self, text: str, remaining_seconds: float | None = None) -> None:
        """Show what happens now, and about how long everything still takes."""

    def show(self, result: Result) -> None:
        """Show the conclusions so far."""

    def __enter__(self) -> Self:
        """Begin to watch."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, leaving lasting lines on the screen."""


def watcher(stream: TextIO) -> Watcher:
    """Return the watcher that fits the stream: a live view on a terminal, plain lines elsewhere."""
    console = _Progress(file=stream, highlight=False)
    return (
        LiveWatcher(console)
        if console.is_terminal and not console.is_dumb_terminal
        else PlainWatcher(console)
    )


class _Progress(Console):
    """A console whose reader may go: nobody stops a comparison by no longer reading how it goes."""

    def on_broken_pipe(self) -> None:
        """Say nothing more."""
        self.quiet = True


class PlainWatcher:
    """Plain lines, each with the minutes and seconds since the start."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = time.monotonic()
        self._last_activity = -_PLAIN_INTERVAL_SECONDS
        self._shown: set[str] = set()

    def say(self, text: str) -> None:
        """Write the line."""
        self._console.print(f"[{_clock(self._started)}] {plain(text)}", markup=False, soft_wrap=True)

    def doing(self, text: str, remaining_seconds: float | None = None) -> None:
        """Write the activity, unless the last one was written just now."""
        now = time.monotonic()
        if now - self._last_activity < _PLAIN_INTERVAL_SECONDS:
            return
        self._last_activity = now
        self.say(text if remaining_seconds is None else f"{text} ({_left(remaining_seconds)})")

    def show(self, result: Result) -> None:
        """Write each workload's first, preliminary table; later ones would only fill the log."""
        for workload in result.workloads:
            if workload.generations == 1 and workload.workload not in self._shown:
                self._shown.add(workload.workload)
                self.say(f"preliminary table of {workload.workload}, after one generation:")
                self._console.print(
                    workload_view(all_plain(workload), str(result.question.get("precision", "")))
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


class LiveWatcher:
    """One view, redrawn: lasting lines above, the table so far, and the current activity below."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = time.monotonic()
        self._activity = "starting"
        self._remaining: tuple[float, float] | None = None
        self._result: Result | None = None
        self._live = Live(self, console=console, refresh_per_second=2, transient=True)

    def say(self, text: str) -> None:
        """Print the line above the view."""
        self._live.console.print(Text(plain(text)))

    def doing(self, text: str, remaining_seconds: float | None = None) -> None:
        """Change the activity line."""
        self._activity = plain(text)
        self._remaining = None if remaining_seconds is None else (time.monotonic(), remaining_seconds)

    def show(self, result: Result) -> None:
        """Change the table."""
        self._result = all_plain(result)

    def __rich__(self) -> RenderableType:
        parts: list[RenderableType] = []
        if self._result is not None and any(w.generations for w in self._result.workloads):
            parts += [Text("preliminary, refined while it runs", style="italic"), result_view(self._result)]
        left = ""
        if self._remaining is not None:
            since, seconds = self._remaining
            left = f" ({_left(seconds - (time.monotonic() - since))})"
        parts.append(Spinner("dots", Text(f"{_clock(self._started)}  {self._activity}{left}")))
        return Group(*parts)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()


class SilentWatcher:
    """Says nothing, for programs that ask."""

    def say(self, text: str) -> None:
        """Say nothing."""

    def doing(self, text: str, remaining_seconds: float | None = None) -> None:
        """Say nothing."""

    def show(self, result: Result) -> None:
        """Show nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


def _clock(started: float) -> str:
    minutes, seconds = divmod(int(time.monotonic() - started), 60)
    return f"{minutes}:{seconds:02d}"


def _left(seconds: float) -> str:
    return f"about {figures.duration(seconds)} left" if seconds > 0 else "a moment left"
