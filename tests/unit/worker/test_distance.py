import math

import numpy as np
import pytest

from trivet_worker.distance import NOTHING_IN_COMMON, norm, relative, whole


def test_the_norm_runs_over_all_elements():
    assert norm(np.array([[3.0], [4.0]])) == 5.0
    assert whole([3.0, 4.0]) == 5.0


def test_a_gap_is_relative_to_the_tensor():
    assert relative(0.5, 2.0, 100.0) == 0.25


def test_a_tensor_that_is_nothing_beside_the_whole_counts_as_a_millionth_of_it():
    assert relative(1e-12, 0.0, 1.0) == pytest.approx(1e-6)


@pytest.mark.parametrize(
    ("gap", "size"), [(math.nan, 1.0), (math.inf, 1.0), (1.0, math.nan), (1.0, 0.0), (1e20, 1.0)]
)
def test_values_beyond_measure_have_nothing_in_common(gap, size):
    assert relative(gap, size, 0.0) == NOTHING_IN_COMMON


def test_no_gap_is_no_difference_even_between_zeros():
    assert relative(0.0, 0.0, 0.0) == 0.0
