"""Every two contestants set against each other."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Mapping, Sequence

from trivet.model.measurement import Generation
from trivet.model.result import ContestantResult, Pair
from trivet.stats.breakeven import break_even, wall_seconds
from trivet.stats.samples import collect
from trivet.stats.stopping import more_generations
from trivet.stats.verdict import UNDECIDED, compare


def compare_all(
    contestants: Mapping[str, ContestantResult],
    ranked: Sequence[str],
    generations: Sequence[Generation],
    margin: float,
) -> tuple[Pair, ...]:
    """Return every pair of ranked contestants that share a clean generation.

    Args:
        contestants: label -> what is known of it.
        ranked: labels; those of disturbed contestants stay undecided.
        generations: of the workload.
        margin: what counts as no practical difference, as a share.
    """
    samples = collect(generations, ranked)
    minutes = statistics.fmean([one.seconds for one in generations[1:] or generations] or [0.0]) / 60
    found = []
    for a, b in itertools.combinations(ranked, 2):
        comparison = compare(samples, a, b, margin)
        if comparison is None:
            continue
        low, high = comparison.interval()
        disturbed = "disturbed" in (contestants[a].status, contestants[b].status)
        crossings = _break_even(contestants[a], contestants[b], comparison.ratio)
        more = more_generations(comparison.estimate, margin)
        found.append(
            Pair(
                a=a,
                b=b,
                ratio=comparison.ratio,
                low=low,
                high=high,
                generations=comparison.generations,
                verdict=UNDECIDED if disturbed else comparison.verdict,
                provisional=comparison.provisional,
                unguarded=not all(one.guarded for one in generations),
                more_minutes=None if disturbed or more is None else more * minutes,
                break_even_items={name: after for name, (after, _) in crossings.items()},
                break_even_seconds={name: seconds for name, (_, seconds) in crossings.items()},
            )
        )
    return tuple(found)


def _break_even(
    a: ContestantResult, b: ContestantResult, ratio: float
) -> dict[str, tuple[float | None, float | None]]:
    """Return "cold" and "warm" -> items and seconds after which the faster one is ahead."""
    assert a.throughput is not None
    assert b.throughput is not None
    # The ratio is from pairs and surer than the two speeds; their geometric mean sets the scale, whoever is named first.
    throughput_b = math.sqrt(a.throughput.value * b.throughput.value / ratio)
    starts = {"cold": (a.startup_cold, b.startup_cold), "warm": (a.startup_warm, b.startup_warm)}
    found = {}
    for name, (start_a, start_b) in starts.items():
        if start_a is None or start_b is None:
            continue
        after = break_even(
            start_a=start_a.value, start_b=start_b.value, throughput_b=throughput_b, ratio=ratio
        )
        start, speed = (start_a, throughput_b * ratio) if ratio > 1 else (start_b, throughput_b)
        found[name] = (after, wall_seconds(after, start=start.value, throughput=speed))
    return found
