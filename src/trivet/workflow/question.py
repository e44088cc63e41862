"""From what a user says, on the command line or in Python, to a question that is fully resolved."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from trivet import catalog
from trivet.environments.accelerator import resolve_device
from trivet.environments.own import named
from trivet.errors import UsageError
from trivet.measure.cpus import choose
from trivet.model.contestant import Contestant, parse_contestant
from trivet.model.question import DEVICES, PRECISIONS, Question

DEFAULT_CONTESTANTS = ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit")

_MOST = 2**31 - 1
"""The largest seed, batch and count of CPUs that every framework can be told."""


def ask(
    workloads: Sequence[str] = (),
    *,
    contestants: Sequence[str] = (),
    precision: str = "float32",
    batch: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    budget: float = 5.0,
    quick: bool = False,
    margin: float = 5.0,
    pythons: Sequence[str] = (),
    seed: int = 0,
    largest_batch: bool = False,
) -> Question:
    """Return the question that is meant.

    Args:
        workloads: names; () for the default ones.
        contestants: as ``framework:variant[@version]``; () for the default five. One named twice gets a copy number.
        precision: one of `PRECISIONS`.
        batch: examples per step, None for each workload's own.
        threads: CPUs to run on, None for one per physical core.
        device: one of `DEVICES`.
        budget: measuring minutes over all workloads.
        quick: one generation only.
        margin: percent that make no practical difference.
        pythons: the user's own interpreters, each as ``FRAMEWORK=PATH``.
        seed: for initial values and batches.
        largest_batch: also search for the largest batch that fits into memory.

    Raises:
        UsageError: a name is unknown, or a value out of range.
        DeviceError: the device is not there.
    """
    for option, texts in {"workloads": workloads, "--contestants": contestants, "--python": pythons}.items():
        _texts(option, texts)
    _yes_or_no("--quick", quick)
    _yes_or_no("--largest-batch", largest_batch)
    _one_of("--precision", precision, PRECISIONS)
    _one_of("--device", device, DEVICES)
    _whole("--batch", batch, least=1)
    _whole("--threads", threads, least=1)
    _whole("--seed", seed, least=0, needed=True)
    _between("--budget", budget, "minutes", above=0, below=60 * 24)
    _between("--margin", margin, "%", above=0, below=100)
    names = tuple(dict.fromkeys(workloads or catalog.DEFAULT_WORKLOADS))
    for name in names:
        catalog.workload(name)
    return Question(
        workloads=names,
        contestants=_contestants(contestants or DEFAULT_CONTESTANTS),
        precision=precision,
        batch=batch,
        device=resolve_device(device),
        cpus=choose(threads),
        budget_minutes=budget,
        margin=margin / 100,
        quick=quick,
        pythons=named(pythons),
        seed=seed,
        largest_batch=largest_batch,
    )


def _one_of(option: str, value: object, known: Sequence[str]) -> None:
    if not isinstance(value, str):
        message = f"{option} is {value!r}; it must be a text."
        raise UsageError(message, f"Known: {', '.join(known)}.")
    if value not in known:
        message = f"{option} is {value!r}.{catalog.nearest(value, known)}"
        raise UsageError(message, f"Known: {', '.join(known)}.")


def _texts(option: str, values: object) -> None:
    if isinstance(values, str) or not isinstance(values, Sequence):
        message = f"{option} is {values!r}; it must be a list of texts."
        raise UsageError(message)
    for value in values:
        if not isinstance(value, str):
            message = f"{option} holds {value!r}; it must be a text."
            raise UsageError(message)


def _yes_or_no(option: str, value: object) -> None:
    if not isinstance(value, bool):
        message = f"{option} is {value!r}; it must be True or False."
        raise UsageError(message)


def _whole(option: str, value: object, *, least: int, needed: bool = False) -> None:
    if value is None and not needed:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{option} is {value!r}; it must be a whole number."
        raise UsageError(message)
    if value < least:
        message = f"{option} is {value}; it must be {least} or more."
        raise UsageError(message)
    if value > _MOST:
        message = f"{option} is {value}; it must be {_MOST} or less."
        raise UsageError(message)


def _between(option: str, value: object, unit: str, *, above: float, below: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        message = f"{option} is {value!r}; it must be a number ({unit})."
        raise UsageError(message)
    if not above < value < below:
        message = f"{option} is {value:g} {unit}; it must lie between {above:g} and {below:g}."
        raise UsageError(message)


def _contestants(texts: Sequence[str]) -> tuple[Contestant, ...]:
    """Return the contestants; one named twice gets a copy number."""
    known = [f"{info.name}:{variant}" for info in catalog.frameworks().values() for variant in info.variants]
    found: list[Contestant] = []
    for text in texts:
        try:
            contestant = parse_contestant(text)
        except ValueError as error:
            message = f"{error}.{catalog.nearest(text.strip(), known)}"
            raise UsageError(message, f"Known: {', '.join(known)}; each may carry @version.") from error
        name = f"{contestant.framework}:{contestant.variant}"
        if name not in known:
            message = f"There is no contestant {name!r}.{catalog.nearest(name, known)}"
            raise UsageError(message, f"Known: {', '.join(known)}.")
        while contestant in found:
            contestant = dataclasses.replace(contestant, copy=contestant.copy + 1)
        found.append(contestant)
    return tuple(found)
