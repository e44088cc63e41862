"""How each layer kind's tensors are named and laid out, a module per kind.

trivet's own (*canonical*) form follows the channels-last convention: dense kernels (in, out), convolution kernels
(height, width, in, out), and names ``<layer path>.<role>`` with the roles ``weight``, ``bias``, ``mean``,
``variance``. A layout is a framework's habit: what it calls a role, how it orders the axes, and how it joins a layer
path. A framework names its layout in its framework.toml.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trivet_worker.layouts import batch_norm, conv, dense, embedding, layer_norm
from trivet_worker.layouts.tensor import Tensor

if TYPE_CHECKING:
    import numpy as np  # at run time only by those who have arrays: the coordinator wants the names alone, and fast

KINDS = {
    "dense": dense,
    "conv": conv,
    "batch_norm": batch_norm,
    "layer_norm": layer_norm,
    "embedding": embedding,
}

LAYOUTS = {
    "canonical": "{path}.{role}",
    "torch": "{path}.{role}",
    "keras": "{path_}/{role}",
    "flax": "{path}.{role}",
}
"""Layout -> how a tensor's native name is made of its layer path (path_ has "_" for ".") and native role."""


def native_name(tensor: Tensor, layout: str) -> str:
    """Return what a framework of this layout calls the tensor."""
    role = KINDS[tensor.kind].ROLES[tensor.role].get(layout, tensor.role)
    return LAYOUTS[layout].format(path=tensor.layer, path_=tensor.layer.replace(".", "_"), role=role)


def native_layer(layer: str, layout: str) -> str:
    """Return what a framework of this layout calls the layer."""
    return layer.replace(".", "_") if layout == "keras" else layer


def to_native(array: np.ndarray, tensor: Tensor, layout: str) -> np.ndarray:
    """Reorder a canonical array's axes into the layout."""
    import numpy as np

    order = KINDS[tensor.kind].AXES.get(layout, {}).get(tensor.role)
    return array if order is None else np.ascontiguousarray(array.transpose(order))


def to_canonical(array: np.ndarray, tensor: Tensor, layout: str) -> np.ndarray:
    """Reorder a native array's axes into trivet's own order: the inverse of `to_native`."""
    import numpy as np

    order = KINDS[tensor.kind].AXES.get(layout, {}).get(tensor.role)
    return array if order is None else np.ascontiguousarray(array.transpose(np.argsort(order)))
