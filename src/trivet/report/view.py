"""What the page shows of a workload: rows in order, pairs from the leader's side, charts."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from trivet.conclude.ranking import against_leader, by_speed, from_faster_side, leader
from trivet.conclude.timeline import TimedSlice
from trivet.conclude.words import generations, parity_words
from trivet.model.result import ContestantResult, Estimate, Pair, StartUpEstimate, WorkloadResult
from trivet.report import charts
from trivet.report.colors import colors
from trivet.report.words import check_names, number

COUNTERS = {
    "live_peak_bytes": "live peak on the device",
    "pool_bytes": "allocator's pool",
    "footprint_bytes": "process on the device",
    "host_peak_bytes": "peak on the host",
    "host_peak_above_import_bytes": "above import",
}
"""Counter -> its column. The first that is there is the one set against each other."""

_PARITY_TONES = {"equal": "good", "not equal": "bad", "alone": "warn", "not checked": "warn"}
_TONES = {"disturbed": "warn", "pending": "sub", "unsupported": "sub"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """One contestant's line.

    Attributes:
        result: all that is known of it.
        status: in words, with its tone.
        share: "1.00" for the fastest, its share of the fastest's speed for the others; "" for those not ranked.
        counter, memory: the memory counter that is compared, and its value.
        whole, part: length of the memory bar and of its part above the import, in percent.
        parity: in words, with its tone.
        color: of its framework, a variable of style.css.
    """

    result: ContestantResult
    status: str
    tone: str
    share: str
    counter: str
    memory: Estimate | None
    whole: float
    part: float
    parity: str
    parity_tone: str
    color: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class View:
    """One workload's section.

    Attributes:
        result: all that is known of it.
        generations: how many, in words.
        precision: that is timed.
        rows: fastest first.
        leader: label of the fastest one, or None.
        races: its pairs.
        other_pairs: the rest, from the faster one's side.
        starts: row, "cold" or "warm", start-up.
        memory: rows that have any.
        counters: memory counter -> column title.
        memory_note: what the bar is.
        checks: of the parity gate.
        gpu: names of the readings that were taken beside GPU numbers.
        losses: rows that have any.
        dashes: label -> dash pattern of its line.
        shapes: label -> shape of its points.
        keyed: rows that the charts show.
        largest: rows for which the largest batch that fits was looked for.
        utilised: True if any row has a utilisation.
        rejected: how many slices do not count.
        loss_reference: label that losses are compared with, "" if there is none.
        charts: name -> specification or None.
    """

    result: WorkloadResult
    generations: str
    precision: str
    rows: tuple[Row, ...]
    leader: str | None
    races: tuple[Pair, ...]
    other_pairs: tuple[Pair, ...]
    starts: tuple[tuple[Row, str, StartUpEstimate], ...]
    memory: tuple[Row, ...]
    counters: dict[str, str]
    memory_note: str
    checks: tuple[str, ...]
    gpu: tuple[str, ...]
    losses: tuple[Row, ...]
    dashes: dict[str, list[int]]
    shapes: dict[str, str]
    keyed: tuple[Row, ...]
    largest: tuple[Row, ...]
    utilised: bool
    rejected: int
    loss_reference: str
    charts: dict[str, charts.Chart | None]


def view_of(
    workload: WorkloadResult, *, precision: str, margin: float, taken: Sequence[TimedSlice] = ()
) -> View:
    """Return what the page shows of a workload.

    Args:
        workload: its conclusions.
        precision: of the question.
        margin: of the question.
        taken: its raw slices, where they are at hand.
    """
    first = leader(workload)
    order = by_speed(workload)
    rows = _rows(workload, order)
    present = {counter for one in order for counter in one.memory}
    counters = {name: title for name, title in COUNTERS.items() if name in present}
    counters |= {name: name.replace("_", " ") for name in sorted(present - counters.keys())}
    seen = {one.contestant for one in taken}
    return View(
        result=workload,
        generations=generations(workload),
        precision=precision,
        rows=rows,
        leader=first,
        races=tuple(against_leader(workload)),
        other_pairs=tuple(from_faster_side(pair) for pair in workload.pairs if first not in (pair.a, pair.b)),
        starts=tuple(
            (row, caches, start)
            for row in rows
            for caches, start in (("cold", row.result.startup_cold), ("warm", row.result.startup_warm))
            if start
        ),
        memory=tuple(row for row in rows if row.memory),
        counters=counters,
        memory_note=_memory_note(counters),
        checks=tuple(check_names({check for one in order for check in one.parity["worst"]})),
        gpu=tuple(dict.fromkeys(reading for one in order for reading in one.gpu)),
        losses=tuple(row for row in rows if row.result.loss),
        dashes=charts.dashes(workload),
        shapes=charts.shapes(workload),
        keyed=tuple(row for row in rows if row.result.throughput or row.result.contestant in seen),
        largest=tuple(row for row in rows if row.result.largest_batch),
        utilised=any(one.utilisation for one in order),
        rejected=sum(not one.clean for one in taken),
        loss_reference=next((one.loss["reference"] for one in order if one.loss), ""),
        charts={
            "throughput": charts.throughput(workload),
            "ratios": charts.ratios(workload, margin),
            "start_up": charts.start_up(workload),
            "total_time": charts.total_time(workload),
            "cold": charts.break_even(workload, "cold"),
            "warm": charts.break_even(workload, "warm"),
            "slices": charts.slices(workload, taken),
            "memory": charts.memory_by_batch(workload),
        },
    )


def _rows(workload: WorkloadResult, order: list[ContestantResult]) -> tuple[Row, ...]:
    shares = {pair.b: number(1 / pair.ratio) for pair in against_leader(workload)}
    first = leader(workload)
    counter = next((name for name in COUNTERS if any(name in one.memory for one in order)), "host_peak_bytes")
    largest = max((one.memory[counter].value for one in order if counter in one.memory), default=1.0)
    color = colors(one.framework for one in order)
    rows = []
    for one in order:
        memory = one.memory.get(counter)
        above = one.memory.get("host_peak_above_import_bytes") if counter == "host_peak_bytes" else None
        parity = parity_words(one)
        rows.append(
            Row(
                result=one,
                status=one.status.replace("_", " "),
                tone=_TONES.get(one.status, "bad"),
                share="1" if one.contestant == first else shares.get(one.contestant, ""),
                counter=counter,
                memory=memory,
                whole=round(100 * memory.value / largest, 1) if memory else 0.0,
                part=round(100 * above.value / memory.value, 1)
                if memory and memory.value and above
                else 100.0,
                parity=parity,
                parity_tone=_PARITY_TONES[parity],
                color=color[one.framework],
            )
        )
    return tuple(rows)


def _memory_note(counters: dict[str, str]) -> str:
    if "live_peak_bytes" in counters:
        return (
            "Live peak: what tensors needed at most. Pool: what the allocator took from the device. Process: what the "
            "driver counts. From a run of its own, without preallocation."
        )
    return "The process's high-water mark as the kernel keeps it; the dark part of a bar is above its value after the import."
