"""A stage after the last generation: what this machine reaches at best, so that speeds can be shares of it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from trivet.conclude.utilisation import best_peak
from trivet.console.live import Watcher
from trivet.folders import make_cache, peaks_folder
from trivet.launch.stage import Staged
from trivet.launch.worker import WorkerFailed
from trivet.measure.peak import measure_peak
from trivet.model.measurement import PeakReading
from trivet.parity.tracing import Entrant
from trivet.store.events import Noted, Peaked
from trivet.store.peak_cache import PeakCache
from trivet.store.run import Run
from trivet_worker import protocol


def find_peaks(
    run: Run, staged: Staged, entrants: Sequence[Entrant], watch: Watcher, *, scratch: Path
) -> None:
    """Store a peak for each framework of the run: one kept from an earlier run, or measured now.

    Does nothing for a run without a single generation.

    Args:
        run: being written.
        staged: the workers' code.
        entrants: who takes part.
        watch: is told what happens.
        scratch: for working folders.
    """
    question = run.question
    if not any(run.generations(name) for name in question.workloads):
        return
    cache = PeakCache.under(
        peaks_folder(),
        machine=run.header.machine.digest,
        cpus=question.cpus,
        device=question.device,
        precision=question.precision,
    )
    before, kept_readings = run.peaks, cache.readings()
    # A quick run takes a disturbed reading that is kept, but only beside one that makes a peak of them.
    disturbed_too = question.quick and best_peak(kept_readings) is not None
    for reading in kept_readings:
        if reading not in before:
            run.append(Peaked(reading=reading))
    for entrant in _one_for_each_environment(entrants):
        kept = cache.find(entrant.environment, entrant.framework.name, disturbed_too=disturbed_too)
        if kept is None and not _measured(before, entrant):
            _measure(run, staged, entrant, cache, watch, scratch)


def _one_for_each_environment(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the first entrant of each framework in each environment."""
    found: dict[tuple[str, str, str], Entrant] = {}
    for entrant in entrants:
        environment = entrant.environment
        found.setdefault((entrant.framework.name, environment.plan.digest, environment.python), entrant)
    return list(found.values())


def _measured(known: Sequence[PeakReading], entrant: Entrant) -> bool:
    return any(
        (reading.framework, reading.version) == (entrant.framework.name, _version(entrant))
        for reading in known
    )


def _version(entrant: Entrant) -> str:
    environment = entrant.environment
    return environment.packages.get(entrant.framework.package, environment.plan.version)


def _measure(
    run: Run, staged: Staged, entrant: Entrant, cache: PeakCache, watch: Watcher, scratch: Path
) -> None:
    question, title = run.question, entrant.framework.title
    watch.doing(f"peak of {title}")
    try:
        reading = measure_peak(
            entrant.environment,
            entrant.framework,
            staged,
            precision=question.precision,
            device=question.device,
            cpus=question.cpus,
            folder=scratch / f"peak-{entrant.framework.name}",
            log=run.logs / f"peak-{entrant.framework.name}-{entrant.environment.plan.version}.txt",
            report=watch.doing,
        )
    except WorkerFailed as error:
        if error.failure.kind != protocol.UNSUPPORTED:
            text = f"The peak of {title} could not be measured: {error.failure.message}"
            run.append(Noted(text=text))
        return
    run.append(Peaked(reading=reading))
    with contextlib.suppress(OSError):  # it is in the run; the next one measures again
        make_cache(cache.folder)
        cache.keep(entrant.environment, reading)
