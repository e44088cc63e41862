from hypothesis import given
from hypothesis import strategies as st

from trivet.schedule import MINIMUM_GENERATIONS, Standing, next_workload, remaining_seconds


def turn(*standings, budget=300.0, quick=False):
    return next_workload(standings, budget_seconds=budget, quick=quick)


def test_workloads_take_turns_in_the_order_asked():
    assert turn(Standing(workload="mlp", seconds=()), Standing(workload="resnet18", seconds=())) == "mlp"
    assert (
        turn(Standing(workload="mlp", seconds=(40,)), Standing(workload="resnet18", seconds=())) == "resnet18"
    )
    assert (
        turn(Standing(workload="mlp", seconds=(40,)), Standing(workload="resnet18", seconds=(80,))) == "mlp"
    )


def test_three_generations_come_whatever_the_budget():
    assert turn(Standing(workload="mlp", seconds=(400.0, 400.0)), budget=1.0) == "mlp"
    assert turn(Standing(workload="mlp", seconds=(400.0, 400.0, 400.0)), budget=1.0) is None


def test_spoilt_generations_are_replaced_as_long_as_some_count():
    def standing(spoilt, count):
        return Standing(workload="mlp", seconds=(50.0,) * count, spoilt=spoilt)

    assert turn(standing(1, 3), budget=1.0) == "mlp"
    assert turn(standing(1, 4), budget=1.0) is None
    assert turn(standing(2, 4), budget=1.0) == "mlp"
    assert turn(standing(4, 5), budget=1.0) is None
    assert turn(standing(3, 3), budget=1.0) is None
    assert turn(standing(1, 1), quick=True) is None
    assert remaining_seconds([standing(1, 3)], budget_seconds=1.0, quick=False) == 50.0


def test_a_decided_workload_leaves_its_time_to_the_others():
    decided = Standing(workload="mlp", seconds=(10.0,) * 3, decided=True)
    open_ = Standing(workload="resnet18", seconds=(20.0,) * 4)
    assert turn(decided, open_) == "resnet18"


def test_a_stopped_workload_is_left_alone():
    assert turn(Standing(workload="mlp", seconds=(), stopped=True)) is None


def test_quick_is_one_generation():
    assert turn(Standing(workload="mlp", seconds=()), quick=True) == "mlp"
    assert turn(Standing(workload="mlp", seconds=(30.0,)), quick=True) is None


@given(st.floats(1, 600), st.floats(1, 120), st.floats(1, 120))
def test_the_budget_is_kept_once_three_generations_are_in(budget, first, second):
    seconds = {"mlp": [], "resnet18": []}
    cost = {"mlp": first, "resnet18": second}
    for _ in range(2000):
        standings = [Standing(workload=name, seconds=tuple(taken)) for name, taken in seconds.items()]
        name = next_workload(standings, budget_seconds=budget, quick=False)
        if name is None:
            break
        seconds[name].append(cost[name])
    assert all(len(taken) >= MINIMUM_GENERATIONS for taken in seconds.values())
    spent = sum(sum(taken) for taken in seconds.values())
    assert spent <= max(budget, 3 * (first + second)) + 1e-6


def test_remaining_time_never_falls_below_what_is_due():
    standings = [Standing(workload="mlp", seconds=(50.0,))]
    assert remaining_seconds(standings, budget_seconds=10.0, quick=False) == 100.0
    assert remaining_seconds(standings, budget_seconds=300.0, quick=False) == 250.0
