"""Every outcome class, from made-up observations; what the frameworks really print is in test_locations.py."""

import dataclasses

import pytest

from trivet.ease.classify import classify
from trivet.ease.planted import mistakes
from trivet.model.ease import Observation, Program

MISTAKES = mistakes()
PROGRAM = Program(files={}, targets=(("model.py", 18), ("train.py", 9)), digest="")
STEPS = "".join(f"loss {2 - step / 10:.6f} in 1.00 ms\n" for step in range(10))
WHOLE = f"training\n{STEPS}held out: loss 1.0, correct 0.5\n"
TWIN = Observation(stdout=WHOLE, stderr="I0000 a banner\n", error="", ended="", seconds=1.0, traces=1)
ERROR = """I0000 a banner
Traceback (most recent call last):
  File "<program>/train.py", line 40, in main
    loss = train_step(model, images, labels)
  File "<program>/{place}, in forward
    return self.fc2(h)
  File "/lib/torch/nn.py", line 134, in forward
    return F.linear(input)
RuntimeError: shapes cannot be multiplied (48x64 and 37x10)
"""


def outcome(name="layer_width", switch="", twin=TWIN, **changes):
    seen = dataclasses.replace(TWIN, **changes)
    return classify(MISTAKES[name], "torch:eager", switch, PROGRAM, seen, twin)


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ('model.py", line 18', "located"),
        ('train.py", line 9', "located"),
        ('model.py", line 17', "loud elsewhere"),
    ],
)
def test_an_error_is_located_if_it_points_at_a_planted_line_or_one_that_uses_it(place, kind):
    cell = outcome(error="RuntimeError", stderr=ERROR.format(place=place), stdout="training\n")
    assert cell.kind == kind
    assert cell.where == "step 0"
    assert cell.error == "RuntimeError"
    assert cell.names_values is True
    assert cell.names_layer is False  # self.fc2 is quoted source, not the message
    assert (cell.lines, cell.frames) == (8, 3)


def test_the_same_numbers_are_what_the_mistake_calls_them():
    assert outcome("counter_in_step").kind == "meant"
    assert outcome("float64_input").kind == "corrected"


def test_other_numbers_without_a_word_are_silent():
    assert outcome(stdout=WHOLE.replace("1.9", "1.8")).kind == "silent"
    assert outcome(stdout=f"{WHOLE}steps done: 2\n").kind == "silent"


def test_a_warning_counts_only_where_the_numbers_are_wrong():
    warned = "I0000 a banner\n<program>/train.py:17: UserWarning: target size ([48])\n"
    cell = outcome("broadcast_in_loss", stderr=warned, stdout=WHOLE.replace("1.9", "1.8"))
    assert (cell.kind, cell.error, cell.names_values) == ("warned", "UserWarning", True)
    cell = outcome("broadcast_in_loss", stderr=warned)
    assert (cell.kind, cell.warned) == ("corrected", True)


def test_nan_is_visible_and_its_step_is_told():
    cell = outcome("nan_forward", stdout=WHOLE.replace("1.500000", "nan"))
    assert (cell.kind, cell.where) == ("visible NaN", "step 5 only")


def test_what_costs_time_is_a_number():
    slow = WHOLE.replace("loss 1.100000 in 1.00 ms", "loss 1.100000 in 4301.00 ms")
    cell = outcome("short_last_batch", stdout=slow, traces=2)
    assert (cell.kind, cell.extra_seconds, cell.traces) == ("costs time", 4.3, 2)
    cell = outcome(
        "ten_batch_sizes", stdout=slow, stderr="I0000 a banner\nWARNING: 5 out of 5 calls retraced\n"
    )
    assert (cell.kind, cell.warned) == ("costs time", True)


@pytest.mark.parametrize("failing", [{"error": "ValueError"}, {"stdout": WHOLE.replace("1.900000", "nan")}])
def test_a_twin_that_fails_makes_a_switch_unusable_and_a_cell_not_run(failing):
    twin = dataclasses.replace(TWIN, **failing)
    assert outcome(switch="check_numerics", twin=twin).kind == "unusable"
    cell = outcome(twin=twin)
    assert cell.kind == "not run"
    assert cell.reason


def test_a_process_that_was_killed_says_nothing_of_the_mistake():
    cell = outcome(ended="Memory ran out.", stdout="training\n")
    assert (cell.kind, cell.reason) == ("not run", "Memory ran out.")


def test_seconds_of_a_busy_machine_are_marked():
    cell = outcome("short_last_batch", disturbed=True)
    assert (cell.kind, cell.disturbed) == ("costs time", True)
    assert outcome("short_last_batch", twin=dataclasses.replace(TWIN, disturbed=True)).disturbed
    assert not outcome("short_last_batch").disturbed
