"""The machine that a run was measured on."""

from __future__ import annotations

import dataclasses
import hashlib
import json


@dataclasses.dataclass(frozen=True, kw_only=True)
class Gpu:
    """A GPU as its driver names it.

    Attributes:
        name: such as "NVIDIA A100-SXM4-80GB".
        memory_bytes: in total; None where it is not told, as for parts of a shared GPU.
        driver: the driver's version.
        power_limit_watts: None where it is not told.
    """

    name: str
    memory_bytes: int | None
    driver: str
    power_limit_watts: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Machine:
    """Facts about a machine. No names of host or user: runs are mailed.

    Attributes:
        cpu: model name.
        features: those instruction sets that decide about speed and low precision, of those known here.
        architecture: such as "x86_64".
        physical_cores, logical_cpus: of the whole machine; physical_cores is None where it is not told.
        cpus: the mask that contestants run on; () where there are no masks.
        memory_bytes: of the whole machine.
        cpu_quota: CPUs' worth of time that a container allows, None for no limit.
        memory_limit_bytes: what a container allows, None for no limit.
        system: such as "Ubuntu 24.04 LTS".
        kernel: its release.
        virtual: "", or what hint there is of a virtual machine or container, such as "docker".
        governor: of the first CPU of the mask, such as "performance"; "" if not told.
        clock_mhz: current clock of the first CPU of the mask, None if not told.
        load: runnable processes, average of the last minute, when the run began; None if not told.
        gpus: in the driver's order.
    """

    cpu: str
    features: tuple[str, ...]
    architecture: str
    physical_cores: int | None
    logical_cpus: int
    cpus: tuple[int, ...]
    memory_bytes: int
    cpu_quota: float | None
    memory_limit_bytes: int | None
    system: str
    kernel: str
    virtual: str
    governor: str
    clock_mhz: float | None
    load: float | None
    gpus: tuple[Gpu, ...]

    @property
    def digest(self) -> str:
        """Return a hash of what makes it this kind of machine: runs of equal digest may be set side by side.

        What changes by itself (load, clock) or by an update (kernel, driver) is left out.
        """
        stable = [
            self.cpu,
            self.features,
            self.architecture,
            self.physical_cores,
            self.logical_cpus,
            round(self.memory_bytes / 2**30),
            self.cpu_quota,
            self.memory_limit_bytes,
            [(gpu.name, gpu.memory_bytes) for gpu in self.gpus],
        ]
        return hashlib.sha256(json.dumps(stable).encode()).hexdigest()[:16]
