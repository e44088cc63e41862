"""Ease as evidence: what became of planted mistakes, what switches cost, what there is to write, how soon a step runs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from trivet import catalog
from trivet.ease import code, planted, results
from trivet.ecosystem.asking import today
from trivet.environments import pins
from trivet.model.ease import Cell, EaseResult, Family, Kind, Mistake, Price
from trivet.model.evidence import Evidence
from trivet.model.result import ContestantResult, Result, StartUpEstimate

KEPT_DAYS = 365
"""How long a table counts in full, if the pinned versions stay."""

COUNTED = "resnet18"
"""The workload whose native files are counted: the larger of the two that `trivet compare` takes by itself."""

_SAYS: dict[Kind, str] = {
    "cannot be made": "cannot be made",
    "meant": "does what was meant",
    "corrected": "is silently corrected",
    "located": "is an error that points at its line",
    "loud elsewhere": "is an error that points elsewhere",
    "warned": "gives a warning and wrong numbers",
    "visible NaN": "shows as NaN in the loss",
    "silent": "gives plausible wrong numbers, and nothing is said",
    "costs time": "costs time",
    "unusable": "is not found, since the correct program fails with the switch on",
    "not run": "was not run",
}


def evidence(
    table: EaseResult | None = None, *, source: str = "", workload: str = COUNTED, pinned: bool = True
) -> list[Evidence]:
    """Return all evidence of ease that needs no run: planted mistakes, switches, counts.

    Args:
        table: of `trivet ease`; None for the newest that comes with trivet.
        source: where the table is to be found; "" for the shipped one.
        workload: whose native files are counted.
        pinned: True if the table stands for trivet's pinned versions, so that it is stale once these are others.

    Raises:
        StoreError: no table comes with trivet, or it is damaged.
        UsageError: there is no such workload.
    """
    whole = table or results.shipped()
    said = source or f"trivet ease, table of {whole.dated} that comes with trivet"
    return [
        *of_mistakes(whole, source=said, pinned=pinned),
        *of_switches(whole, source=said, pinned=pinned),
        *of_code(workload),
    ]


def of_mistakes(table: EaseResult, *, source: str, pinned: bool = True) -> list[Evidence]:
    """Return "ease.mistakes.<mistake>" for each variant; the value is the outcome class, None if it was not run."""
    known = planted.mistakes()
    frameworks = _frameworks()
    return [
        _of_cell(
            cell, known[cell.mistake], f"ease.mistakes.{cell.mistake}", table, frameworks, source, pinned
        )
        for cell in table.cells
        if not cell.switch and cell.mistake in known and _name(cell.variant) in frameworks
    ]


def of_switches(table: EaseResult, *, source: str, pinned: bool = True) -> list[Evidence]:
    """Return "ease.switch.<mistake>" and "ease.switch_price" of each variant's official switch."""
    known = planted.mistakes()
    frameworks = _frameworks()
    official = {
        (variant, switch.name)
        for family in frameworks.values()
        for switch in family.switches
        if switch.official
        for variant in switch.variants
    }
    found = [
        _of_cell(cell, known[cell.mistake], f"ease.switch.{cell.mistake}", table, frameworks, source, pinned)
        for cell in table.cells
        if (_name(cell.variant), cell.switch) in official and cell.mistake in known
    ]
    return found + [
        _of_price(price, table, frameworks, source, pinned)
        for price in table.prices
        if (_name(price.variant), price.switch) in official
    ]


def of_code(workload: str = COUNTED) -> list[Evidence]:
    """Return "ease.code.lines", "ease.code.symbols" and "ease.code.concepts" of each framework's native file.

    Raises:
        UsageError: there is no such workload.
    """
    day = today()
    found = []
    for framework, counted in code.of_workload(workload).items():
        title = catalog.framework(framework).title
        rows = (
            ("lines", counted.lines, "lines", f"takes {counted.lines} lines of code"),
            ("symbols", len(counted.symbols), "names", f"uses {len(counted.symbols)} names of its framework"),
            ("concepts", len(counted.concepts), "concepts", f"uses {len(counted.concepts)} concepts"),
        )
        found += [
            Evidence(
                claim=f"ease.code.{claim}",
                framework=framework,
                value=float(value),
                unit=unit,
                n=1,
                source=f"trivet ease --code {workload}",
                dated=day,
                strength="counted",
                text=f"{title}'s native {workload} {text}.",
            )
            for claim, value, unit, text in rows
        ]
    return found


def of_first_step(result: Result, workload: str = "") -> list[Evidence]:
    """Return "ease.first_step.cold" and "ease.first_step.warm" of each contestant that has them, in seconds.

    Args:
        result: of a run.
        workload: one of its workloads; "" for the first.
    """
    found = []
    for one in [one for one in result.workloads if workload in ("", one.workload)][:1]:
        for contestant in one.contestants:
            for claim, start in (("cold", contestant.startup_cold), ("warm", contestant.startup_warm)):
                if start is not None:
                    found.append(_of_start(claim, start, contestant, one.workload, result))
    return found


def _of_start(
    claim: str, start: StartUpEstimate, contestant: ContestantResult, workload: str, result: Result
) -> Evidence:
    caches = "empty" if claim == "cold" else "filled"
    return Evidence(
        claim=f"ease.first_step.{claim}",
        framework=contestant.framework,
        contestant=contestant.contestant,
        value=start.value,
        unit="s",
        low=start.low,
        high=start.high,
        n=start.n,
        source=result.run,
        dated=result.created[:10],
        strength="measured",
        text=f"{contestant.contestant} is at the end of {workload}'s first step after {start.value:.3g} s, compile caches {caches}.",
    )


def _of_cell(
    cell: Cell,
    mistake: Mistake,
    claim: str,
    table: EaseResult,
    frameworks: dict[str, Family],
    source: str,
    pinned: bool,
) -> Evidence:
    framework = frameworks[_name(cell.variant)].framework
    with_switch = f" with {cell.switch}" if cell.switch else ""
    where = f" at {cell.where}" if cell.where and cell.kind != "silent" else ""
    line = f" ({cell.line})" if cell.line else ""
    return Evidence(
        claim=claim,
        framework=framework,
        contestant=cell.variant,
        value=None if cell.kind == "not run" else cell.kind,
        n=1,
        source=source,
        dated=table.dated,
        strength="measured",
        expires=_expiry(table, cell.variant, framework, pinned),
        text=f"{mistake.title}: in {cell.variant}{with_switch} it {_SAYS[cell.kind]}{where}{line}.",
    )


def _of_price(
    price: Price, table: EaseResult, frameworks: dict[str, Family], source: str, pinned: bool
) -> Evidence:
    framework = frameworks[_name(price.variant)].framework
    if price.ratio is None:
        text = f"{price.switch} cannot be used in {price.variant}: the correct program fails with it."
    elif price.disturbed:
        text = f"What {price.switch} costs in {price.variant} is not known: other work used the machine."
    else:
        text = f"With {price.switch} a step of {price.variant} takes {price.ratio:.2f} times as long."
    return Evidence(
        claim="ease.switch_price",
        framework=framework,
        contestant=price.variant,
        value=None if price.disturbed else price.ratio,
        unit="times",
        n=1,
        source=source,
        dated=table.dated,
        strength="measured",
        expires=_expiry(table, price.variant, framework, pinned),
        text=text,
    )


def _frameworks() -> dict[str, Family]:
    """Return variant -> its family."""
    return {variant: family for family in planted.families().values() for variant in family.variants}


def _name(variant: str) -> str:
    return variant.partition("@")[0]


def _expiry(table: EaseResult, variant: str, framework: str, pinned: bool) -> str:
    """Return the day from which a cell is stale: a year on, or at once where trivet's pin is another version now."""
    if pinned and not _still_pinned(table.versions.get(variant, {}).values(), framework):
        return table.dated
    return (dt.date.fromisoformat(table.dated) + dt.timedelta(days=KEPT_DAYS)).isoformat()


def _still_pinned(versions: Iterable[str], framework: str) -> bool:
    known = pins.load(catalog.framework(framework).folder)
    return known is None or any(version.partition("+")[0] == known.versions[0] for version in versions)
