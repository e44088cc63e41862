"""Runs the table: every mistake in every variant, with and without switches, and what the switches cost."""

from __future__ import annotations

import dataclasses
import os
import platform
import statistics
from collections.abc import Callable, Mapping, Sequence

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from trivet import catalog
from trivet.ease.classify import classify, failure_of
from trivet.ease.planted import price_changes
from trivet.ease.printed import beyond, progress, warning_in
from trivet.ease.programs import program
from trivet.ease.running import Home, Task, run_all
from trivet.ease.selection import Variant
from trivet.ecosystem.asking import today
from trivet.environments.build import ensure
from trivet.environments.failures import DiskFull, VersionNotFound
from trivet.environments.plan import plan_for
from trivet.errors import BrokenEnvironment, UsageError
from trivet.launch.stage import Staged, stage
from trivet.model.ease import Cell, EaseResult, Mistake, Observation, Price, Switch


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Asked:
    """One cell to be: the programs that it takes."""

    mistake: Mistake
    variant: Variant
    switch: str
    planted: Task
    twin: Task


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Priced:
    """One price to be."""

    variant: Variant
    switch: str
    off: Task
    on: Task


def run_table(
    variants: Sequence[Variant],
    mistakes: Sequence[Mistake],
    *,
    switches: bool,
    jobs: int,
    offline: bool = False,
    again: bool = False,
    say: Callable[[str], None],
) -> EaseResult:
    """Return the table of mistakes by variants.

    Args:
        variants: from `choose_variants`.
        mistakes: from `choose_mistakes`.
        switches: True to try the frameworks' debugging switches too, and to measure what they cost.
        jobs: programs at a time, where time does not count.
        offline: build environments from what is on this machine only.
        again: True to run what is kept already too.
        say: told what is done.

    Raises:
        UsageError: a version was asked for that does not exist.
        BrokenEnvironment: the cache folder cannot be used.
        OSError: a folder cannot be written.
    """
    homes: dict[str, Home] = {}
    problems: dict[str, str] = {}
    staged = stage(catalog.frameworks().values(), ())
    for variant in variants:
        _find_home(variant, homes, problems, staged, offline, say)
    able = [variant for variant in variants if _place(variant) in homes]
    asked = [
        cell for mistake in mistakes for variant in able for cell in _asked(mistake, variant, homes, switches)
    ]
    priced = [price for variant in able for price in _priced(variant, homes)] if switches else []
    plain = {variant.label: _plain(variant, homes) for variant in able}
    tasks = [*plain.values(), *(task for cell in asked for task in (cell.twin, cell.planted))]
    tasks += [task for price in priced for task in (price.off, price.on)]
    seen = run_all(tasks, jobs=jobs, again=again, say=say)
    cells = [_cell(cell, seen) for cell in asked]
    cells += [
        cell for mistake in mistakes for variant in variants for cell in _not_run(mistake, variant, problems)
    ]
    order = {mistake.name: number for number, mistake in enumerate(mistakes)}
    places = {variant.label: number for number, variant in enumerate(variants)}
    return EaseResult(
        dated=today(),
        versions={variant.label: _versions(homes[_place(variant)]) for variant in able},
        system=f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs",
        cells=tuple(sorted(cells, key=lambda cell: (order[cell.mistake], places[cell.variant]))),
        prices=tuple(_price(price, seen) for price in priced),
        alarms=_alarms(asked, plain, seen),
    )


def _place(variant: Variant) -> str:
    return f"{variant.family.framework}@{variant.version or ''}"


def _find_home(
    variant: Variant,
    homes: dict[str, Home],
    problems: dict[str, str],
    staged: Staged,
    offline: bool,
    say: Callable[[str], None],
) -> None:
    place = _place(variant)
    if place in homes or place in problems:
        return
    info = catalog.framework(variant.family.framework)
    try:
        plan = plan_for(info, version=variant.version, accelerator="cpu")
        environment = ensure(plan, report=say, offline=offline)
        homes[place] = Home(environment=environment, framework=info, staged=staged)
    except DiskFull:
        raise  # room can be made; then what was done is still there
    except BrokenEnvironment as error:  # the others go on
        if isinstance(error, VersionNotFound) and variant.version:
            raise UsageError(error.message, error.remedy) from error
        problems[place] = f"{error.message} {error.remedy}".strip()
        say(f"{info.title}: {problems[place]}")


def _asked(mistake: Mistake, variant: Variant, homes: Mapping[str, Home], switches: bool) -> list[_Asked]:
    if mistake.plantings[variant.family.name].cannot:
        return []
    tried: list[Switch | None] = [None]
    if switches:
        tried += [
            switch
            for switch in variant.family.switches
            if mistake.name in switch.mistakes and variant.name in switch.variants
        ]
    return [
        _Asked(
            mistake=mistake,
            variant=variant,
            switch=switch.name if switch else "",
            planted=_task(mistake, variant, homes, switch, planted=True),
            twin=_task(mistake, variant, homes, switch, planted=False),
        )
        for switch in tried
    ]


def _task(
    mistake: Mistake, variant: Variant, homes: Mapping[str, Home], switch: Switch | None, *, planted: bool
) -> Task:
    what = mistake.name if planted else f"{mistake.name}, correct"
    return Task(
        program=program(variant.family, variant.name, mistake=mistake, planted=planted, switch=switch),
        home=homes[_place(variant)],
        timed=mistake.timed,
        title=", ".join(filter(None, (variant.label, what, switch.name if switch else ""))),
    )


def _plain(variant: Variant, homes: Mapping[str, Home]) -> Task:
    """Return the family's own program: what it prints on stderr is what the framework always prints."""
    return Task(
        program=program(variant.family, variant.name),
        home=homes[_place(variant)],
        timed=False,
        title=f"{variant.label}, nothing planted",
    )


def _alarms(
    asked: Sequence[_Asked], plain: Mapping[str, Task], seen: Mapping[str, Observation]
) -> tuple[str, ...]:
    """Return a sentence for each correct twin that is warned about where the family's own program is not."""
    found = []
    for cell in asked:
        always = seen[plain[cell.variant.label].key].stderr
        warning = "" if cell.switch else warning_in(beyond(seen[cell.twin.key].stderr, always))
        if warning:
            found.append(f"{cell.twin.title}: {warning}")
    return tuple(found)


def _priced(variant: Variant, homes: Mapping[str, Home]) -> list[_Priced]:
    return [
        _Priced(
            variant=variant,
            switch=switch.name,
            off=_price_task(variant, homes, None),
            on=_price_task(variant, homes, switch),
        )
        for switch in variant.family.switches
        if switch.priced and variant.name in switch.variants
    ]


def _price_task(variant: Variant, homes: Mapping[str, Home], switch: Switch | None) -> Task:
    return Task(
        program=program(variant.family, variant.name, switch=switch, larger=price_changes()),
        home=homes[_place(variant)],
        timed=True,
        title=f"{variant.label}, price of {switch.name if switch else 'no switch'}",
    )


def _cell(asked: _Asked, seen: Mapping[str, Observation]) -> Cell:
    return classify(
        asked.mistake,
        asked.variant.label,
        asked.switch,
        asked.planted.program,
        seen[asked.planted.key],
        seen[asked.twin.key],
    )


def _not_run(mistake: Mistake, variant: Variant, problems: Mapping[str, str]) -> list[Cell]:
    """Return the cell of a mistake that cannot be made, or of a variant that cannot be run."""
    cannot = mistake.plantings[variant.family.name].cannot
    if cannot:
        return [
            Cell(mistake=mistake.name, variant=variant.label, switch="", kind="cannot be made", reason=cannot)
        ]
    problem = problems.get(_place(variant), "")
    if problem:
        return [Cell(mistake=mistake.name, variant=variant.label, switch="", kind="not run", reason=problem)]
    return []


def _price(priced: _Priced, seen: Mapping[str, Observation]) -> Price:
    off, on = seen[priced.off.key], seen[priced.on.key]
    problem = failure_of(on)
    return Price(
        variant=priced.variant.label,
        switch=priced.switch,
        off_ms=_step_ms(off),
        on_ms=None if problem else _step_ms(on),
        reason=f"The correct program fails: {problem}" if problem else "",
        disturbed=off.disturbed or on.disturbed,
    )


def _step_ms(seen: Observation) -> float:
    """Return the median step of the later half, when all is compiled; 0 if there is none."""
    steps = progress(seen.stdout).milliseconds
    return round(statistics.median(steps[len(steps) // 2 :]), 3) if steps else 0.0


def _versions(home: Home) -> dict[str, str]:
    """Return the versions of what the environment was made for."""
    installed = {canonicalize_name(name): version for name, version in home.environment.packages.items()}
    names = [canonicalize_name(Requirement(text).name) for text in home.environment.plan.requirements]
    return {name: installed[name] for name in names if name in installed}
