"""With --largest-batch, the last stage: the largest batch of every contestant that trains within the memory there is."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Mapping, Sequence

from trivet import figures
from trivet.console.live import Watcher
from trivet.measure.entry import Entry, Setting
from trivet.measure.largest_batch import SHARE_OF_AVAILABLE, memory_limit, next_batch, try_batch
from trivet.model.measurement import MEASURED
from trivet.store.events import Noted, Tried
from trivet.store.run import Run
from trivet_worker.protocol import OUT_OF_MEMORY


def find_largest_batches(
    run: Run, entries: Mapping[str, Sequence[Entry]], setting: Setting, watch: Watcher
) -> None:
    """Search for every contestant of every workload, and store each batch that was tried.

    Args:
        run: being written; what it holds of an earlier search is not tried again.
        entries: workload -> contestants that can run, with their usual batch.
        setting: where they run; workload and number are set for each batch.
        watch: is told what happens.
    """
    limit = _limit(run, entries)
    if limit is None:
        run.append(
            Noted(text="The largest batch was not searched: on this system no memory limit can be set.")
        )
        return
    device = run.question.device
    whose = f"{SHARE_OF_AVAILABLE:.0%} of what is free" if device == "cpu" else "the device's"
    watch.say(f"largest batch: a process may use {figures.size(limit)}, {whose}")
    for workload, contestants in entries.items():
        for entry in contestants:
            _search(run, workload, entry, setting, limit, watch)


def _limit(run: Run, entries: Mapping[str, Sequence[Entry]]) -> int | None:
    """Return the limit that the run's search began with, or what holds now."""
    for workload, contestants in entries.items():
        for entry in contestants:
            for attempt in run.attempts(workload, entry.label):
                return attempt.limit_bytes
    gpus = run.header.machine.gpus
    return memory_limit(run.question.device, gpus[0].memory_bytes if gpus else None)


def _search(run: Run, workload: str, entry: Entry, setting: Setting, limit: int, watch: Watcher) -> None:
    while (batch := next_batch(entry.job.batch, run.attempts(workload, entry.label))) is not None:
        watch.doing(f"{workload}: largest batch of {entry.label}, trying {batch}")
        place = dataclasses.replace(setting, workload=f"{workload}-batch", number=batch)
        attempt = try_batch(entry, place, batch, limit)
        run.append(Tried(workload=workload, contestant=entry.label, attempt=attempt))
        shutil.rmtree(setting.scratch, ignore_errors=True)
        if attempt.outcome not in (MEASURED, OUT_OF_MEMORY):
            text = (
                f"{workload}, {entry.label}: the search for the largest batch ended at {batch}, which "
                f"{attempt.outcome.replace('_', ' ')}: {attempt.message}"
            )
            run.append(Noted(text=text))
