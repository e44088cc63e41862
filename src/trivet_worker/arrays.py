"""Between a framework's tensors and trivet's: names and axis order, whole sets at a time."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from trivet_worker import layouts
from trivet_worker.layouts.tensor import Tensor


@dataclasses.dataclass(frozen=True)
class Structure:
    """How a program's tensors differ from those of the workload; all empty if they don't.

    Attributes:
        missing: canonical names that the program lacks.
        unexpected: native names without a counterpart.
        shapes: (canonical name, expected shape, shape got), in canonical axis order where the rank is right.
        untied: (an unexpected native name, the canonical name of the embedding whose shape it has, axes in any order).
    """

    missing: tuple[str, ...]
    unexpected: tuple[str, ...]
    shapes: tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...]
    untied: tuple[tuple[str, str], ...] = ()


def native(values: Mapping[str, np.ndarray], tensors: Sequence[Tensor], layout: str) -> dict[str, np.ndarray]:
    """Return canonical arrays under native names, in native axis order.

    Args:
        values: canonical name -> array.
        tensors: the workload's.
        layout: the framework's.
    """
    return {
        layouts.native_name(tensor, layout): layouts.to_native(values[tensor.name], tensor, layout)
        for tensor in tensors
    }


def canonical(
    found: Mapping[str, np.ndarray], tensors: Sequence[Tensor], layout: str
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield native arrays with their canonical names, in canonical axis order and the order of `tensors`.

    Those that are not there, or of another shape than the workload's, are left out.
    """
    for tensor in tensors:
        array = found.get(layouts.native_name(tensor, layout))
        if array is None or array.ndim != len(tensor.shape):
            continue
        reordered = layouts.to_canonical(array, tensor, layout)
        if reordered.shape == tensor.shape:
            yield tensor.name, reordered


def structure(tensors: Sequence[Tensor], found: Mapping[str, np.ndarray], layout: str) -> Structure:
    """Compare a program's tensors (by native name) with those of the workload."""
    missing, shapes = [], []
    paired = set()
    for tensor in tensors:
        name = layouts.native_name(tensor, layout)
        paired.add(name)
        if name not in found:
            missing.append(tensor.name)
            continue
        array = found[name]
        got = (
            layouts.to_canonical(array, tensor, layout).shape
            if array.ndim == len(tensor.shape)
            else array.shape
        )
        if got != tensor.shape:
            shapes.append((tensor.name, tensor.shape, got))
    unexpected = [name for name in found if name not in paired]
    embeddings = [tensor for tensor in tensors if tensor.kind == "embedding"]
    untied = [
        (name, tensor.name)
        for name in unexpected
        for tensor in embeddings
        if sorted(found[name].shape) == sorted(tensor.shape)
    ]
    return Structure(tuple(missing), tuple(unexpected), tuple(shapes), tuple(untied))
