from __future__ import annotations

import math

import numpy as np
import pytest

from trivet.parity.distance import NOTHING_IN_COMMON, capped, gap, norm, relative


def test_measure_is_relative_to_theirs():
    assert relative(0.5, 2.0, 2.0) == 0.25


def test_a_tensor_that_should_be_zero_is_measured_against_the_whole():
    noise = 1e-17
    assert relative(noise, noise, 1.0) == pytest.approx(1e-11)


def test_two_zeros_agree():
    assert relative(0.0, 0.0, 0.0) == 0.0


def test_something_against_nothing_has_nothing_in_common():
    assert relative(1.0, 0.0, 0.0) == NOTHING_IN_COMMON


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_values_that_are_not_finite_never_pass(value):
    ours, theirs = np.array([1.0, value]), np.array([1.0, value])
    assert relative(gap(ours, theirs), norm(theirs), norm(theirs)) == NOTHING_IN_COMMON
    assert relative(1e-20, 1.0, value) == NOTHING_IN_COMMON


def test_shapes_that_broadcast_still_differ():
    assert gap(np.zeros((2, 1)), np.zeros((2, 2))) == math.inf


def test_errors_end_at_nothing_in_common():
    assert capped(math.inf) == capped(math.nan) == NOTHING_IN_COMMON
    assert capped(3.0) == 3.0
