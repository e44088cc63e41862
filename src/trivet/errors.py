"""Errors that end a command. Each class has its exit code; a contestant's failure is no error but an outcome.

::

    TrivetError
    ├── UsageError          2   wrong words, unknown names, a value out of range
    ├── NothingMeasured     3   the run ended, and no contestant has a measurement
    ├── BrokenEnvironment   4   an environment could not be built, or what it needs is unreachable
    ├── StoreError          5   a run folder is missing, damaged, or of a newer format
    ├── DeviceError         6   the device that was asked for is not there
    └── DiskError          74   a folder of trivet's is full, or may not be written

70 is a fault of trivet itself, 74 also any other file that could not be read or written.
0 is success; 1 means that the parity gate withheld a ranking, or that a decision record does not hold; 130 is an interrupt
(Ctrl-C), 143 and 129 are SIGTERM and SIGHUP.
"""

from __future__ import annotations

EXIT_OK = 0
EXIT_NOT_EQUAL = 1
EXIT_NOT_HOLDING = 1
EXIT_FAULT = 70
EXIT_FILES = 74
EXIT_INTERRUPTED = 130


class TrivetError(Exception):
    """What happened, in one sentence; `remedy` says what to do next.

    Attributes:
        message: what happened, expected and got, why.
        remedy: the next thing to do, often a command; may be "".
    """

    exit_code = EXIT_FAULT

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(TrivetError):
    """The command cannot be carried out as it was worded."""

    exit_code = 2


class NothingMeasured(TrivetError):  # noqa: N818 - says what happened
    """The run ended, and no contestant has a measurement."""

    exit_code = 3


class BrokenEnvironment(TrivetError):  # noqa: N818 - says what is wrong
    """A framework's environment could not be built or used."""

    exit_code = 4


class StoreError(TrivetError):
    """A run folder is missing, damaged, or of a newer format."""

    exit_code = 5


class DeviceError(TrivetError):
    """The device that was asked for is not there."""

    exit_code = 6


class DiskError(TrivetError):
    """A folder of trivet's is full, or may not be written. What was stored before is still there."""

    exit_code = EXIT_FILES
