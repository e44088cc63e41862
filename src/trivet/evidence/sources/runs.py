"""Performance and first steps, from the stored run that fits best."""

from __future__ import annotations

import dataclasses

from trivet.evidence.ease import of_first_step
from trivet.evidence.gather import Asked, Found
from trivet.evidence.performance import of_result, ranked
from trivet.evidence.runs import ChosenRun, machine_of, named_run, newest_run
from trivet.model.evidence import Evidence


def evidence(asked: Asked) -> Found:
    """Return the evidence of one run, and say which one and why.

    Raises:
        StoreError: the user named a run that cannot be used.
    """
    chosen = named_run(asked.run, asked.workload) if asked.run else newest_run(asked.workload)
    if chosen is None:
        on = f" on {asked.workload}" if asked.workload else ""
        return Found(notes=(f"No stored run ranks two frameworks{on}, so nothing is known of performance.",))
    pieces = [*of_result(chosen.result, chosen.workload.workload), *_first_steps(chosen)]
    return Found(evidence=tuple(pieces), notes=tuple(_notes(chosen)))


def _first_steps(chosen: ChosenRun) -> list[Evidence]:
    """Return how long after an edit the first step is done, of the contestants that are ranked."""
    workload = dataclasses.replace(chosen.workload, contestants=tuple(ranked(chosen.workload)))
    return of_first_step(dataclasses.replace(chosen.result, workloads=(workload,)))


def _notes(chosen: ChosenRun) -> list[str]:
    result, workload = chosen.result, chosen.workload
    precision = result.question.get("precision", "")
    generations = "1 generation" if workload.generations == 1 else f"{workload.generations} generations"
    why = "the run you named" if chosen.named else "the newest run that ranks two frameworks"
    on = f" on {chosen.asked}" if chosen.asked and not chosen.named else ""
    older = f"; {chosen.older} older not used" if chosen.older else ""
    rests_on = (
        f"Performance is that of {workload.workload}, batch {workload.batch}, {precision}, {generations}, measured on "
        f"{result.created[:10]} in {result.run}: {why}{on}{older}."
    )
    notes = [rests_on]
    others = [one.workload for one in result.workloads if one.workload != workload.workload]
    if others and not chosen.asked:
        notes.append(
            f"The run holds {', '.join(others)} too; {workload.workload} counts because its step takes longest. "
            "--workload names another."
        )
    if chosen.quick:
        notes.append("It has one generation only: its intervals are assumed, its verdicts provisional.")
    if not result.complete:
        notes.append("The run is not complete; `trivet compare --resume` goes on with it.")
    if _elsewhere(chosen):
        notes.append(f"It was measured on another machine: {result.machine.get('cpu', 'unknown CPU')}.")
    return notes


def _elsewhere(chosen: ChosenRun) -> bool:
    """Say whether a run is known to come from another machine than this one."""
    from trivet.measure.machine import read_machine

    machine = machine_of(chosen.result)
    return machine is not None and machine.digest != read_machine(()).digest
