"""What a run says of each claim of a table, in words and numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from trivet import figures
from trivet.conclude.judging import (
    FAILS,
    HOLDS,
    OPEN,
    UNTESTED,
    Times,
    judge_figure,
    judge_order,
    judge_ratio,
    times,
)
from trivet.conclude.stand_ins import StandIns
from trivet.conclude.words import listed
from trivet.model.against import ClaimTable, Judgement, Quantity, Ratio, Row, Verdict
from trivet.model.result import MEMORY_COUNTERS, ContestantResult, Estimate, Pair
from trivet.stats.breakeven import break_even
from trivet.stats.interval import MEMORY_PRIOR, START_UP_PRIOR
from trivet.stats.verdict import A_FASTER, NO_PRACTICAL_DIFFERENCE, UNDECIDED

_COUNTER_WORDS = {
    "live_peak_bytes": "live peak on the device",
    "host_peak_bytes": "peak of the process, host memory",
}


def speeds(table: ClaimTable, here: StandIns, margin: float) -> Iterator[Judgement]:
    """Return what is to be said of each claimed ratio of training speeds."""
    for ratio in table.ratios:
        claim = f"{ratio.a.title} trains {figures.number(ratio.value)}x as fast as {ratio.b.title}"
        pair, why = here.pair(ratio.a, ratio.b)
        if pair is None:
            yield Judgement(quantity="speed", claim=claim, verdict=UNTESTED, why=why, claimed=ratio.value)
            continue
        verdict = judge_ratio(ratio, pair, margin)
        yield Judgement(
            quantity="speed",
            claim=claim,
            verdict=verdict,
            why=_why_speed(ratio, pair, verdict, margin),
            claimed=ratio.value,
            measured=pair.ratio,
            low=pair.low,
            high=pair.high,
            provisional=pair.provisional,
        )


def start_ups(table: ClaimTable, here: StandIns, margin: float) -> Iterator[Judgement]:
    """Return what is to be said of who starts sooner; by how much is not judged, since tables count other things."""

    def measure(row: Row) -> tuple[ContestantResult | None, str]:
        return here.of(row, row.startup_variant)

    for more, less in _by(table.rows, lambda row: row.startup_seconds):
        assert more.startup_seconds is not None
        assert less.startup_seconds is not None
        yield _order(
            quantity="start-up",
            claim=f"{less.title} starts before {more.title} ({less.startup_seconds:g} s against {more.startup_seconds:g} s)",
            claimed=more.startup_seconds / less.startup_seconds,
            sides=(measure(more), measure(less)),
            read=lambda one: (one.startup_cold, "cold start"),
            margin=margin,
            prior_share=START_UP_PRIOR,
            words=figures.seconds,
        )


def memories(table: ClaimTable, here: StandIns, margin: float) -> Iterator[Judgement]:
    """Return what is to be said of who needs less memory."""
    for more, less in _by(table.rows, lambda row: row.memory_bytes):
        assert more.memory_bytes is not None
        assert less.memory_bytes is not None
        sizes = f"{less.memory_bytes / 1e9:.3g} GB against {more.memory_bytes / 1e9:.3g} GB"
        yield _order(
            quantity="memory",
            claim=f"{less.title} needs less memory than {more.title} ({sizes})",
            claimed=more.memory_bytes / less.memory_bytes,
            sides=(here.of(more), here.of(less)),
            read=_memory,
            margin=margin,
            prior_share=MEMORY_PRIOR,
            words=figures.mebibytes,
        )


def break_evens(table: ClaimTable, here: StandIns) -> Iterator[Judgement]:
    """Return after how much training the faster one of two rows is ahead, by the table's own figures, and here."""
    for ratio in table.ratios:
        a, b = ratio.a, ratio.b
        if a.startup_seconds is None or b.startup_seconds is None or b.throughput is None:
            continue
        after = break_even(
            start_a=a.startup_seconds,
            start_b=b.startup_seconds,
            throughput_b=b.throughput,
            ratio=ratio.value,
        )
        if after is None:
            continue
        unit = table.setting.unit
        claim = f"{a.title} is ahead of {b.title} {'after ' if after else ''}{figures.items(after, unit)}"
        pair, why = here.pair(a, b)
        if pair is None or "cold" not in pair.break_even_items:
            verdict, why = UNTESTED, why or "A start-up was not measured."
        else:
            verdict, why = _crossing(after, pair, here)
        yield Judgement(quantity="break-even", claim=claim, verdict=verdict, why=why, claimed=after)


def scaling(table: ClaimTable) -> Iterator[Judgement]:
    """Return that several devices cannot be tested yet, where a table claims something of them."""
    known = [f"{row.title} {row.speed_up:g}" for row in table.rows if row.speed_up is not None]
    if known:
        yield Judgement(
            quantity="scaling",
            claim=f"{table.devices} devices train this many times as fast as one: {', '.join(known)}",
            verdict=UNTESTED,
            why="The run used one device; trivet does not time several yet.",
        )


def figures_row(
    table: ClaimTable, here: StandIns, elsewhere: Sequence[str], margin: float
) -> Iterator[Judgement]:
    """Return what is to be said of a cited table's speeds themselves, which only its own setting can test."""
    unit = f"{table.setting.unit}/s"
    known = [(row, row.throughput) for row in table.rows if row.throughput is not None and table.anywhere]
    if known and elsewhere:
        listing = ", ".join(f"{row.title} {value:g}" for row, value in known)
        verb = "is another" if len(elsewhere) == 1 else "are others"
        yield Judgement(
            quantity="figures",
            claim=f"the figures themselves: {listing} {unit}",
            verdict=UNTESTED,
            why=f"A figure belongs to its setting, and here {listed(elsewhere)} {verb}. Order and ratio are tested above.",
        )
        return
    for row, value in known:
        one, why = here.of(row)
        claim = f"{row.title} trains at {value:g} {unit}"
        speed = one.throughput if one else None
        if one is None or speed is None:
            yield Judgement(quantity="figures", claim=claim, verdict=UNTESTED, why=why, claimed=value)
            continue
        yield Judgement(
            quantity="figures",
            claim=claim,
            verdict=judge_figure(value, speed, margin),
            why=f"{one.contestant} trains at {figures.number(speed.value)} ({figures.interval(speed.low, speed.high)}).",
            claimed=value,
            measured=speed.value,
            low=speed.low,
            high=speed.high,
        )


def _by(rows: Sequence[Row], key: Callable[[Row], float | None]) -> Iterator[tuple[Row, Row]]:
    """Return every two rows that have a figure, the one with more of it first."""
    for one, other in itertools.combinations(rows, 2):
        first, second = key(one), key(other)
        if first is not None and second is not None:
            yield (one, other) if first >= second else (other, one)


def _order(
    *,
    quantity: Quantity,
    claim: str,
    claimed: float,
    sides: tuple[tuple[ContestantResult | None, str], tuple[ContestantResult | None, str]],
    read: Callable[[ContestantResult], tuple[Estimate | None, str]],
    margin: float,
    prior_share: float,
    words: Callable[[Estimate | None], str],
) -> Judgement:
    """Return what is to be said of a claim that the first of two sides needs more than the second."""
    (more, why_more), (less, why_less) = sides
    missing = " ".join(filter(None, (why_more, why_less)))
    if more is None or less is None:
        return Judgement(quantity=quantity, claim=claim, verdict=UNTESTED, why=missing, claimed=claimed)
    (ours, what), (theirs, other) = read(more), read(less)
    if ours is None or theirs is None or what != other:
        why = f"{more.contestant} and {less.contestant} have no such measurement in common."
        return Judgement(quantity=quantity, claim=claim, verdict=UNTESTED, why=why, claimed=claimed)
    found = times(ours, theirs, prior_share)
    return Judgement(
        quantity=quantity,
        claim=claim,
        verdict=judge_order(claimed, found, margin),
        why=f"{less.contestant} {words(theirs)}, {more.contestant} {words(ours)}: {_times(found)} of it ({what}).",
        claimed=claimed,
        measured=found.value,
        low=found.low,
        high=found.high,
        provisional=found.assumed,
    )


def _times(found: Times) -> str:
    assumed = " assumed" if found.assumed else ""
    return f"{figures.number(found.value)}x ({figures.interval(found.low, found.high)}{assumed})"


def _memory(one: ContestantResult) -> tuple[Estimate | None, str]:
    for counter in MEMORY_COUNTERS:
        if counter in one.memory:
            return one.memory[counter], _COUNTER_WORDS[counter]
    return None, ""


def _why_speed(claimed: Ratio, pair: Pair, verdict: Verdict, margin: float) -> str:
    seen = f"{figures.number(pair.ratio)}x ({figures.interval(pair.low, pair.high)}{' assumed' if pair.provisional else ''})"
    number = f"{figures.number(claimed.value)}x"
    if pair.verdict == UNDECIDED:
        start = f"{pair.a} over {pair.b}: {seen}, undecided"
        return (
            f"{start}." if verdict == OPEN else f"{start}, but {number} lies outside by more than the margin."
        )
    if pair.verdict == NO_PRACTICAL_DIFFERENCE:
        either = " either" if verdict == HOLDS else ""
        return f"There is no practical difference{either} between {pair.a} and {pair.b}: {seen}."
    if pair.verdict != A_FASTER:
        other = pair.seen_from(pair.b)
        seen = f"{figures.number(other.ratio)}x ({figures.interval(other.low, other.high)}{' assumed' if pair.provisional else ''})"
        return f"{pair.b} is the faster one, {seen} as fast as {pair.a}."
    rest = (
        _fits(claimed, pair, number, margin)
        if verdict == HOLDS
        else f"the order is right, but {number} lies outside by more than the margin"
    )
    return f"{pair.a} is {seen} as fast as {pair.b}; {rest}."


def _fits(claimed: Ratio, pair: Pair, number: str, margin: float) -> str:
    """Return how a claim agrees with a measured interval: its value lies in it, or its ends reach it, or the margin does."""
    if pair.low <= claimed.value <= pair.high:
        return f"in which {number} fits"
    if claimed.low <= pair.high and pair.low <= claimed.high:
        return f"which the interval of {number} reaches"
    return f"within the {margin:.0%} margin of which {number} lies".replace("%", " %")


def _crossing(claimed: float, pair: Pair, here: StandIns) -> tuple[Verdict, str]:
    """Return what a run says of a break-even: the number belongs to its machine, whether there is one does not."""
    if pair.verdict == UNDECIDED:
        return OPEN, f"Whether {pair.a} or {pair.b} is faster is undecided."
    if pair.verdict != A_FASTER:
        return FAILS, f"{pair.a} is not faster than {pair.b} here, so it never gains on it."
    starts = {one.contestant: one.startup_cold for one in here.workload.contestants}
    slow, fast = starts[pair.a], starts[pair.b]
    if slow is None or fast is None:
        return UNTESTED, "A start-up was not measured."
    found = times(slow, fast, START_UP_PRIOR)
    after, seconds = pair.break_even_items["cold"], pair.break_even_seconds.get("cold")
    words = figures.break_even(after, seconds, here.workload.unit)
    start = f"{pair.a} {figures.seconds(slow)}, {pair.b} {figures.seconds(fast)} (cold start)"
    if found.low < 1 < found.high:
        return OPEN, f"Who starts sooner is not clear: {start}."
    verdict = HOLDS if bool(after) == bool(claimed) else FAILS
    return verdict, f"{pair.a} is ahead {'after ' if after else ''}{words}: {start}."
