"""Sets a run beside a table of somebody's claims, claim by claim."""

from __future__ import annotations

from collections.abc import Sequence

from trivet.conclude.claims_of_run import device_of
from trivet.conclude.stand_ins import StandIns
from trivet.conclude.verdicts import break_evens, figures_row, memories, scaling, speeds, start_ups
from trivet.model.against import FORMAT, Against, ClaimTable, Elsewhere, Judgement, WorkloadAgainst
from trivet.model.result import Result, WorkloadResult


def set_against(result: Result, tables: Sequence[ClaimTable]) -> Against:
    """Return what a run's measurements say of each claim.

    Args:
        result: of the run.
        tables: at least one: one that is tested on every workload, or one for each workload of another run.
    """
    margin = float(result.question["margin"])
    found, notes = [], []
    for workload in result.workloads:
        mine = [one for one in tables if one.anywhere or one.setting.workload == workload.workload]
        found += [_workload(result, workload, table, margin) for table in mine]
        if not mine:
            notes.append(f"{workload.workload} is not in the run that it is set against.")
    if not result.complete:
        notes.append("The run is not complete; what it lacks cannot be tested.")
    table = tables[0]
    if not table.anywhere:
        notes.append("`trivet diff` sets the figures of two runs themselves side by side.")
    return Against(
        format=FORMAT,
        run=result.run,
        margin=margin,
        title=table.title,
        source=table.source,
        dated=table.dated,
        defects=table.defects,
        workloads=tuple(found),
        notes=tuple(notes),
    )


def _workload(result: Result, workload: WorkloadResult, table: ClaimTable, margin: float) -> WorkloadAgainst:
    here = StandIns(workload)
    elsewhere = _elsewhere(result, workload, table)
    judgements: list[Judgement] = [
        *speeds(table, here, margin),
        *start_ups(table, here, margin),
        *memories(table, here, margin),
        *break_evens(table, here),
        *scaling(table),
        *figures_row(table, here, [one.name for one in elsewhere], margin),
    ]
    versions = tuple(_versions(table, here))
    return WorkloadAgainst(
        workload=workload.workload,
        elsewhere=elsewhere,
        versions=versions,
        meaning=_meaning(elsewhere, versions),
        judgements=tuple(judgements),
    )


def _elsewhere(result: Result, workload: WorkloadResult, table: ClaimTable) -> tuple[Elsewhere, ...]:
    setting, device = table.setting, device_of(result)
    precision = str(result.question["precision"])
    same_precision = setting.precision in ("", precision) or (setting.precision, precision) == (
        "mixed",
        "bfloat16",
    )
    facts = (
        ("workload", setting.workload, workload.workload, setting.workload in ("", workload.workload)),
        ("batch", str(setting.batch), str(workload.batch), setting.batch in (None, workload.batch)),
        ("precision", setting.precision, precision, same_precision),
        ("device", setting.device, device, setting.device.lower() in device.lower()),
    )
    return tuple(
        Elsewhere(name=name, there=there, here=here) for name, there, here, same in facts if not same
    )


def _versions(table: ClaimTable, here: StandIns) -> list[Elsewhere]:
    found = []
    for row in table.rows:
        one, _ = here.of(row)
        if one and row.version and not f"{one.version}.".startswith(f"{row.version}."):
            found.append(Elsewhere(name=row.title, there=row.version, here=one.version))
    return found


def _meaning(elsewhere: Sequence[Elsewhere], versions: Sequence[Elsewhere]) -> str:
    if not elsewhere:
        newer = ", in other versions" if versions else ""
        return f"It is the table's own setting{newer}: a verdict speaks of the table itself."
    return (
        "It is not the table's own setting: what holds carries over to this work on this machine; what does not is no "
        "guide here, and may yet be right where it was measured."
    )
