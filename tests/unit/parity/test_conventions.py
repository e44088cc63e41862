from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from trivet.parity import conventions
from unit.parity.made_up import COUNT, Maker, numbers


def test_an_unbiased_running_variance_is_converted_at_every_step(maker: Maker):
    trace = maker.trace("torch:eager", noise=0.0)
    for step in (1, 5, 10):
        key = f"statistic/{step}/bn1.variance"
        assert not np.allclose(trace.array(key), numbers()[key], rtol=1e-4)
        np.testing.assert_allclose(conventions.common_form(trace, key), numbers()[key], rtol=1e-13)


@pytest.mark.parametrize("key", ["statistic/5/bn1.mean", "update/5/fc.weight", "eval_output"])
def test_nothing_else_is_converted(maker: Maker, key: str):
    trace = maker.trace("torch:eager", noise=0.0)
    np.testing.assert_array_equal(conventions.common_form(trace, key), trace.array(key))


def test_without_the_count_nothing_can_be_converted(maker: Maker):
    trace = dataclasses.replace(maker.trace("torch:eager", noise=0.0), counts={})
    key = "statistic/1/bn1.variance"
    np.testing.assert_array_equal(conventions.common_form(trace, key), trace.array(key))


def test_sentences_go_to_those_who_differ_from_most(maker: Maker):
    traces = maker.all()
    found = {trace.label: conventions.sentences(trace, traces) for trace in traces}
    assert found["jax:jit"] == ()
    assert [text.split(":")[0] for text in found["torch:eager"]] == ["running variance"]
    assert [text.split(":")[0] for text in found["tensorflow:xla"]] == ["momentum"]
    assert "v = 0.875 v − rate·g; p += v" in found["tensorflow:xla"][0]
    assert "v = 0.875 v + g; p −= rate·v" in found["tensorflow:xla"][0]


def test_frameworks_are_counted_not_contestants(maker: Maker):
    traces = [
        maker.trace(label) for label in ("tensorflow:graph", "tensorflow:xla", "jax:jit", "torch:eager")
    ]
    assert conventions.sentences(traces[0], traces)
    assert not conventions.sentences(traces[2], traces)


def test_a_workload_without_statistics_has_no_running_variance(maker: Maker):
    traces = [dataclasses.replace(trace, counts={}) for trace in maker.all()]
    assert conventions.sentences(traces[0], traces) == ()


def test_the_count_is_that_of_the_layer(maker: Maker):
    trace = dataclasses.replace(maker.trace("torch:eager", noise=0.0), counts={"bn1": COUNT * 2})
    key = "statistic/1/bn1.variance"
    assert not np.allclose(conventions.common_form(trace, key), numbers()[key], rtol=1e-6)
