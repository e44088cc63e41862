"""Gradient clipping by norm, at c: by how much each gradient is scaled before the optimizer sees it.

=====================  ==============================  =======================================================
form                   factor                          who does it
=====================  ==============================  =======================================================
``exact``              min(1, c / ‖all g‖)             optax.clip_by_global_norm, Keras's global_clipnorm
``guarded``            min(1, c / (‖all g‖ + 1e-6))    torch.nn.utils.clip_grad_norm_
``by_tensor``          min(1, c / ‖g‖)                 Keras's clipnorm: another rule, often mistaken for it
``by_tensor_guarded``  min(1, c / (‖g‖ + 1e-6))        torch.nn.utils.clip_grad_norm_, parameter by parameter
``unclipped``          1                               clipping forgotten
=====================  ==============================  =======================================================

The first two are rules that a framework may have; they are 1e-6 apart. The others only help to say what went wrong.

References:
    Pascanu, Mikolov, Bengio (2013), On the difficulty of training recurrent neural networks.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trivet_worker.distance import norm, whole

RULES = ("exact", "guarded")
HINTS = ("by_tensor", "by_tensor_guarded", "unclipped")
GUARD = 1e-6


def clipped(form: str, gradients: Mapping[str, np.ndarray], limit: float) -> dict[str, np.ndarray]:
    """Return the gradients as a form of the rule clips them.

    Args:
        form: one of `RULES` and `HINTS`.
        gradients: name -> gradient.
        limit: the norm at which clipping begins.
    """
    if form == "unclipped":
        return dict(gradients)
    sizes = {name: norm(gradient) for name, gradient in gradients.items()}
    if not form.startswith("by_tensor"):
        sizes = dict.fromkeys(sizes, whole(sizes.values()))
    guard = GUARD if form.endswith("guarded") else 0.0
    return {name: gradient * _factor(limit, sizes[name] + guard) for name, gradient in gradients.items()}


def _factor(limit: float, size: float) -> float:
    return 1.0 if size <= limit else limit / size
