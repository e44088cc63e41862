"""The schedule of slices, without processes."""

import dataclasses
from collections.abc import Callable, Iterable

import pytest

from trivet.measure.rounds import most_attempts, rotated, spread, take_rounds
from trivet.model.measurement import Slice


def a_slice(contestant: str, number: int, *, seconds: float = 1.2, clean: bool = True) -> Slice:
    return Slice(
        contestant=contestant,
        round=number,
        steps=4,
        seconds=seconds,
        started=0.0,
        foreign_share=0.0,
        steal_share=0.0,
        clean=clean,
    )


class Machine:
    """Takes slices by a script: contestant -> what its successive slices are."""

    def __init__(self, script: dict[str, Iterable[str | float]] | None = None) -> None:
        self.script = {label: iter(steps) for label, steps in (script or {}).items()}
        self.taken: list[tuple[str, int]] = []
        self.waits = 0

    def take(self, label: str, number: int) -> Slice | None:
        self.taken.append((label, number))
        what = next(self.script.get(label, iter(())), "clean")
        if what == "fails":
            return None
        if what == "noisy":
            return a_slice(label, number, clean=False)
        return a_slice(label, number, seconds=1.2 if what == "clean" else float(what))

    def run(self, labels: Iterable[str], in_time: Callable[[], bool] = lambda: True) -> list[Slice]:
        return take_rounds(list(labels), self.take, wait_for_quiet=self.wait, in_time=in_time)

    def wait(self) -> bool:
        self.waits += 1
        return True


def order(slices: Iterable[Slice]) -> str:
    return "".join(taken.contestant for taken in slices)


def forever(what: str) -> Iterable[str]:
    while True:
        yield what


def test_three_rounds_in_rotated_order():
    machine = Machine()
    slices = machine.run("abc")
    assert order(slices) == "abc" + "bca" + "cab"
    assert [taken.round for taken in slices] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert all(taken.clean for taken in slices)
    assert machine.waits == 0


def test_a_disturbed_round_is_cut_short_kept_and_repeated_whole_after_a_wait():
    machine = Machine({"c": ["clean", "noisy"]})
    slices = machine.run("abc")
    assert order(slices) == "abc" + "bc" + "bca" + "cab"
    rejected = [taken for taken in slices if not taken.clean]
    assert [(taken.contestant, taken.round) for taken in rejected] == [("b", 1), ("c", 1)]
    assert machine.waits == 1
    for number in range(3):
        whole = [taken.contestant for taken in slices if taken.clean and taken.round == number]
        assert sorted(whole) == ["a", "b", "c"]


def test_attempts_are_capped_when_it_never_gets_quiet():
    machine = Machine({"b": forever("noisy")})
    slices = machine.run("ab")
    assert not any(taken.clean for taken in slices)
    assert len([label for label, _ in machine.taken if label == "b"]) == most_attempts(3) == 12


def test_time_is_capped_too():
    machine = Machine({"a": forever("noisy")})
    slices = machine.run("ab", in_time=lambda: machine.waits < 4)
    assert order(slices) == "aaaa"


def test_what_was_clean_before_the_cap_stays():
    machine = Machine({"a": ["clean", *["noisy"] * 100]})
    slices = machine.run("ab")
    assert order(taken for taken in slices if taken.clean) == "ab"


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_contestant_that_drops_out_spoils_only_its_round(at):
    machine = Machine({"b": [*["clean"] * at, "fails"]})
    slices = machine.run("abc")
    clean = [taken for taken in slices if taken.clean]
    for label, rounds in (("a", 3), ("c", 3), ("b", at)):
        assert [taken.round for taken in clean if taken.contestant == label] == list(range(rounds))
    assert machine.waits == 0


def test_dropping_out_costs_no_attempt():
    noisy = most_attempts(3) - 3
    machine = Machine({"a": ["noisy"] * noisy, "b": ["fails"], "c": ["fails"]})
    slices = machine.run("abc")
    assert order(taken for taken in slices if taken.clean) == "aaa"


def test_all_may_drop_out():
    assert Machine({"a": ["fails"], "b": ["fails"]}).run("ab") == []


def test_two_more_rounds_where_one_contestant_is_unsteady():
    steady = Machine({"a": [1.0, 1.1, 1.14]}).run("ab")
    assert len(steady) == 6
    unsteady = Machine({"a": [1.0, 1.1, 1.2]}).run("ab")
    assert len(unsteady) == 10
    assert order(unsteady[6:]) == "ba" + "ab"


def test_extra_rounds_have_a_larger_cap():
    machine = Machine({"a": [1.0, 1.5, 1.0, *["noisy"] * 100]})
    machine.run("a")
    assert len(machine.taken) == most_attempts(5)


def test_rotation_returns_to_the_first():
    assert rotated(["a", "b", "c"], 0) == ["a", "b", "c"]
    assert rotated(["a", "b", "c"], 4) == ["b", "c", "a"]


def test_spread_is_of_clean_slices_by_step_and_by_contestant():
    slices = [
        a_slice("a", 0, seconds=1.0),
        a_slice("a", 1, seconds=1.2),
        dataclasses.replace(a_slice("a", 2, seconds=2.2), steps=8),
        a_slice("a", 3, seconds=9.0, clean=False),
        a_slice("b", 0, seconds=5.0),
    ]
    assert spread(slices, "a") == pytest.approx(0.2 / 1.1)
    assert spread(slices, "nobody") == 0.0
