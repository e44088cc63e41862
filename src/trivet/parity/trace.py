"""What one contestant computed at the gate: small things in memory, tensors in files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from trivet.model.catalog import FrameworkInfo
from trivet.model.contestant import Contestant


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tap:
    """One layer's output in training mode.

    Attributes:
        layer: the layer's canonical path; for a function such as pooling its kind.
        kind: "conv", "dense", "batch_norm", "max_pool" and others.
        key: of the output among the trace's arrays.
        attributes: as described at `trivet_worker.contract.Tap`.
    """

    layer: str
    kind: str
    key: str
    attributes: Mapping[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Replay:
    """How well one form of a rule explains a contestant's own steps.

    Attributes:
        before: largest relative difference of a parameter's single update up to the change of the learning rate.
        after: the same from there on.
        where: the tensor with the largest one.
        fitted: the number that a form with a free one takes, such as a weight decay; None for the others.
    """

    before: float
    after: float
    where: str
    fitted: float | None = None

    @property
    def worst(self) -> float:
        """Return the larger of the two differences."""
        return max(self.before, self.after)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Structure:
    """The parameters and statistics that the model has, against those that the workload says.

    Attributes:
        missing: canonical names that it has not.
        unexpected: native names that it has beyond them.
        untied: (one of those, the embedding whose shape it has).
        shapes: (canonical name, expected shape, shape that it has), where they differ.
    """

    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    untied: tuple[tuple[str, str], ...] = ()
    shapes: tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...] = ()

    @property
    def sound(self) -> bool:
        """Say whether the model has exactly the tensors of the workload."""
        return not (self.missing or self.unexpected or self.shapes)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Trace:
    """One contestant's computation, from the shared parameters on the shared batches.

    Attributes:
        contestant: whose.
        layout: a key of `trivet_worker.layouts.LAYOUTS`.
        conventions: what the framework declares, see `trivet.parity.conventions`.
        batch: examples per step.
        folder: where its arrays lie.
        arrays: key -> file in the folder, float64 in canonical names and axis order: ``eval_output``,
            ``train_output``, ``gradient/<tensor>``, ``statistic/<step>/<tensor>``, ``update/<step>/<tensor>``,
            ``tap/<number>``. Tensors in execution order. Step 0 of a statistic is its value before the first step.
        structure: its tensors against the workload's.
        losses: of each step; NaN where it is not finite.
        taps: layer outputs in execution order.
        optimizer: kind and constants that it was asked to train with.
        replays: form of its rules -> how well that explains the steps (the forms: `trivet_worker.rules.Replay.fits`).
        still: parameters that have a gradient and that no step has moved.
        label_smoothing: the one that explains its losses, None if none does.
        repeats: relative difference between two evaluations of the same batch.
        initial: tensor -> root mean square of its values as the program itself initialises them, and how many they are.
        step_agrees: relative difference between the parameters that the timed step and the traced step leave.
        counts: batch normalisation layer -> values per channel that a statistic is taken over.
        compiles: False if its variant runs operations one by one, as they are written.
        not_finite: keys of the arrays that hold a NaN or an infinity.
    """

    contestant: Contestant
    layout: str
    conventions: Mapping[str, str]
    batch: int
    folder: Path
    arrays: Mapping[str, str]
    structure: Structure
    losses: tuple[float, ...]
    taps: tuple[Tap, ...]
    optimizer: Mapping[str, Any]
    replays: Mapping[str, Replay]
    still: tuple[str, ...]
    label_smoothing: float | None
    repeats: float
    initial: Mapping[str, tuple[float, int]]
    step_agrees: float
    counts: Mapping[str, int]
    compiles: bool = True
    not_finite: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Return the contestant's label."""
        return self.contestant.label

    def array(self, key: str) -> np.ndarray:
        """Return a tensor, mapped from its file: it takes memory only while it is used."""
        loaded: np.ndarray = np.load(self.folder / self.arrays[key], mmap_mode="r", allow_pickle=False)
        return loaded

    def layers(self) -> list[str]:
        """Return the canonical paths of the layers that have parameters, in execution order."""
        names = [key.removeprefix("gradient/") for key in self.arrays if key.startswith("gradient/")]
        return list(dict.fromkeys(name.rpartition(".")[0] for name in names))

    def tap(self, layer: str) -> Tap | None:
        """Return the tap of a layer with parameters, None if the framework's adapter made none."""
        return next((tap for tap in self.taps if tap.layer == layer), None)


def read_trace(
    result: Mapping[str, Any],
    folder: Path,
    contestant: Contestant,
    info: FrameworkInfo,
    job: Mapping[str, Any],
) -> Trace:
    """Return the trace that a worker's answer describes.

    Args:
        result: the answer to the verb ``trace``.
        folder: where the worker put the arrays.
        contestant: whose trace it is.
        info: its framework.
        job: what it was asked to do.
    """
    structure = result["structure"]
    return Trace(
        contestant=contestant,
        layout=info.layout,
        conventions=info.conventions,
        batch=job["batch"],
        folder=folder,
        arrays=result["arrays"],
        structure=Structure(
            missing=tuple(structure["missing"]),
            unexpected=tuple(structure["unexpected"]),
            untied=tuple((name, embedding) for name, embedding in structure["untied"]),
            shapes=tuple((name, tuple(expected), tuple(got)) for name, expected, got in structure["shapes"]),
        ),
        losses=tuple(math.nan if loss is None else float(loss) for loss in result["losses"]),
        taps=tuple(
            Tap(**{name: tap[name] for name in ("layer", "kind", "key", "attributes")})
            for tap in result["taps"]
        ),
        optimizer=job["optimizer"],
        replays={
            form: Replay(
                before=fit["before"], after=fit["after"], where=fit["where"], fitted=fit.get("fitted")
            )
            for form, fit in result["rules"].items()
        },
        still=tuple(result["still"]),
        label_smoothing=result["label_smoothing"],
        repeats=result["repeats"],
        initial={
            name: (math.nan if scale is None else float(scale), elements)
            for name, (scale, elements) in result["initial"].items()
        },
        step_agrees=result["step_agrees"],
        counts=result["counts"],
        compiles=info.settings.get(contestant.variant, {}).get("compilation") != "none",
        not_finite=tuple(result["not_finite"]),
    )
