"""Floating-point operations of a training step, counted from layer shapes: one count for every contestant.

Counted are the products of dense layers and convolutions, a multiply-add as two operations. Forward each layer takes
``2 * weights * positions`` per item, the positions being those of its output (1 for a dense layer); padded positions
count in full. Backward it takes as much again for the gradient of its weights, and once more for that of its inputs,
which the first layer does not need. All else (normalisation, activations, loss, optimizer) is left out: it is small,
and frameworks may do it in different ways.

References:
    Chowdhery et al. (2022), PaLM, appendix B: model FLOPs utilisation counts what the model asks for, whatever an
    implementation computes besides.
"""

from __future__ import annotations

from collections.abc import Sequence


def of_training(multiply_adds: Sequence[float]) -> float:
    """Return the operations of forward and backward pass for one item.

    Args:
        multiply_adds: of each layer's forward pass for one item; the first layer reads the model's inputs.

    Example:
        >>> of_training([100, 10])
        460
    """
    first, *others = multiply_adds
    return 2 * (2 * first + 3 * sum(others))
