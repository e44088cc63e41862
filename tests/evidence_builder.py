"""Made-up but plausible evidence for tests: one run, cited facts, needs, planted mistakes, counted code."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

from trivet.model.evidence import Evidence

TODAY = "2026-12-01"
FRAMEWORKS = ("torch", "tensorflow", "jax")
LABELS = ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit")

MLP = {
    "torch:eager": 18600.0,
    "torch:compile": 18300.0,
    "tensorflow:graph": 31200.0,
    "tensorflow:xla": 34300.0,
    "jax:jit": 37700.0,
}
RESNET = {
    "torch:eager": 117.0,
    "torch:compile": 116.0,
    "tensorflow:graph": 109.0,
    "tensorflow:xla": 86.1,
    "jax:jit": 61.4,
}
STARTS = {
    "torch:eager": 2.1,
    "torch:compile": 27.8,
    "tensorflow:graph": 3.7,
    "tensorflow:xla": 6.4,
    "jax:jit": 7.7,
}


def measured(
    speeds: Mapping[str, float],
    starts: Mapping[str, float] = STARTS,
    *,
    spread: float = 0.03,
    memory: Mapping[str, float] | None = None,
    verdicts: Mapping[tuple[str, str], str] | None = None,
    run: str = "20261130-120000-abcd",
) -> list[Evidence]:
    """Return the evidence of one run.

    Args:
        speeds: label -> items per second; the first one sets the scale of "training hours".
        starts: label -> cold start-up in seconds.
        spread: half width of every interval, log scale.
        memory: label -> bytes.
        verdicts: pairs whose verdict is not the one that the interval gives.
        run: id.
    """
    found = []
    for label, speed in speeds.items():
        found.append(number("performance.throughput", label, speed, spread, run, "items/s"))
        if label in starts:
            start = number("performance.startup_cold", label, starts[label], 0.0, run, "s")
            found.append(dataclasses.replace(start, low=None, high=None, n=1))
        if memory:
            found.append(number("performance.memory", label, memory[label], spread, run, "bytes"))
    for a, speed in speeds.items():
        for b, other in speeds.items():
            if _framework(a) != _framework(b):
                ratio = number("performance.ratio", a, speed / other, spread, run, "times", against=b)
                verdict = (verdicts or {}).get((a, b)) or verdict_of(ratio)
                found += [
                    ratio,
                    dataclasses.replace(
                        ratio, claim="performance.verdict", value=verdict, low=None, high=None
                    ),
                ]
    return found


def number(
    claim: str, label: str, value: float, spread: float, run: str, unit: str, *, against: str = ""
) -> Evidence:
    """Return a measured number with its interval."""
    return Evidence(
        claim=claim,
        framework=_framework(label),
        contestant=label,
        against=against,
        value=value,
        unit=unit,
        low=value * math.exp(-spread),
        high=value * math.exp(spread),
        n=3,
        source=run,
        dated="2026-11-30",
        strength="measured",
        text=f"{claim} of {label} is {value:g} {unit}.",
    )


def verdict_of(ratio: Evidence) -> str:
    """Return the verdict that the interval of a ratio gives by itself, with a margin of 5 %."""
    assert ratio.low is not None
    assert ratio.high is not None
    if ratio.low > 1.05:
        return "faster"
    if ratio.high < 1 / 1.05:
        return "slower"
    return "no practical difference" if ratio.low >= 1 / 1.05 and ratio.high <= 1.05 else "undecided"


def fact(claim: str, framework: str, value: str | bool | None, *, expires: str = "2027-12-01") -> Evidence:
    """Return a cited fact."""
    return Evidence(
        claim=claim,
        framework=framework,
        value=value,
        source="https://a.example/docs",
        dated="2026-06-01",
        strength="cited",
        expires=expires,
        text=f"{claim.rsplit('.', 1)[-1]} of {framework}: {value}.",
    )


def facts(claim: str, values: Mapping[str, str | None], *, expires: str = "2027-12-01") -> list[Evidence]:
    """Return a cited fact for each framework."""
    return [fact(claim, framework, value, expires=expires) for framework, value in values.items()]


def need(name: str, values: Mapping[str, str | None]) -> list[Evidence]:
    """Return what the index says of a library, framework -> value."""
    return [
        dataclasses.replace(fact(f"ecosystem.needs.{name}", framework, value), strength="asked")
        for framework, value in values.items()
    ]


def mistakes(profiles: Mapping[str, Sequence[str]]) -> list[Evidence]:
    """Return what became of planted mistakes m0, m1 ... by contestant."""
    return [
        dataclasses.replace(
            fact(f"ease.mistakes.m{row}", _framework(label), kind), contestant=label, strength="measured"
        )
        for label, kinds in profiles.items()
        for row, kind in enumerate(kinds)
    ]


def counted(claim: str, values: Mapping[str, float]) -> list[Evidence]:
    """Return a number that was counted, for each framework; it has no interval."""
    return [
        dataclasses.replace(
            number(claim, framework, value, 0.0, "resnet18", ""),
            contestant="",
            low=None,
            high=None,
            strength="counted",
        )
        for framework, value in values.items()
    ]


def targets() -> list[Evidence]:
    """Return who reaches which target; of C++ nothing is known for JAX."""
    native, other = "native", "by conversion"
    return [
        *facts("ecosystem.targets.server", {"torch": native, "tensorflow": native, "jax": other}),
        *facts("ecosystem.targets.phone", {"torch": native, "tensorflow": native, "jax": other}),
        *facts("ecosystem.targets.browser", {"torch": other, "tensorflow": native, "jax": other}),
        *facts("ecosystem.targets.cpp", {"torch": native, "tensorflow": native}),
        *facts("ecosystem.targets.edge", {"torch": native, "tensorflow": native, "jax": other}),
    ]


def abilities() -> list[Evidence]:
    """Return what each framework can do by design."""
    native, library, none = "native", "by library", "none"
    return [
        *facts("ecosystem.abilities.higher_order", {"torch": native, "tensorflow": native, "jax": native}),
        *facts("ecosystem.abilities.tpu", {"torch": library, "tensorflow": native, "jax": native}),
        *facts(
            "ecosystem.abilities.distributed_sharding", {"torch": native, "tensorflow": native, "jax": native}
        ),
        *facts(
            "ecosystem.abilities.serving_batching", {"torch": library, "tensorflow": native, "jax": library}
        ),
        *facts("ecosystem.abilities.windows_gpu", {"torch": native, "tensorflow": none, "jax": none}),
        *facts("ecosystem.abilities.keras_api", {"torch": library, "tensorflow": native, "jax": library}),
    ]


def everything(speeds: Mapping[str, float] = MLP) -> list[Evidence]:
    """Return evidence of all kinds."""
    return [
        *measured(speeds, memory=dict.fromkeys(speeds, 5e8)),
        *targets(),
        *abilities(),
        *need("transformers", {"torch": "needed", "tensorflow": "other", "jax": "other"}),
        *need("keras-hub", {"torch": "free", "tensorflow": "free", "jax": "free"}),
        *need("optax", {"torch": "other", "tensorflow": "other", "jax": "needed"}),
        *need("vanished", dict.fromkeys(FRAMEWORKS)),
        *counted("ease.code.lines", {"torch": 64.0, "tensorflow": 57.0, "jax": 110.0}),
        *[
            number("ease.first_step.warm", label, seconds, 0.03, "20261130-120000-abcd", "s")
            for label, seconds in (("torch:eager", 1.6), ("tensorflow:graph", 2.9), ("jax:jit", 1.9))
        ],
    ]


def _framework(label: str) -> str:
    return label.partition(":")[0]
