"""Names of NNX layers and tensors: their attribute path, joined by dots, such as "layer1.0.conv1.kernel".

The list in which an `nnx.Sequential` keeps its layers (its attribute ``layers``) is no part of a name: what NNX calls
``layer1.layers.0`` is "layer1.0".
"""

from __future__ import annotations

from typing import Any

from flax import nnx

Path = tuple[Any, ...]
"""Attribute names and list indices that lead from the model to a layer or tensor."""


def names_by_path(model: nnx.Module) -> dict[Path, str]:
    """Return the name of every node of the model, layers and tensors among them, by its path."""
    nodes = dict(nnx.iter_graph(model))
    sequentials = {path for path, node in nodes.items() if isinstance(node, nnx.Sequential)}
    return {
        path: ".".join(str(key) for depth, key in enumerate(path) if path[:depth] not in sequentials)
        for path in nodes
    }
