"""Traces without frameworks: a small convolutional program's numbers, made up but consistent."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from trivet.model.contestant import parse_contestant
from trivet.parity.trace import Replay, Structure, Tap, Trace

BATCH = 4
COUNT = BATCH * 4 * 4
"""Values per channel of bn1."""
BN_MOMENTUM = 0.9
LAYOUTS = {"torch": "torch", "tensorflow": "keras", "jax": "flax"}
CONVENTIONS = {
    "torch": {"running_variance": "unbiased", "momentum": "rate_outside"},
    "tensorflow": {"running_variance": "biased", "momentum": "rate_inside"},
    "jax": {"running_variance": "biased", "momentum": "rate_outside"},
}
FORMS = ("rate_outside", "rate_inside", "nesterov", "no_momentum")

Change = Callable[[dict[str, np.ndarray]], None]


def numbers() -> dict[str, np.ndarray]:
    """Return what an equal program computes, the running variance biased and the momentum form rate_outside."""
    generator = np.random.default_rng(7)

    def normal(*shape: int) -> np.ndarray:
        return generator.standard_normal(shape)

    shapes = {
        "conv1.weight": (3, 3, 3, 8),
        "bn1.weight": (8,),
        "bn1.bias": (8,),
        "fc.weight": (8, 8),
        "fc.bias": (8,),
    }
    arrays = {
        "eval_output": normal(BATCH, 8),
        "tap/000": normal(BATCH, 4, 4, 8),
        "tap/001": normal(BATCH, 4, 4, 8),
        "tap/002": normal(BATCH, 2, 2, 8),
        "tap/003": normal(BATCH, 8),
    }
    arrays["train_output"] = arrays["tap/003"].copy()
    arrays["statistic/0/bn1.mean"] = normal(8)
    arrays["statistic/0/bn1.variance"] = 1 + normal(8) ** 2
    arrays |= {f"gradient/{name}": normal(*shape) for name, shape in shapes.items()}
    for step in (1, 5, 10):
        arrays[f"statistic/{step}/bn1.mean"] = normal(8)
        kept = BN_MOMENTUM**step
        arrays[f"statistic/{step}/bn1.variance"] = kept * arrays["statistic/0/bn1.variance"] + (1 - kept) * (
            1 + normal(8) ** 2
        )
    for step in (5, 10):
        arrays |= {f"update/{step}/{name}": normal(*shape) for name, shape in shapes.items()}
    return arrays


def unbias(arrays: dict[str, np.ndarray]) -> None:
    """Turn the biased running variance into the unbiased one."""
    start = arrays["statistic/0/bn1.variance"]
    for step in (1, 5, 10):
        kept = BN_MOMENTUM**step * start
        biased = arrays[f"statistic/{step}/bn1.variance"] - kept
        arrays[f"statistic/{step}/bn1.variance"] = kept + biased * COUNT / (COUNT - 1)


def hold_rate(arrays: dict[str, np.ndarray]) -> None:
    """Part from the others after the change of the learning rate, as a velocity that holds the rate does."""
    for key in arrays:
        if key.startswith(("update/10/", "statistic/10/")):
            arrays[key] = arrays[key] * 1.25


def attributes() -> dict[str, dict[str, Any]]:
    """Return the attributes by tap."""
    return {
        "tap/000": {"strides": [1, 1], "padding": [[1, 1], [1, 1]], "bias": False},
        "tap/001": {"epsilon": 1e-5, "momentum": BN_MOMENTUM},
        "tap/002": {"window": [2, 2], "strides": [2, 2], "padding": [[0, 0], [0, 0]]},
        "tap/003": {"bias": True},
    }


def fits(form: str) -> dict[str, Replay]:
    """Return replays of which one form fits; the two momentum forms agree before the change."""
    alike = ("rate_outside", "rate_inside")
    return {
        name: Replay(
            before=1e-15 if name == form or (name in alike and form in alike) else 0.5,
            after=1e-15 if name == form else 0.5,
            where="fc.weight",
        )
        for name in FORMS
    }


class Maker:
    """Makes traces in a folder.

    Args:
        folder: an empty one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def trace(
        self,
        label: str,
        change: Change | None = None,
        *,
        noise: float = 1e-14,
        conventions: Mapping[str, str] | None = None,
        tap_attributes: Mapping[str, Mapping[str, Any]] | None = None,
        structure: Structure | None = None,
        losses: tuple[float, ...] = (2.0, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1),
        momentum: str | None = None,
        step_agrees: float = 1e-15,
    ) -> Trace:
        """Return a trace that equals every other one but for rounding noise, conventions, and what is changed."""
        contestant = parse_contestant(label)
        framework = contestant.framework
        arrays = numbers()
        if framework == "torch":
            unbias(arrays)
        if framework == "tensorflow":
            hold_rate(arrays)
            losses = (*losses[:6], *(loss * 0.9 for loss in losses[6:]))
        if change is not None:
            change(arrays)
        generator = np.random.default_rng(zlib.crc32(label.encode()))
        place = self._folder / contestant.slug
        files = {}
        for key, array in arrays.items():
            path = place / f"{key}.npy"
            path.parent.mkdir(parents=True, exist_ok=True)
            np.save(path, array * (1 + noise * generator.standard_normal(array.shape)))
            files[key] = f"{key}.npy"
        declared = CONVENTIONS[framework] if conventions is None else conventions
        values = attributes()
        for key, replaced in (tap_attributes or {}).items():
            values[key] = {**values[key], **replaced}
        kinds = {"tap/000": "conv", "tap/001": "batch_norm", "tap/002": "max_pool", "tap/003": "dense"}
        layers = {"tap/000": "conv1", "tap/001": "bn1", "tap/002": "max_pool", "tap/003": "fc"}
        return Trace(
            contestant=contestant,
            layout=LAYOUTS[framework],
            conventions=declared,
            batch=BATCH,
            folder=place,
            arrays=files,
            structure=structure or Structure(),
            losses=losses,
            taps=tuple(
                Tap(layer=layers[key], kind=kinds[key], key=key, attributes=values[key]) for key in kinds
            ),
            optimizer={"kind": "sgd"},
            replays=fits(momentum or CONVENTIONS[framework]["momentum"]),
            still=(),
            label_smoothing=None,
            repeats=0.0,
            initial={},
            step_agrees=step_agrees,
            counts={"bn1": COUNT},
            not_finite=tuple(key for key, array in arrays.items() if not np.isfinite(array).all()),
        )

    def all(self, **changed: Trace) -> list[Trace]:
        """Return the five default contestants, some replaced: ``torch_eager=...``."""
        labels = ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit")
        return [changed.get(label.replace(":", "_")) or self.trace(label) for label in labels]


def without(trace: Trace, key: str) -> Trace:
    """Return the trace without one of its arrays."""
    return dataclasses.replace(
        trace, arrays={name: file for name, file in trace.arrays.items() if name != key}
    )
