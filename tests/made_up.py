"""Made-up measurements with known truths, for tests that need a run but no framework."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from trivet.model.measurement import Failure, Generation, Slice, StartUp

PHASES = ("import", "build", "compile", "first_step")


def made_up_generation(
    speeds: Mapping[str, float],
    *,
    workload: str = "mlp",
    number: int = 0,
    rounds: int = 3,
    process_sd: float = 0.02,
    noise_sd: float = 0.01,
    seed: int = 0,
    start_seconds: Mapping[str, float] | None = None,
    disturbed: Sequence[str] = (),
    failures: Mapping[str, Failure] | None = None,
    guarded: bool = True,
    losses: Mapping[str, list[float]] | None = None,
) -> Generation:
    """Return a generation whose contestants step at given speeds, give or take processes and noise.

    Args:
        speeds: label -> steps per second, the truth.
        workload: name.
        number: of the generation; 0 is cold and starts three times slower.
        rounds: clean ones.
        process_sd: of each contestant's process effect, log scale.
        noise_sd: of a slice, log scale.
        seed: every generation of a run draws from (seed, number).
        start_seconds: label -> warm start-up; a second and a bit if not given.
        disturbed: labels all of whose slices but one are rejected.
        failures: label -> why it has no result in this generation; it has no slices then.
        guarded: False if the noise counters cannot be read.
        losses: label -> losses; all alike and falling if not given.
    """
    draw = np.random.default_rng([seed, number])
    failures = dict(failures or {})
    running = [label for label in speeds if label not in failures]
    slices: list[Slice] = []
    process = {label: draw.normal(0, process_sd) for label in speeds}
    clock = 10.0 + 100.0 * number
    for turn in range(rounds):
        for place in range(len(running)):
            label = running[(place + turn) % len(running)]
            rejected = label in disturbed and turn > 0
            steps = max(3, round(speeds[label]))
            slow = math.exp(process[label] + draw.normal(0, noise_sd)) * (3.0 if rejected else 1.0)
            seconds = steps / speeds[label] * slow
            slices.append(
                Slice(
                    contestant=label,
                    round=turn,
                    steps=steps,
                    seconds=seconds,
                    started=clock,
                    foreign_share=(0.31 if rejected else 0.004) if guarded else None,
                    steal_share=0.0 if guarded else None,
                    clean=not rejected,
                )
            )
            clock += seconds
    starts = {
        label: (start_seconds or {}).get(label, 1.0 + 0.5 * place) for place, label in enumerate(speeds)
    }
    return Generation(
        workload=workload,
        number=number,
        startups={label: _start_up(starts[label], number == 0, draw) for label in running},
        slices=tuple(slices),
        memory={label: _memory(place, draw) for place, label in enumerate(running)},
        children={label: [] for label in running},
        losses={label: list((losses or {}).get(label, [2.31, 2.25, 2.19, 0.84])) for label in running},
        failures=failures,
        guarded=guarded,
        cold_caches=number == 0,
        gpu={},
        seconds=30.0,
    )


def _start_up(seconds: float, cold: bool, draw: np.random.Generator) -> StartUp:
    total = seconds * (3.0 if cold else 1.0) * math.exp(draw.normal(0, 0.02))
    shares = (
        {"import": 0.1, "build": 0.1, "compile": 0.7, "first_step": 0.1}
        if cold
        else dict.fromkeys(PHASES, 0.25)
    )
    return StartUp(
        total_seconds=total,
        phases={phase: share * total for phase, share in shares.items()},
        harness_seconds=0.05,
        cold=cold,
        first_loss=2.31,
    )


def _memory(place: int, draw: np.random.Generator) -> dict[str, int]:
    peak = round((600 + 150 * place) * 2**20 * math.exp(draw.normal(0, 0.01)))
    return {"host_peak_bytes": peak, "host_above_import_bytes": peak - 250 * 2**20}
