"""What may go wrong in a contestant's process, on demand: a variant's options say what, and at which step."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy as np


def strike(options: Mapping[str, Any], step: int) -> None:
    """Do what the options ask for at the start of this step.

    Args:
        options: ``crash_at_step``, ``exit_at_step``, ``hang_at_step``, ``greedy_at_step`` (a step's number, from 1;
            memory runs out at the last of these), ``print_garbage`` (True: at every step), ``shout_bytes`` (so many, to
            each standard stream, at each of the first five steps), ``leave_at_step`` (a child is left behind).
        step: number of this step, from 1.
    """
    if options.get("print_garbage"):
        sys.stdout.write('{"trivet": 1, "id": 1, "event": "done", "result": {}}\n')  # looks like an answer
        os.write(1, b"garbage from C, and no end of line")
    if step <= 5 and "shout_bytes" in options:
        for stream in (1, 2):
            shout(stream, options["shout_bytes"])
    if step == options.get("leave_at_step"):
        leave_a_child()
    if step == options.get("crash_at_step"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if step == options.get("exit_at_step"):
        os._exit(0)
    if step == options.get("hang_at_step"):
        while True:
            time.sleep(3600)
    if step == options.get("greedy_at_step"):
        np.ones(1 << 60, np.uint8)  # more than any machine's address space


def breed(children: int) -> None:
    """Fork so many child processes that do nothing, and never end by themselves."""
    for _ in range(children):
        if os.fork() == 0:
            while True:
                signal.pause()


def shout(descriptor: int, size: int) -> None:
    """Write so many bytes of text."""
    text = b"so much to say " * (size // 15)
    while text:
        text = text[os.write(descriptor, text) :]


def leave_a_child() -> None:
    """Fork a process that leads a session of its own, whose parent is gone, and that never ends by itself."""
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                signal.pause()
        os._exit(0)
    os.waitpid(child, 0)


def spin(seconds: float) -> None:
    """Keep the processor busy for so long."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
