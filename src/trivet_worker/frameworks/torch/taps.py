"""Records what each layer of a PyTorch model puts out, for the parity gate's search for the first difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from trivet_worker import attention
from trivet_worker.contract import Tap

_KINDS: dict[str, tuple[type[nn.Module], ...]] = {
    "conv": (nn.Conv2d,),
    "dense": (nn.Linear,),
    "batch_norm": (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.SyncBatchNorm),
    "layer_norm": (nn.LayerNorm,),
    "embedding": (nn.Embedding,),
    "max_pool": (nn.MaxPool2d, nn.AdaptiveMaxPool2d),
    "average_pool": (nn.AvgPool2d, nn.AdaptiveAvgPool2d),
    "activation": (nn.ReLU, nn.ReLU6, nn.LeakyReLU, nn.ELU, nn.GELU, nn.SiLU, nn.Tanh, nn.Sigmoid),
    "dropout": (nn.Dropout, nn.Dropout1d, nn.Dropout2d),
}

Sides = list[list[int]]
"""Padding as [[top, bottom], [left, right]]."""

_NO_SIDES: Sides = [[0, 0], [0, 0]]


def record(model: nn.Module, inputs: torch.Tensor) -> list[Tap]:
    """Run the model as it is and return the outputs of its leaf modules in execution order.

    Of functions called outside leaf modules, those that have attributes are seen too: attention, softmax, GELU. Others
    (``F.relu``) are not. Statistics are updated as by any forward pass, and hooks are left behind: hand in a copy.
    """
    recorder = _Recorder()
    for layer, module in model.named_modules():
        if not any(module.children()):
            module.register_forward_pre_hook(recorder.enter)
            module.register_forward_hook(recorder.hook(layer))
    with torch.no_grad(), recorder:
        model(inputs)
    return recorder.taps


class _Recorder(TorchFunctionMode):
    """Takes note of leaf modules through hooks, and of functions outside them as a mode of PyTorch."""

    def __init__(self) -> None:
        super().__init__()
        self.taps: list[Tap] = []
        self._padded = _NO_SIDES
        self._inside = False

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        output = func(*args, **(kwargs or {}))
        record_function = _FUNCTIONS.get(getattr(func, "__name__", ""))
        if record_function is not None and not self._inside:
            self.taps.append(record_function(output, *args, **(kwargs or {})))
        return output

    def enter(self, *_: Any) -> None:
        """Take note that a leaf module runs: a hook."""
        self._inside = True

    def hook(self, layer: str) -> Callable[[nn.Module, tuple[Any, ...], Any], None]:
        def note(module: nn.Module, inputs: tuple[Any, ...], output: Any) -> None:
            self._inside = False
            if isinstance(output, torch.Tensor):
                attributes = _attributes(module, inputs[0], self._padded)
                self.taps.append(Tap(layer, _kind(module), _channels_last(output), attributes))
            self._padded = _added_sides(module)

        return note


def _kind(module: nn.Module) -> str:
    for kind, classes in _KINDS.items():
        if isinstance(module, classes):
            return kind
    return "other"


def _channels_last(output: torch.Tensor) -> np.ndarray:
    # a copy at once: an in-place activation overwrites the output of the layer before it
    array = output.detach().to("cpu", torch.float64, copy=True).numpy()
    return np.ascontiguousarray(array.transpose(0, 2, 3, 1)) if array.ndim == 4 else array


def _attributes(module: nn.Module, inputs: torch.Tensor, padded: Sides) -> dict[str, Any]:
    if isinstance(module, nn.Conv2d):
        sides = _add(_conv_sides(module), padded)
        return {"strides": list(module.stride), "padding": sides, "bias": module.bias is not None}
    if isinstance(module, nn.Linear):
        return {"bias": module.bias is not None}
    if isinstance(module, _KINDS["batch_norm"]):
        return {"epsilon": module.eps, "momentum": _weight_of_old_value(module.momentum)}
    if isinstance(module, nn.MaxPool2d | nn.AvgPool2d):
        height, width = _pair(module.padding)
        sides = _add([[height, height], [width, width]], padded)
        found = {"window": _pair(module.kernel_size), "strides": _pair(module.stride), "padding": sides}
        if isinstance(module, nn.AvgPool2d):
            counted = module.count_include_pad and any(_pair(module.padding))
            found["border_counts"] = counted or bool(np.any(padded))
        return found
    if isinstance(module, nn.AdaptiveMaxPool2d | nn.AdaptiveAvgPool2d):
        is_global = module.output_size in (1, (1, 1))
        return {"window": list(inputs.shape[-2:])} if is_global else {}
    if isinstance(module, nn.GELU):
        return {"approximate": module.approximate == "tanh"}
    if isinstance(module, _KINDS["dropout"]):
        return {"rate": float(module.p)}
    if isinstance(module, nn.LayerNorm | nn.GroupNorm):
        return {"epsilon": module.eps}
    return {}


def _weight_of_old_value(momentum: float | None) -> float | None:
    """Turn torch's weight of the new batch into that of the running value; None is torch's cumulative average."""
    return None if momentum is None else round(1.0 - momentum, 12)


def _conv_sides(module: nn.Conv2d) -> Sides:
    if module.padding == "valid":
        return _NO_SIDES
    if module.padding == "same":
        # torch allows it at stride 1 only, and puts the odd one at the bottom and right
        totals = [d * (k - 1) for d, k in zip(module.dilation, module.kernel_size, strict=True)]
        return [[total // 2, total - total // 2] for total in totals]
    return [[side, side] for side in module.padding]


def _added_sides(module: nn.Module) -> Sides:
    """Return what an explicit padding layer adds to the input of the layer after it."""
    if isinstance(module, nn.ZeroPad2d | nn.ConstantPad2d):
        left, right, top, bottom = module.padding
        return [[top, bottom], [left, right]]
    return _NO_SIDES


def _add(sides: Sides, more: Sides) -> Sides:
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(sides, more, strict=True)]


def _pair(value: int | tuple[int, int]) -> list[int]:
    return [value, value] if isinstance(value, int) else list(value)


def _softmax(output: torch.Tensor, *arguments: Any, **named: Any) -> Tap:
    return _attention(arguments[0] if arguments else named["input"], output)


def _scaled_dot_product_attention(  # the function's own arguments, after its output
    _output: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    _value: torch.Tensor | None = None,
    attn_mask: torch.Tensor | None = None,
    _dropout: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    **_: Any,
) -> Tap:
    """Work out the softmax that this function does not hand out, from (B, heads, T, width) and (B, heads, S, width)."""
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = factor * query.double() @ key.double().transpose(-2, -1)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, -torch.inf)
        else:
            scores = scores + attn_mask
    weights = torch.softmax(scores, dim=-1)
    return _attention(scores, weights, query.dtype)


def _attention(scores: torch.Tensor, weights: torch.Tensor, dtype: torch.dtype | None = None) -> Tap:
    name = str(dtype or scores.dtype).removeprefix("torch.")
    arrays = [tensor.detach().to("cpu", torch.float64).numpy() for tensor in (scores, weights)]
    return Tap("attention", "attention", arrays[1], attention.attributes(*arrays, name))


def _gelu(output: torch.Tensor, *_: Any, approximate: str = "none", **__: Any) -> Tap:
    return Tap("activation", "activation", _channels_last(output), {"approximate": approximate == "tanh"})


_FUNCTIONS: dict[str, Callable[..., Tap]] = {
    "scaled_dot_product_attention": _scaled_dot_product_attention,
    "softmax": _softmax,
    "gelu": _gelu,
}
"""Name of a function -> the tap of a call, from its output and arguments."""
