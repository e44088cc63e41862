"""The order of slices: interleaved rounds in rotated order, repeated when disturbed, with a cap.

A round counts only as a whole, since its slices are compared in pairs. Nothing here knows of processes.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Sequence

from trivet.model.measurement import Slice

ROUNDS = 3
"""Clean rounds in a generation: more generations buy more than more rounds do."""

EXTRA_ROUNDS = 2
"""Further rounds in a generation in which any contestant's slices spread by more than `SPREAD_LIMIT`."""

SPREAD_LIMIT = 0.15
"""(slowest - fastest) / median of a contestant's clean slices. It looks at one contestant's own spread, never at a
ratio, so that the choice biases none."""

Take = Callable[[str, int], Slice | None]
"""Takes a contestant's label and the round's number; returns the slice, or None if the contestant dropped out."""


def most_attempts(rounds: int) -> int:
    """Return how many rounds may be begun for so many clean ones."""
    return 3 * rounds + 3


def take_rounds(
    labels: Sequence[str], take: Take, *, wait_for_quiet: Callable[[], object], in_time: Callable[[], bool]
) -> list[Slice]:
    """Return the slices in the order taken. Those of rounds that do not count are not clean.

    A round ends at its first slice that is not clean, and is begun again after a wait for quiet. A contestant that
    drops out spoils the round in which it does; the round is begun again without it, at no charge.

    Args:
        labels: the contestants.
        take: takes a slice.
        wait_for_quiet: waits for a while until the machine is quiet.
        in_time: says whether there is time for another round.
    """
    present = list(labels)
    slices: list[Slice] = []
    goal, done, attempts = ROUNDS, 0, 0
    while present and done < goal and attempts < most_attempts(goal) and in_time():
        attempts += 1
        taken: list[Slice] = []
        lost = None
        for label in rotated(present, done):
            latest = take(label, done)
            if latest is None:
                lost = label
                break
            taken.append(latest)
            if not latest.clean:
                break
        if lost is not None:
            present.remove(lost)
            attempts -= 1
        elif all(latest.clean for latest in taken):
            slices += taken
            done += 1
            if done == ROUNDS and any(spread(slices, label) > SPREAD_LIMIT for label in present):
                goal = ROUNDS + EXTRA_ROUNDS
            continue
        slices += [dataclasses.replace(latest, clean=False) for latest in taken]
        if lost is None:
            wait_for_quiet()
    return slices


def rotated(labels: Sequence[str], number: int) -> list[str]:
    """Return the labels in the order of a round: each round begins one contestant later.

    Example:
        >>> rotated(["a", "b", "c"], 1)
        ['b', 'c', 'a']
    """
    first = number % len(labels) if labels else 0
    return [*labels[first:], *labels[:first]]


def spread(slices: Sequence[Slice], label: str) -> float:
    """Return (slowest - fastest) / median of a contestant's clean slices, by seconds per step."""
    times = [taken.seconds / taken.steps for taken in slices if taken.contestant == label and taken.clean]
    return (max(times) - min(times)) / statistics.median(times) if times else 0.0
