import itertools

import pytest

from trivet_worker.verbs.peak import best_seconds

ASKED = {"framework": "numpy", "precision": "float32", "device": "cpu"}


def test_operations_are_named_and_timed(worker):
    names = worker.ask("peak", **ASKED, operation="", seconds=0.0)["operations"]
    assert names == ["matrix product 2048"]  # numpy has no convolution
    told = worker.ask("peak", **ASKED, operation=names[0], seconds=0.01)
    assert told["operations"] == names
    assert 1e6 < told["flops_per_second"] < 1e16


def test_what_is_not_there_is_unsupported(worker):
    failure = worker.failure("peak", **ASKED, operation="long division", seconds=0.1)
    assert failure["kind"] == "unsupported"
    assert "matrix product 2048" in failure["message"]
    failure = worker.failure("peak", **{**ASKED, "framework": "cobol"}, operation="", seconds=0.1)
    assert failure["kind"] == "unsupported"


class Machine:
    """A clock that moves as an operation is repeated: so many seconds a call, block by block."""

    def __init__(self, *seconds: float) -> None:
        self.seconds = itertools.chain(seconds, itertools.repeat(seconds[-1]))
        self.now = 0.0
        self.blocks: list[int] = []

    def repeat(self, times: int) -> None:
        self.blocks.append(times)
        self.now += times * next(self.seconds)

    def clock(self) -> float:
        return self.now


def test_the_fastest_block_counts_and_the_first_call_does_not():
    machine = Machine(5.0, 0.01, 0.012, 0.009, 0.02)
    assert best_seconds(machine.repeat, 0.4, machine.clock) == pytest.approx(0.009)
    assert machine.blocks == [1, 1, 10, 10, 10]


def test_a_slow_operation_is_timed_once():
    machine = Machine(9.0)
    assert best_seconds(machine.repeat, 0.4, machine.clock) == 9.0
    assert machine.blocks == [1, 1, 1]
