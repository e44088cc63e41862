"""Turns a run's conclusions into evidence: speed, start-up, memory, power, and every race between two frameworks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from trivet import figures
from trivet.model.contestant import parse_contestant
from trivet.model.evidence import Evidence
from trivet.model.result import ContestantResult, Estimate, Pair, Result, WorkloadResult

FASTER = "faster"
SLOWER = "slower"
SAME = "no practical difference"
UNDECIDED = "undecided"
"""Values of "performance.verdict", from the first contestant's side."""

_VERDICTS = {"a_faster": FASTER, "b_faster": SLOWER, "no_practical_difference": SAME, "undecided": UNDECIDED}
_VERDICT_WORDS = {
    FASTER: "{a} is faster than {b}",
    SLOWER: "{a} is slower than {b}",
    SAME: "Between {a} and {b} is no practical difference",
    UNDECIDED: "Whether {a} or {b} is faster is undecided",
}


def of_result(result: Result, workload: str = "") -> list[Evidence]:
    """Return the evidence of one workload of a run. Only ranked contestants speak: measured, and proven equal.

    Every race between two frameworks is there from both sides. Verdicts are the run's own.

    Args:
        result: a run's conclusions.
        workload: name; by default the one that `heaviest` returns.
    """
    found = of_workload(result, workload) if workload else heaviest(result)
    if found is None:
        return []
    contestants = {one.contestant: one for one in ranked(found)}
    pieces = [piece for one in contestants.values() for piece in _of_contestant(one, found, result)]
    for pair in found.pairs:
        if pair.a in contestants and pair.b in contestants:
            a, b = contestants[pair.a], contestants[pair.b]
            if a.framework != b.framework:
                pieces += _of_race(a, b, pair, found, result)
                pieces += _of_race(b, a, pair.seen_from(pair.b), found, result)
    return pieces


def of_workload(result: Result, workload: str) -> WorkloadResult | None:
    """Return what a run says of a workload, None where it says nothing."""
    return next((one for one in result.workloads if one.workload == workload), None)


def ranked(workload: WorkloadResult) -> list[ContestantResult]:
    """Return the contestants that are measured and proven equal, in the order asked; copies of a program left out."""
    return [
        one
        for one in workload.contestants
        if one.status == "measured"
        and one.parity.get("equal")
        and one.throughput is not None
        and parse_contestant(one.contestant).copy == 1
    ]


def heaviest(result: Result) -> WorkloadResult | None:
    """Return the workload whose step takes longest, of those that rank most frameworks; None where none ranks any.

    Of several, it is the closest to a real training.
    """

    def order(workload: WorkloadResult) -> tuple[int, float]:
        contestants = ranked(workload)
        speeds = [one.throughput.value for one in contestants if one.throughput]
        return len({one.framework for one in contestants}), workload.batch / max(speeds)

    return max((one for one in result.workloads if ranked(one)), key=order, default=None)


def _of_contestant(one: ContestantResult, workload: WorkloadResult, result: Result) -> Iterator[Evidence]:
    name = f"{one.title} ({one.contestant})"
    if (speed := one.throughput) is not None:
        shown = _with_interval(speed, figures.number)
        text = f"{name} trains {workload.workload} at {shown} {speed.unit}."
        yield _piece("throughput", one, result, speed, text)
    for claim, start, caches in (
        ("startup_cold", one.startup_cold, "empty"),
        ("startup_warm", one.startup_warm, "filled"),
    ):
        if start is not None:
            shown = _with_interval(start, figures.time)
            text = f"{name} needs {shown} to the end of its first step, caches {caches}."
            yield _piece(claim, one, result, start, text)
    if (memory := one.shown_memory) is not None:
        text = f"{name} takes {_with_interval(memory, figures.size)} of memory at most."
        yield _piece("memory", one, result, memory, text)
    if (watts := one.gpu.get("power_watts")) is not None:
        reading = Estimate(value=watts, low=None, high=None, n=workload.generations, unit="W")
        text = f"The GPU draws {figures.number(watts)} W while {name} trains {workload.workload}."
        yield _piece("power", one, result, reading, text)


def _of_race(
    a: ContestantResult, b: ContestantResult, pair: Pair, workload: WorkloadResult, result: Result
) -> list[Evidence]:
    ratio = Estimate(value=pair.ratio, low=pair.low, high=pair.high, n=len(pair.generations), unit="times")
    assumed = " assumed" if pair.provisional else ""
    times, low_high = figures.number(ratio.value), f"({figures.interval(ratio.low, ratio.high)}{assumed})"
    text = f"{a.title} ({a.contestant}) trains {workload.workload} {times} times as fast as {b.contestant} {low_high}."
    race = _piece("ratio", a, result, ratio, text, against=b.contestant)
    verdict = _VERDICTS[pair.verdict]
    words = _VERDICT_WORDS[verdict].format(a=a.contestant, b=b.contestant)
    provisional = ", provisionally" if pair.provisional else ""
    text = f"{words} on {workload.workload}{provisional}: {times} times as fast {low_high}."
    return [
        race,
        dataclasses.replace(
            race, claim="performance.verdict", value=verdict, unit="", low=None, high=None, text=text
        ),
    ]


def _piece(
    claim: str, one: ContestantResult, result: Result, estimate: Estimate, text: str, *, against: str = ""
) -> Evidence:
    return Evidence(
        claim=f"performance.{claim}",
        framework=one.framework,
        contestant=one.contestant,
        against=against,
        value=estimate.value,
        unit=estimate.unit,
        low=estimate.low,
        high=estimate.high,
        n=estimate.n,
        source=result.run,
        dated=result.created[:10],
        strength="measured",
        text=text,
    )


def _with_interval(estimate: Estimate, words: Callable[[float], str]) -> str:
    """Return "117 (111–124)", or the number alone where it has no interval."""
    value = words(estimate.value)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({words(estimate.low)}–{words(estimate.high)})"
