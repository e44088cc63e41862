"""Says why a worker has no answer, from how its process ended and what it said last."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Sequence
from pathlib import Path

from trivet_worker.protocol import FAILED, OUT_OF_MEMORY, TIMED_OUT, Failure

TAIL_LINES = 20
"""Last lines of the log that go with a failure."""

_MEMORY_WORDS = (
    "std::bad_alloc",
    "MemoryError",
    "Cannot allocate memory",
    "RESOURCE_EXHAUSTED",
    "out of memory",
)
"""What programs say when they end themselves because memory ran out."""

_STACK_LINES = (" ", "\t", "Fatal Python error: ", "Current thread", "Thread 0x", "Extension modules")
"""How the lines begin that the interpreter writes when it dies by a signal."""

_SIGNALS = {
    signal.SIGSEGV: "a segmentation fault in native code (SIGSEGV)",
    signal.SIGBUS: "a memory access that the hardware refused (SIGBUS); a full /dev/shm does this too",
    signal.SIGILL: "an instruction that this CPU does not have (SIGILL): the build is for newer CPUs",
    signal.SIGFPE: "an arithmetic trap in native code (SIGFPE)",
    signal.SIGABRT: "an abort in native code (SIGABRT)",
    signal.SIGKILL: "a kill from outside (SIGKILL); if nobody killed it, memory ran out",
    signal.SIGTERM: "a request from outside to end (SIGTERM)",
}


def ended(
    verb: str, code: int, *, log_tail: Sequence[str], out_of_memory: bool, log: Sequence[str] = ()
) -> Failure:
    """Return the failure of a request whose worker ended before it answered.

    Args:
        verb: what it was asked.
        code: exit code, or the negative number of the signal that ended it.
        log_tail: last lines of its log.
        out_of_memory: True if the kernel killed some process for want of memory while it ran.
        log: more of its log, where the reason may stand before the stacks of many threads.
    """
    said = next((word for line in (*log, *log_tail) for word in _MEMORY_WORDS if word in line), None)
    if code == -signal.SIGKILL and out_of_memory:
        message = f"Memory ran out: the kernel killed the worker during {verb!r}."
        return Failure(OUT_OF_MEMORY, message, "\n".join(log_tail))
    if said is not None and code != 0:
        message = f"Memory ran out: the worker ended during {verb!r} after saying {said!r}."
        return Failure(OUT_OF_MEMORY, message, "\n".join(log_tail))
    if code < 0:
        with contextlib.suppress(ValueError):
            number = signal.Signals(-code)
            cause = _SIGNALS.get(number, f"the signal {number.name}")
            return Failure(
                FAILED,
                f"The worker was ended during {verb!r} by {cause}.{_last(log_tail)}",
                "\n".join(log_tail),
            )
    return Failure(
        FAILED,
        f"The worker ended during {verb!r} with exit code {code}.{_last(log_tail)}",
        "\n".join(log_tail),
    )


def timed_out(verb: str, seconds: float, *, log_tail: Sequence[str]) -> Failure:
    """Return the failure of a request that took too long."""
    message = f"No answer to {verb!r} within {seconds:g} s; the worker was ended.{_last(log_tail)}"
    return Failure(TIMED_OUT, message, "\n".join(log_tail))


def out_of_memory_kills() -> int:
    """Return how often this kernel has killed a process for want of memory, control groups included; 0 if unknown."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/vmstat").read_text().splitlines():
            name, _, value = line.partition(" ")
            if name == "oom_kill":
                return int(value)
    return 0


def _last(log_tail: Sequence[str]) -> str:
    """Return the last line worth showing as a sentence of its own, or ""."""
    for line in reversed(log_tail):
        if line.strip() and not line.startswith(_STACK_LINES):
            return f" Its last words: {line.strip()[:200]}"
    return ""
