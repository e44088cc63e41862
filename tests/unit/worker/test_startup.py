import pytest

from trivet_worker.startup import PHASES, Laps, phases


def test_laps_of_the_same_name_add_up():
    readings = iter([3.0, 4.0, 6.5, 7.0])
    laps = Laps(1.0, clock=lambda: next(readings))
    for name in ("import", "build", "harness", "build"):
        laps.end(name)
    assert laps.seconds == {"import": 2.0, "build": 1.5, "harness": 2.5}


def test_a_phase_that_did_not_happen_took_no_time():
    assert phases({"import": 1.0}, 0.1, False) == {
        "import": 1.0,
        "build": 0.0,
        "compile": 0.0,
        "first_step": 0.0,
    }


LAPS = {"import": 1.0, "build": 2.0, "compile": 0.5, "first_step": 3.0, "harness": 9.0}


def test_a_first_call_that_compiles_is_split_by_a_steady_step():
    assert phases(LAPS, 0.25, True) == {"import": 1.0, "build": 2.0, "compile": 3.25, "first_step": 0.25}


def test_a_first_call_that_does_not_compile_is_left_alone():
    assert phases(LAPS, 0.25, False)["first_step"] == 3.0


def test_a_first_step_faster_than_a_steady_one_compiled_nothing():
    assert phases(LAPS, 4.0, True) == phases(LAPS, 4.0, False)


@pytest.mark.parametrize("steady", [0.0, 0.25, 4.0])
@pytest.mark.parametrize("compiles", [True, False])
def test_the_split_never_changes_the_total(steady, compiles):
    found = phases(LAPS, steady, compiles)
    assert tuple(found) == PHASES
    assert sum(found.values()) == pytest.approx(6.5)
