"""The `trivet` command: finds the file of the command asked for, and turns errors into one screen and an exit code."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
import traceback

import click

from trivet.errors import EXIT_FAULT, EXIT_FILES, EXIT_INTERRUPTED, EXIT_OK, TrivetError
from trivet.interrupts import Stopped, orderly
from trivet.plain import plain
from trivet.version import __version__

COMMANDS = {
    "compare": "Run the same training in every framework, prove it equal, time it, report.",
    "report": "Show a stored run again: table, page, JSON or Markdown.",
    "diff": "Set two stored runs against each other: what changed, and what differs.",
    "runs": "List, export, zip or remove stored runs.",
    "choose": "Say which framework suits you, why, and what would change it; write and check records.",
    "needs": "Say which framework each library that you need brings along.",
    "ease": "Plant mistakes in native programs, and say what becomes of each.",
    "list": "List workloads and contestants.",
    "env": "Create, list and remove the frameworks' environments.",
    "doctor": "Say in one screen what is here and what is broken.",
}
"""Command -> one line for `trivet --help`. Kept here so that help imports no command."""

_EPILOG = """
\b
Exit codes: 0 done, or whoever reads the output has gone; 1 the parity gate
withheld a ranking, or a decision record does not hold; 2 wrong use; 3 nothing
could be measured; 4 an environment is broken; 5 a run folder is missing or
damaged; 6 the device is not there; 70 a fault of trivet itself; 74 a file could
not be read or written; 130 interrupted, 143 and 129 stopped by SIGTERM and
SIGHUP.
"""


class _LazyGroup(click.Group):
    """A group that imports a command's file when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if name not in COMMANDS:
            return None
        command = importlib.import_module(f"trivet.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from trivet.catalog import nearest

            message = f"There is no command {args[0]!r}.{nearest(args[0], COMMANDS)}"
            raise click.UsageError(message, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="trivet")
def trivet() -> None:
    """PyTorch, TensorFlow or JAX? Answered from the same training, run natively in all three on this machine."""


def main() -> None:
    """Run the command line and leave with the documented exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal of few characters is no reason to fail
    with orderly():
        code = _code()
    sys.exit(code)


def _code() -> int:
    try:
        code = trivet.main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt) as error:
        stopped = error.__cause__ if isinstance(error, click.Abort) else error
        if isinstance(stopped, Stopped) and stopped.exit_code != EXIT_INTERRUPTED:
            _say(f"Stopped by {stopped.name}.")
            return stopped.exit_code
        _say("Interrupted.")
        return EXIT_INTERRUPTED
    except TrivetError as error:
        _say(f"Error: {error.message}", error.remedy)
        return error.exit_code
    except (BrokenPipeError, SystemExit):
        # The reader of our output has gone (`trivet ... | head`), which click tells by a SystemExit.
        _drop_output()
        return EXIT_OK
    except OSError as error:
        _say(*_words(error))
        _show_trace()
        return EXIT_FILES
    except Exception as error:
        _say(
            f"Error: trivet itself failed: {type(error).__name__}: {error}",
            "Please report it, with what TRIVET_TRACE=1 adds to this message.",
        )
        _show_trace()
        return EXIT_FAULT
    return code if isinstance(code, int) else EXIT_OK


def _say(*lines: str) -> None:
    with contextlib.suppress(OSError):  # nobody is left to be told
        for line in lines:
            if line:
                click.echo(plain(line), err=True)


def _words(error: OSError) -> tuple[str, str]:
    """Return what could not be read or written, and what to do."""
    reason = error.strerror or str(error)
    if error.filename:
        return (
            f"Error: {os.fsdecode(error.filename)}: {reason}.",
            "Make room there or choose another folder; TRIVET_CACHE and TRIVET_RUNS name trivet's own.",
        )
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:  # what could not be written before cannot be written now
        _drop_output()
        return f"Error: standard output cannot be written: {reason}.", "Send it to a place that has room."
    return f"Error: {reason}.", "Make room, or choose other folders: TRIVET_CACHE and TRIVET_RUNS name them."


def _drop_output() -> None:
    """Send what is still to be written to nowhere: the interpreter's end would fail by it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _show_trace() -> None:
    if os.environ.get("TRIVET_TRACE"):
        traceback.print_exc()
