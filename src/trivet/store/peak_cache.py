"""Peaks kept between runs: a machine's does not change from one run to the next.

A file for each framework's packages, in a folder for each machine, mask, device and precision. The machine's peak is the
best over all files of a folder, whoever takes part in a run: one library alone was seen to understate it 2.4 times.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trivet.model.environment import Environment
from trivet.model.measurement import PeakReading
from trivet.store.atomic import write_atomically

METHOD = 2
"""Raise it when peaks are measured in another way: those kept before are then measured again."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PeakCache:
    """What is kept for one machine, mask, device and precision.

    Attributes:
        folder: of these files alone.
    """

    folder: Path

    @classmethod
    def under(
        cls, root: Path, *, machine: str, cpus: Sequence[int], device: str, precision: str
    ) -> PeakCache:
        """Return the cache for a place.

        Args:
            root: folder of all peaks.
            machine: digest of the machine.
            cpus: the affinity mask; only its size matters.
            device: "cpu" or "cuda".
            precision: of the operands.
        """
        return cls(folder=root / _hash([METHOD, machine, len(cpus), device, precision]))

    def find(self, environment: Environment, framework: str, *, disturbed_too: bool) -> PeakReading | None:
        """Return what is kept for a framework in an environment, None if nothing is, or it cannot be read.

        Args:
            environment: where it runs.
            framework: its name.
            disturbed_too: True if a disturbed reading will do.
        """
        kept = _read(self._file(environment, framework))
        return None if kept is None or (kept.disturbed and not disturbed_too) else kept

    def keep(self, environment: Environment, reading: PeakReading) -> None:
        """Keep a reading.

        Args:
            environment: where it was taken.
            reading: what to keep.

        Raises:
            OSError: it cannot be written.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        data = json.dumps(dataclasses.asdict(reading), indent=1).encode()
        write_atomically(self._file(environment, reading.framework), data)

    def readings(self) -> list[PeakReading]:
        """Return everything that is kept, in a stable order."""
        found = [_read(path) for path in sorted(self.folder.glob("*.json"))]
        return [reading for reading in found if reading is not None]

    def _file(self, environment: Environment, framework: str) -> Path:
        key = _hash([framework, environment.python if environment.own else "", environment.packages])
        return self.folder / f"{framework}-{key}.json"


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _read(path: Path) -> PeakReading | None:
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        data = json.loads(path.read_text(encoding="utf-8"))
        return PeakReading(**{**data, "disturbed": tuple(data["disturbed"])})
    return None
