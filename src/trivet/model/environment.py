"""Where a contestant runs."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    """An environment before it is built.

    Attributes:
        framework: folder name.
        version: the framework's version, or "own" for the user's interpreter.
        accelerator: "cpu" or "cuda".
        python: version of the interpreter that makes it, such as "3.11".
        requirements: what is installed, exact.
        pinned: True if the whole set comes from the pins, False if the installer resolved it for this version.
        digest: hash of all the above: its folder name in the cache.
    """

    framework: str
    version: str
    accelerator: str
    python: str
    requirements: tuple[str, ...]
    pinned: bool
    digest: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Environment:
    """A built environment, or the user's own interpreter.

    Attributes:
        plan: what was asked.
        python: path of its interpreter.
        own: True for the user's own interpreter (run with its PYTHONPATH and user site).
        packages: distribution -> installed version, read back.
        installer: "uv", "pip" or "own".
        source: where a CPU build came from: "find-links", "torch-backend", "index" or "own".
        seconds: what building took; 0 for a reused or own one.
    """

    plan: Plan
    python: str
    own: bool
    packages: dict[str, str]
    installer: str
    source: str
    seconds: float = 0.0
