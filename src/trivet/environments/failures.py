"""Why an environment could not be made, told from what the installer printed.

::

    BrokenEnvironment
    ├── NotOffered          nothing of this framework for this Python or accelerator (status "unsupported")
    └── InstallFailed       the installer ended with an error
        ├── NoWheel         it exists, but not for this Python (status "unsupported")
        ├── VersionNotFound
        ├── Conflict
        ├── IndexUnreachable
        └── DiskFull
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trivet.errors import EXIT_FILES, BrokenEnvironment, UsageError
from trivet_worker import protocol


class NotOffered(BrokenEnvironment):
    """The framework has no build for this Python or accelerator; known before anything is installed."""

    kind = protocol.UNSUPPORTED


class InstallFailed(BrokenEnvironment):
    """The installer ended with an error."""

    kind = protocol.FAILED


class NoWheel(InstallFailed):
    """The version exists, but has no wheel for this Python."""

    kind = protocol.UNSUPPORTED


class VersionNotFound(InstallFailed):
    """No index that was asked has this version: the user's word, like any other name that does not exist."""

    exit_code = UsageError.exit_code


class Conflict(InstallFailed):
    """The requirements, and the user's constraints, cannot all be fulfilled."""


class IndexUnreachable(InstallFailed):
    """A package index did not answer."""


class DiskFull(InstallFailed):
    """The disk, or the user's share of it, is full."""

    exit_code = EXIT_FILES


_UNREACHABLE = (
    "failed to fetch",
    "error sending request",
    "request failed after",
    "error resolving dns",
    "network was disabled",
    "connection broken by",
    "max retries exceeded",
    "could not fetch url",
    "network is unreachable",
    "name resolution",
    "read timed out",
    "operation timed out",
    "proxyerror",
    "http error",
)
_ABSENT = (
    "there is no version of",
    "there are no versions of",
    "only the following versions of",
    "was not found in the package registry",
    "was not found in the provided package locations",
    "could not find a version that satisfies",
    "no matching distribution found",
)
_OTHER_PYTHON = re.compile(
    r"(?:does not satisfy Python|has no wheels with a matching|requires a different Python)", re.IGNORECASE
)
_OUT_OF_RANGE = re.compile(r"Because only (\S+?)[<>=]\S+ is available and you require \1[<>=]")
_NOISE = re.compile(
    r"^(?:Using Python|Resolved |Downloading |Building |Prepared |warning: |WARNING: |\[notice\])"
)
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")


def classify(output: str, requirements: Sequence[str]) -> type[InstallFailed]:
    """Return the kind of failure that an installer's output tells of.

    Args:
        output: what uv or pip printed.
        requirements: what was to be installed, such as "jax==0.11.0".
    """
    text = output.lower()
    if "no space left on device" in text or "os error 28" in text or "disk quota exceeded" in text:
        return DiskFull
    if any(sign in text for sign in _UNREACHABLE):
        return IndexUnreachable
    if _OTHER_PYTHON.search(output) or any(_left_out(output, text) for text in requirements):
        return NoWheel
    if any(sign in text for sign in _ABSENT) or _OUT_OF_RANGE.search(output):
        return VersionNotFound
    if "unsatisfiable" in text or "resolutionimpossible" in text:
        return Conflict
    return InstallFailed


def pythons_with_wheels(output: str) -> str:
    """Return for which Pythons there is a wheel, in words, or "" where the installer didn't say."""
    tags = re.findall(r"`cp3(\d+)t?`", output.partition("we only found")[2])
    if tags:
        return "Python " + ", ".join(f"3.{minor}" for minor in sorted({int(tag) for tag in tags}))
    bound = re.search(r"(?:depends on Python|Requires-Python |not in ')\s*([<>=!~][^\s;,')]*)", output)
    return f"Python {bound[1]}" if bound else ""


def last_words(output: str, lines: int = 6) -> str:
    """Return the installer's last meaningful lines, without credentials."""
    kept = [line.rstrip() for line in output.splitlines() if line.strip() and not _NOISE.match(line)]
    return redact("\n".join(line[:400] for line in kept[-lines:]))


def redact(text: str) -> str:
    """Return a text without user names and passwords in its addresses."""
    return _CREDENTIALS.sub("***@", text)


def _left_out(output: str, requirement: str) -> bool:
    """Say whether pip lists the asked version among those that need another Python."""
    version = requirement.partition("==")[2]
    listed = re.search(
        r"Ignored the following versions that require a different python version: (.*)", output
    )
    return bool(version and listed and re.search(rf"(?:^|; ){re.escape(version)} Requires-Python", listed[1]))
