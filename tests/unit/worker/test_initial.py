import numpy as np

from trivet_worker.workloads.initial import initial_values
from trivet_worker.workloads.resnet import spec

SIZES = {"blocks": [1, 1, 1, 1], "bottleneck": False, "stem": "small", "image": 16, "classes": 10}


def test_values_depend_on_the_seed_alone():
    first, again, other = (initial_values(spec.tensors(**SIZES), seed) for seed in (1, 1, 2))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert not any(np.array_equal(first[name], other[name]) for name in first)


def test_nothing_can_hide_behind_a_zero_or_a_one():
    for name, value in initial_values(spec.tensors(**SIZES), 0).items():
        assert value.dtype == np.float32
        assert not np.any(np.isin(value, (0.0, 1.0))), name
        if name.endswith("variance"):
            assert value.min() > 0
