import math

import pytest

from trivet import catalog
from trivet_worker import modules
from trivet_worker.workloads import flops

KNOWN_MULTIPLY_ADDS = {
    "linear": 784 * 10,
    "mlp": 784 * 1024 + 1024 * 1024 + 1024 * 10,
    "resnet18": 555_422_720,
    "resnet50": 4_089_184_256,
}
"""Of the forward pass for one item. The ResNets' are those that torchvision and its users quote (0.56 G for the CIFAR
form of ResNet-18, 4.09 G for ResNet-50)."""

FIRST_LAYER = {
    "linear": 784 * 10,
    "mlp": 784 * 1024,
    "resnet18": 3 * 3 * 3 * 64 * 32**2,
    "resnet50": 7 * 7 * 3 * 64 * 112**2,
}


def training_flops(name: str, **changes: object) -> float:
    info = catalog.workload(name)
    return modules.spec(info.family).training_flops(**{**info.sizes, **changes})


def test_every_workload_is_here():
    assert set(KNOWN_MULTIPLY_ADDS) == set(catalog.workloads())


@pytest.mark.parametrize("name", KNOWN_MULTIPLY_ADDS)
def test_a_step_is_three_forward_passes_but_for_the_first_layers_inputs(name):
    forward, first = 2 * KNOWN_MULTIPLY_ADDS[name], 2 * FIRST_LAYER[name]
    assert training_flops(name) == pytest.approx(3 * forward - first, rel=1e-9)


def test_resnet50_is_what_the_literature_says():
    assert training_flops("resnet50") == pytest.approx(24.3e9, rel=1e-3)
    assert training_flops("resnet50") == pytest.approx(3 * 2 * 4.09e9, rel=0.02)


def test_convolutions_grow_with_the_image_and_odd_sides_are_rounded_up():
    small, large = training_flops("resnet18", image=16), training_flops("resnet18", image=32)
    dense = 6 * 512 * 10
    assert large - dense == 4 * (small - dense)
    assert training_flops("resnet18", image=15) == training_flops("resnet18", image=16) - 2 * (
        2 * 27 * 64 * (16**2 - 15**2) + 3 * 4 * 9 * 64 * 64 * (16**2 - 15**2)
    )


def test_one_layer_has_no_gradient_of_its_inputs():
    assert flops.of_training([10]) == 40
    assert flops.of_training([10, 100]) == 640
    assert math.isclose(flops.of_training([1.5, 2.5]), 21.0)
