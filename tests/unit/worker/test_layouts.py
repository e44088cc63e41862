import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet_worker import arrays, layouts
from trivet_worker.layouts.tensor import Tensor
from trivet_worker.workloads.resnet import spec

RANKS = {("dense", "weight"): 2, ("conv", "weight"): 4}

TENSORS = st.sampled_from(
    [(kind, role) for kind, module in layouts.KINDS.items() for role in module.ROLES]
).flatmap(
    lambda pair: st.lists(st.integers(1, 5), min_size=RANKS.get(pair, 1), max_size=RANKS.get(pair, 1)).map(
        lambda shape: Tensor("layer1.0.it", *pair, tuple(shape))
    )
)


@given(tensor=TENSORS, layout=st.sampled_from(sorted(layouts.LAYOUTS)))
def test_there_and_back_is_the_same(tensor, layout):
    array = np.arange(np.prod(tensor.shape), dtype=np.float64).reshape(tensor.shape)
    native = layouts.to_native(array, tensor, layout)
    assert native.flags.c_contiguous
    np.testing.assert_array_equal(layouts.to_canonical(native, tensor, layout), array)


@pytest.mark.parametrize(
    ("tensor", "layout", "name", "shape"),
    [
        (Tensor("a.0.conv", "conv", "weight", (3, 5, 7, 11)), "torch", "a.0.conv.weight", (11, 7, 3, 5)),
        (Tensor("a.0.conv", "conv", "weight", (3, 5, 7, 11)), "keras", "a_0_conv/kernel", (3, 5, 7, 11)),
        (Tensor("a.0.conv", "conv", "weight", (3, 5, 7, 11)), "flax", "a.0.conv.kernel", (3, 5, 7, 11)),
        (Tensor("fc", "dense", "weight", (3, 5)), "torch", "fc.weight", (5, 3)),
        (Tensor("fc", "dense", "bias", (5,)), "keras", "fc/bias", (5,)),
        (Tensor("bn", "batch_norm", "weight", (3,)), "keras", "bn/gamma", (3,)),
        (Tensor("bn", "batch_norm", "weight", (3,)), "flax", "bn.scale", (3,)),
        (Tensor("bn", "batch_norm", "variance", (3,)), "torch", "bn.running_var", (3,)),
        (Tensor("bn", "batch_norm", "mean", (3,)), "keras", "bn/moving_mean", (3,)),
    ],
)
def test_frameworks_have_their_own_names_and_axes(tensor, layout, name, shape):
    assert layouts.native_name(tensor, layout) == name
    assert layouts.to_native(np.zeros(tensor.shape), tensor, layout).shape == shape


def test_a_transposed_kernel_keeps_its_values():
    kernel = np.arange(6.0).reshape(2, 3)
    native = layouts.to_native(kernel, Tensor("fc", "dense", "weight", (2, 3)), "torch")
    np.testing.assert_array_equal(native, kernel.T)


SIZES = {"blocks": [1, 1, 1, 1], "bottleneck": True, "stem": "large", "image": 64, "classes": 10}


@pytest.mark.parametrize("layout", sorted(layouts.LAYOUTS))
def test_a_whole_network_goes_there_and_back(layout):
    tensors = spec.tensors(**SIZES)
    values = {tensor.name: np.random.default_rng(0).normal(size=tensor.shape) for tensor in tensors}
    native = arrays.native(values, tensors, layout)
    assert len(native) == len(tensors)
    assert arrays.structure(tensors, native, layout) == arrays.Structure((), (), ())
    back = dict(arrays.canonical(native, tensors, layout))
    assert list(back) == [tensor.name for tensor in tensors]
    for name, value in values.items():
        np.testing.assert_array_equal(back[name], value)


def test_a_structure_that_differs_is_described():
    tensors = [
        Tensor("a", "dense", "weight", (2, 3)),
        Tensor("a", "dense", "bias", (3,)),
        Tensor("b", "conv", "weight", (3, 3, 1, 4)),
    ]
    found = {"a.weight": np.zeros((4, 2)), "b.weight": np.zeros((4, 9)), "b.bias": np.zeros(4)}
    structure = arrays.structure(tensors, found, "torch")
    assert structure.missing == ("a.bias",)
    assert structure.unexpected == ("b.bias",)
    assert structure.shapes == (("a.weight", (2, 3), (2, 4)), ("b.weight", (3, 3, 1, 4), (4, 9)))
    assert dict(arrays.canonical(found, tensors, "torch")) == {}
