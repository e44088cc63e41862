"""The whole of `trivet compare`, from a question to a finished run."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence
from pathlib import Path

from trivet import catalog
from trivet.conclude import conclude
from trivet.console.live import Watcher
from trivet.errors import BrokenEnvironment, StoreError, UsageError
from trivet.folders import (
    cache_folder,
    compile_caches_folder,
    gates_folder,
    make_cache,
    measuring_lock,
    staged_folder,
)
from trivet.interrupts import Stopped
from trivet.launch.stage import Staged, stage
from trivet.launch.work import job_of
from trivet.lock import held
from trivet.measure import events
from trivet.measure.entry import Entry, Setting
from trivet.measure.generation import measure_generation
from trivet.measure.machine import read_machine
from trivet.model.measurement import Failure, Generation
from trivet.model.question import Question
from trivet.model.result import Result
from trivet.parity.gate import run_gate
from trivet.parity.tracing import Entrant
from trivet.schedule import Standing, next_workload, remaining_seconds
from trivet.stats.samples import collect
from trivet.stats.stopping import unsettled
from trivet.store.events import Failed, Finished, Gated, Measured, Noted
from trivet.store.run import Run
from trivet.store.sweep import drop_caches, note_owner, remove_run, sweep
from trivet.version import __version__
from trivet.workflow.largest_batch import find_largest_batches
from trivet.workflow.peaks import find_peaks
from trivet.workflow.readiness import make_ready
from trivet_worker import protocol


def compare(question: Question, watch: Watcher, *, command: str) -> tuple[Result, Path]:
    """Carry out a question as a new run.

    Returns:
        The conclusions, and the run's folder.
    """
    machine = read_machine(question.cpus)
    staged = _stage(question)
    code = {"trivet": __version__, "worker": staged.digest}
    with Run.create(question, machine, command=command, code=code) as run:
        watch.say(f"run {run.id}")
        try:
            return _carry_out(run, staged, watch), run.folder
        except UsageError:  # the question cannot be carried out: nothing would come of going on with it
            remove_run(run.folder)
            raise


def continue_run(run: Run, watch: Watcher) -> Result:
    """Go on with a run that was stopped, at the first thing that is missing.

    Raises:
        StoreError: the code or the machine is not the one that the run began with.
    """
    staged = _stage(run.question)
    if staged.digest != run.header.code.get("worker"):
        message = (
            f"Run {run.id} was begun with other code (worker {run.header.code.get('worker', '?')[:12]}, "
            f"now {staged.digest[:12]}); its numbers and new ones would not belong together."
        )
        raise StoreError(message, "Start a new run, or go back to the version that began it.")
    machine = read_machine(run.question.cpus)
    if machine.digest != run.header.machine.digest:
        message = f"Run {run.id} was begun on another machine ({run.header.machine.cpu})."
        raise StoreError(message, "Go on there, or start a new run here.")
    watch.say(f"run {run.id}, resumed")
    return _carry_out(run, staged, watch)


def _stage(question: Question) -> Staged:
    """Stage all frameworks and the workloads asked for."""
    frameworks = catalog.frameworks().values()
    workloads = [catalog.workload(name) for name in question.workloads]
    try:
        return stage(frameworks, workloads, folder=make_cache(staged_folder()))
    except OSError as error:
        message = f"The workers' code cannot be copied into {staged_folder()}: {error.strerror or error}."
        raise BrokenEnvironment(message, "Make room, or set TRIVET_CACHE to another folder.") from error


def _carry_out(run: Run, staged: Staged, watch: Watcher) -> Result:
    try:
        return _stages(run, staged, watch)
    except KeyboardInterrupt as stop:
        by = f" by {stop.name}" if isinstance(stop, Stopped) and stop.name != "SIGINT" else ""
        watch.say(f"Stopped{by}. `trivet compare --resume {run.id}` goes on from here.")
        raise


def _stages(run: Run, staged: Staged, watch: Watcher) -> Result:
    make_cache(cache_folder())
    note_owner(run.folder)
    # Two comparisons at once would each be the other's noise.
    with held(measuring_lock(), what="measures on this machine", report=watch.say):
        sweep()
        began = _began(run)
        entrants = make_ready(run, staged, watch.doing)
        _measure(run, staged, entrants, watch, began)
        find_peaks(run, staged, entrants, watch, scratch=_compile_caches(run) / "scratch")
        if run.question.largest_batch:
            entries = {
                name: [_entry(run, name, entrant) for entrant in _fit(run, name, entrants)]
                for name in run.question.workloads
                if name in run.gates
            }
            find_largest_batches(run, entries, _setting(run, staged, "", 0, began), watch)
    if not run.complete:
        run.append(Finished())
    drop_caches(run.id)
    return conclude(run)


def _measure(run: Run, staged: Staged, entrants: list[Entrant], watch: Watcher, began: float) -> None:
    question = run.question
    budget_seconds = question.budget_minutes * 60
    for workload in question.workloads:
        _refuse_unsupported(run, workload, entrants)
    while True:
        standings = [_standing(run, name, entrants) for name in question.workloads]
        name = next_workload(standings, budget_seconds=budget_seconds, quick=question.quick)
        if name is None:
            return
        if name not in run.gates:
            _gate(run, staged, name, entrants, watch)
            continue
        left = remaining_seconds(standings, budget_seconds=budget_seconds, quick=question.quick)
        setting = _setting(run, staged, name, len(run.generations(name)), began)
        _generation(run, setting, entrants, watch, left)
        watch.show(conclude(run))


def _able(name: str, entrants: list[Entrant]) -> list[Entrant]:
    """Return those for whose framework the workload has a native model."""
    models = catalog.workload(name).models
    return [entrant for entrant in entrants if entrant.framework.model in models]


def _refuse_unsupported(run: Run, name: str, entrants: list[Entrant]) -> None:
    known = {event.contestant for event in run.failures if event.workload == name}
    able = {entrant.label for entrant in _able(name, entrants)}
    for entrant in entrants:
        if entrant.label not in able | known:
            message = f"{name} has no native model for it (model_{entrant.framework.model}.py)."
            failure = Failure(status=protocol.UNSUPPORTED, stage="parity", message=message)
            run.append(Failed(contestant=entrant.label, workload=name, failure=failure))


def _gate(run: Run, staged: Staged, name: str, entrants: list[Entrant], watch: Watcher) -> None:
    able = _able(name, entrants)
    report = run_gate(
        catalog.workload(name),
        able,
        staged,
        folder=make_cache(gates_folder()),
        logs=run.logs,
        seed=run.question.seed,
        cpus=run.question.cpus,
        report=watch.doing,
    )
    run.append(Gated(report=report))
    unequal = [label for label, verdict in report.verdicts.items() if verdict.equal is False]
    how = "from the cache" if report.cached else f"{report.seconds:.0f} s"
    watch.say(f"{name}: parity of {len(able)} contestants checked ({how})")
    for label in unequal:
        watch.say(f"{name}: {label} does NOT compute the same; it is not timed")


def _generation(run: Run, setting: Setting, entrants: list[Entrant], watch: Watcher, left: float) -> None:
    name = setting.workload
    generations = run.generations(name)
    caches = _compile_caches(run)
    if generations and not caches.exists():
        text = (
            f"{name}: the compile caches of the cold generation were gone; a later start-up was cold as well."
        )
        run.append(Noted(text=text))
    racing = _racing(run, name, _fit(run, name, entrants))
    generation = measure_generation(
        [_entry(run, name, entrant) for entrant in racing],
        setting,
        resident=run.question.device == "cpu",
        expected_starts={
            label: startup.total_seconds for g in generations for label, startup in g.startups.items()
        },
        report=lambda event, seconds: watch.doing(
            f"{name}, generation {setting.number + 1}: {events.sentence(event)}",
            max(left, seconds or 0.0),
        ),
    )
    run.append(Measured(generation=generation))
    for label, failure in generation.failures.items():
        watch.say(f"{name}: {label} {failure.status.replace('_', ' ')}: {failure.message}")


def _setting(run: Run, staged: Staged, name: str, number: int, began: float) -> Setting:
    run.check_there()
    caches = _compile_caches(run)
    return Setting(
        workload=name,
        number=number,
        staged=staged,
        cpus=run.question.cpus,
        run=run.folder,
        caches=caches,
        scratch=caches / "scratch",
        began=began,
    )


def _entry(run: Run, name: str, entrant: Entrant) -> Entry:
    """Return a contestant with its work at full size, in the precision that is timed."""
    question = run.question
    job = job_of(
        catalog.workload(name),
        entrant.framework,
        entrant.contestant.variant,
        precision=question.precision,
        device=question.device,
        seed=question.seed,
        batch=question.batch,
    )
    return Entry(
        contestant=entrant.contestant,
        framework=entrant.framework,
        environment=entrant.environment,
        job=job,
    )


def _fit(run: Run, name: str, entrants: list[Entrant]) -> list[Entrant]:
    """Return who is measured: equal to the reference, and able to start."""
    report = run.gates[name]
    generations = run.generations(name)
    fit = []
    for entrant in entrants:
        verdict = report.verdicts.get(entrant.label)
        failed = [g.failures[entrant.label] for g in generations if entrant.label in g.failures]
        # What cannot start once will not start again; what died on the way gets one more chance.
        out = any(failure.stage == "start" for failure in failed) or len(failed) > 1
        if verdict is not None and verdict.equal and not out:
            fit.append(entrant)
    return fit


def _racing(run: Run, name: str, fit: list[Entrant]) -> list[Entrant]:
    """Return those of them that are in a race not yet decided; the others leave their time to it."""
    if not run.generations(name) or run.question.quick:
        return fit
    samples = collect(run.generations(name), [entrant.label for entrant in fit])
    open_ = unsettled(samples, run.question.margin)
    return [entrant for entrant in fit if entrant.label in open_]


def _standing(run: Run, name: str, entrants: list[Entrant]) -> Standing:
    generations = run.generations(name)
    gated = name in run.gates
    fit = _fit(run, name, entrants) if gated else _able(name, entrants)
    return Standing(
        workload=name,
        seconds=tuple(generation.seconds for generation in generations),
        spoilt=_spoilt(generations, fit),
        decided=bool(generations) and not _racing(run, name, fit),
        stopped=not fit,
    )


def _spoilt(generations: Sequence[Generation], fit: Sequence[Entrant]) -> int:
    """Return in how many generations some contestant that took part has too few clean rounds."""
    labels = [entrant.label for entrant in fit]
    samples = collect(generations, labels)
    taken_part = {label: sum(label in one.startups for one in generations) for label in labels}
    return max((taken_part[label] - samples.counted(label) for label in labels), default=0)


def _began(run: Run) -> float:
    """Return what `time.monotonic()` was when the run was created, asked once for each process that works on it.

    A run that is resumed knows its age by the clock on the wall alone, which somebody may have set back: it is no younger
    than its last slice.
    """
    age = time.time() - dt.datetime.fromisoformat(run.header.created).timestamp()
    slices = [taken for name in run.question.workloads for g in run.generations(name) for taken in g.slices]
    return time.monotonic() - max(0.0, age, *(taken.started + taken.seconds for taken in slices))


def _compile_caches(run: Run) -> Path:
    """Return the run's private compile caches: empty at the cold generation, kept for the warm ones."""
    return make_cache(compile_caches_folder()) / run.id
