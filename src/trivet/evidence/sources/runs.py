"""Performance and first steps, from the stored run that fits best."""

from __future__ import annotations

import dataclasses

from trivet.evidence.ease import of_first_step
from trivet.evidence.gather import Asked, Found
from trivet.evidence.performance import of_result, ranked
from trivet.evidence.runs import ChosenRun, device_of, hardware_of, machine_of, named_run, newest_run
from trivet.model.evidence import Evidence
from trivet.model.result import Result


def evidence(asked: Asked) -> Found:
    """Return the evidence of one run, and say which one and why.

    Raises:
        StoreError: the user named a run that cannot be used.
    """
    chosen = named_run(asked.run, asked.workload) if asked.run else newest_run(asked.workload, asked.hardware)
    if chosen is None:
        on = f" on {asked.workload}" if asked.workload else ""
        return Found(notes=(f"No stored run ranks two frameworks{on}, so nothing is known of performance.",))
    pieces = [*of_result(chosen.result, chosen.workload.workload), *_first_steps(chosen)]
    notes = _notes(chosen)
    if not asked.hardware:
        notes.append(
            f"It was measured on {device_of(chosen.result)}; what you train on is not answered, so it counts."
        )
    elif asked.hardware != hardware_of(chosen.result):
        pieces = [_measured_elsewhere(piece, chosen.result, asked.hardware) for piece in pieces]
        notes.append(
            f"It was measured on {device_of(chosen.result)}, and you train on {_DEVICES[asked.hardware]}: its speeds, "
            f"start-ups and memory do not count, and no costs follow from them; {_instead(asked.hardware)}."
        )
    return Found(evidence=tuple(pieces), notes=tuple(notes))


def _measured_elsewhere(piece: Evidence, result: Result, hardware: str) -> Evidence:
    """Return a piece of evidence that says only that nothing is known of the hardware in question."""
    what = next(words for beginning, words in _WHAT.items() if piece.claim.startswith(beginning))
    text = f"{what} was measured on {device_of(result)} only; {_instead(hardware)}."
    return dataclasses.replace(piece, value=None, low=None, high=None, n=None, text=text)


def _instead(hardware: str) -> str:
    """Return what would count."""
    if hardware in ("gpu", "cpu"):
        return "run `trivet compare` on yours"
    return f"trivet does not measure on {_DEVICES[hardware]}"


_DEVICES = {"gpu": "GPUs", "tpu": "TPUs", "cpu": "CPUs", "apple": "Apple GPUs"}

_WHAT = {
    "performance.throughput": "The speed of training",
    "performance.startup": "The time of a start",
    "performance.memory": "The memory that training takes",
    "performance.power": "The power that training draws",
    "performance.": "The order of speeds",
    "ease.first_step.": "The time from an edit to the first step",
}
"""Beginning of a claim -> what it is about, the first that fits."""


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
