"""The whole of `trivet compare`, from a question to a finished run."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import trivet
from trivet import catalog
from trivet.conclude import conclude
from trivet.console.live import Watcher
from trivet.environments.lock import held
from trivet.errors import StoreError
from trivet.folders import cache_folder, gates_folder, make_cache, staged_folder
from trivet.launch.stage import Staged, stage
from trivet.measure.generation import measure_generation
from trivet.measure.machine import read_machine
from trivet.model.measurement import Failure
from trivet.model.question import Question
from trivet.model.result import Result
from trivet.parity.gate import run_gate
from trivet.parity.tracing import Entrant
from trivet.schedule import Standing, next_workload, remaining_seconds
from trivet.stats.samples import collect
from trivet.stats.stopping import unsettled
from trivet.store.events import Failed, Finished, Gated, Measured
from trivet.store.run import Run
from trivet.workflow.readiness import make_ready
from trivet_worker import protocol

def compare(question: Question, watch: Watcher, *, command: str) -> tuple[Result, Path]:
    """Carry out a question as a new run.

    Returns:
        The conclusions, and the run's folder.
    """
    machine = read_machine(question.cpus)
    staged = _stage(question)
    code = {"trivet": trivet.__version__, "worker": staged.digest}
    facts = {**dataclasses.asdict(machine), "digest": machine.digest}
    with Run.create(question, facts, command=command, code=code) as run:
        watch.say(f"run {run.id}")
        return _carry_out(run, staged, watch), run.folder


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
    if machine.digest != run.header.machine.get("digest"):
        message = f"Run {run.id} was begun on another machine ({run.header.machine.get('cpu', 'unknown')})."
        raise StoreError(message, "Go on there, or start a new run here.")
    watch.say(f"run {run.id}, resumed")
    return _carry_out(run, staged, watch)


def _stage(question: Question) -> Staged:
    """Stage all frameworks and the workloads asked for."""
    frameworks = catalog.frameworks().values()
    workloads = [catalog.workload(name) for name in question.workloads]
    return stage(frameworks, workloads, folder=make_cache(staged_folder()))


def _carry_out(run: Run, staged: Staged, watch: Watcher) -> Result:
    lock = make_cache(cache_folder()) / "measuring.lock"
    # Two comparisons at once would each be the other's noise.
    with held(lock, what="measures on this machine", report=watch.say):
        entrants = make_ready(run, staged, lambda text: watch.doing(text))
        _measure(run, staged, entrants, watch)
    if not run.complete:
        run.append(Finished())
    shutil.rmtree(_compile_caches(run), ignore_errors=True)
    return conclude(run)


def _measure(run: Run, staged: Staged, entrants: list[Entrant], watch: Watcher) -> None:
    question = run.question
    budget_seconds = question.budget_minutes * 60
    while True:
        standings = [_standing(run, name, entrants) for name in question.workloads]
        name = next_workload(standings, budget_seconds=budget_seconds, quick=question.quick)
        if name is None:
            return
        if name not in run.gates:
            _gate(run, staged, name, entrants, watch)
            continue
        left = remaining_seconds(standings, budget_seconds=budget_seconds, quick=question.quick)
        _generation(run, staged, name, entrants, watch, left)
        watch.show(conclude(run))


def _gate(run: Run, staged: Staged, name: str, entrants: list[Entrant], watch: Watcher) -> None:
    workload = catalog.workload(name)
    able = []
    for entrant in entrants:
        if entrant.framework.model in workload.models:
            able.append(entrant)
            continue
        message = f"{name} has no native model for it (model_{entrant.framework.model}.py)."
        failure = Failure(status=protocol.UNSUPPORTED, stage="parity", message=message)
        run.append(Failed(contestant=entrant.label, workload=name, failure=failure))
    report = run_gate(
        workload,
        able,
        staged,
        folder=make_cache(gates_folder()),
        logs=run.logs,
        seed=run.question.seed,
        report=watch.doing,
    )
    run.append(Gated(report=report))
    unequal = [label for label, verdict in report.verdicts.items() if verdict.equal is False]
    how = "from the cache" if report.cached else f"{report.seconds:.0f} s"
    watch.say(f"{name}: parity of {len(able)} contestants checked ({how})")
    for label in unequal:
        watch.say(f"{name}: {label} does NOT compute the same; it is not timed")


def _generation(
    run: Run, staged: Staged, name: str, entrants: list[Entrant], watch: Watcher, left: float
) -> None:
    number = len(run.generations(name))
    generation = measure_generation(
        catalog.workload(name),
        _racing(run, name, _fit(run, name, entrants)),
        staged,
        question=run.question,
        number=number,
        caches=_compile_caches(run) / name,
        logs=run.logs,
        report=lambda text: watch.doing(f"{name}, generation {number + 1}: {text}", left),
    )
    run.append(Measured(generation=generation))


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
    fit = _fit(run, name, entrants) if gated else entrants
    return Standing(
        workload=name,
        seconds=tuple(generation.seconds for generation in generations),
        decided=bool(generations) and not _racing(run, name, fit),
        stopped=not fit,
    )


def _compile_caches(run: Run) -> Path:
    """Return the run's private compile caches: empty at the cold generation, kept for the warm ones."""
    return make_cache(cache_folder() / "compile") / run.id
