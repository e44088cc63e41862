"""Runs an installer: everything it prints goes to a log, and it never outlives trivet."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from trivet.environments import guard
from trivet.environments.failures import redact

_REMOVED = (
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPYCACHEPREFIX",
    "VIRTUAL_ENV",
    "__PYVENV_LAUNCHER__",
)
"""Variables that make an installer look at, or write to, other places than the environment."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Command:
    """One call of an installer.

    Attributes:
        arguments: program and arguments.
        variables: environment variables beside the user's.
        removed: variables of the user's that must not reach it.
        folder: where it runs; None is where the user stands.
    """

    arguments: tuple[str, ...]
    variables: Mapping[str, str] = dataclasses.field(default_factory=dict)
    removed: tuple[str, ...] = ()
    folder: Path | None = None


def run(command: Command, *, log: Path, lock: int, on_line: Callable[[str], None]) -> tuple[int, str]:
    """Run a command to its end.

    Args:
        command: what to run.
        log: appended to.
        lock: descriptor of a lock to be held until the command, and all it started, has ended.
        on_line: told each line as it is printed.

    Returns:
        Exit status, and the output.

    Raises:
        OSError: the log cannot be written.
    """
    lines: list[str] = []
    with log.open("a", encoding="utf-8") as file:
        file.write(redact(f"$ {' '.join(command.arguments)}\n"))
        file.flush()
        with subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, *command.arguments],
            env=_variables(command),
            cwd=command.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            pass_fds=(lock,),
            start_new_session=True,  # a Ctrl-C is for trivet, which then closes the guard's stdin
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    file.write(redact(line))
                    file.flush()
                    lines.append(line)
                    on_line(line.rstrip())
            except BaseException:
                process.stdin.close()  # the guard ends the command, then itself; the caller may wipe the folder then
                process.wait()
                raise
            status = process.wait()
    return status, "".join(lines)


def _variables(command: Command) -> dict[str, str]:
    removed = {*_REMOVED, *command.removed}
    return {name: value for name, value in os.environ.items() if name not in removed} | dict(
        command.variables
    )
