import math

from trivet.ease.printed import beyond, message_of, names_all, progress, same_numbers, warning_in

WHOLE = (
    "training\nloss 2.5 in 10.00 ms\nloss 2.25 in 1.00 ms\nheld out: loss 2.1, correct 0.3\nsteps done: 2\n"
)


def test_how_far_a_program_came():
    came = progress(WHOLE)
    assert came.losses == (2.5, 2.25)
    assert came.milliseconds == (10.0, 1.0)
    assert came.numbers == (2.5, 2.25, 2.1, 0.3, 2.0)
    assert came.where(2) == "after"
    assert progress("").where(2) == "build"
    assert progress("training\n").where(2) == "step 0"
    assert progress("training\nloss 2.5 in 1.0 ms\n").where(2) == "step 1"
    assert progress("training\nloss 2.5 in 1.0 ms\nloss 2.5 in 1.0 ms\n").where(2) == "evaluation"


def test_where_nan_is_first_seen_and_whether_it_stays():
    lines = ["training", *(f"loss {loss} in 1.0 ms" for loss in ("2.5", "nan", "2.4", "2.3"))]
    assert progress("\n".join(lines)).first_nan() == "step 1 only"
    assert progress("\n".join([*lines, "loss nan in 1.0 ms"])).first_nan() == "step 1"
    assert progress("training\nloss nan in 1.0 ms").first_nan() == "step 0"
    assert progress("training\nloss 1 in 1.0 ms\nheld out: loss nan, correct 0.1").first_nan() == "evaluation"
    assert progress(WHOLE).first_nan() == ""


def test_times_are_no_numbers_of_the_program():
    assert same_numbers(progress(WHOLE).numbers, progress(WHOLE.replace("10.00", "99.00")).numbers)
    assert not same_numbers(progress(WHOLE).numbers, progress(WHOLE.replace("2.25", "2.26")).numbers)
    assert not same_numbers((1.0,), (1.0, 1.0))
    assert not same_numbers((1.0,), (math.nan,))


def test_what_the_twin_prints_too_is_not_news():
    twin = "2026-12-01 03:00:00.123456: I tensorflow/core.cc:12] oneDNN is on\n"
    said = "2026-12-01 04:11:12.654321:  I tensorflow/core.cc:12] oneDNN is on\n\nUserWarning: sizes differ\n"
    assert beyond(said, twin) == ["UserWarning: sizes differ"]
    assert warning_in(beyond(said, twin)) == "UserWarning"
    assert warning_in(beyond(twin, twin)) == ""
    assert warning_in(["W0000 00:00:17.1 77 op.cc:1] retracing"]) == "warning"


def test_quoted_source_is_no_message():
    lines = [
        "Traceback (most recent call last):",
        '  File "<program>/model.py", line 18, in forward',
        "    return self.fc2(h)  # 64",
        "           ^^^^^^^^^^^",
        "RuntimeError: shapes cannot be multiplied",
    ]
    assert message_of(lines) == f"{lines[0]}\n{lines[-1]}"
    assert not names_all(message_of(lines), ["64"])


def test_colours_are_taken_out():
    assert beyond("\x1b[1mValueError: no\x1b[0m\n", "") == ["ValueError: no"]
