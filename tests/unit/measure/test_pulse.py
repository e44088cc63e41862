import gc
import threading
import time

from trivet.measure import pulse
from trivet.measure.pulse import Pulse


def beating() -> int:
    return sum(thread.name == "trivet-pulse" for thread in threading.enumerate())


def test_nothing_is_lost_while_all_goes_on():
    beats = Pulse(None)
    time.sleep(0.3)
    assert beats.end() == 0.0


def test_a_beat_that_comes_late_is_lost_time(monkeypatch):
    times = iter([0.0, 0.05, 3.05, 3.1])
    monkeypatch.setattr(pulse.time, "monotonic", lambda: next(times))
    heart = pulse._Heart(None)
    answers = iter([False, False, True])
    monkeypatch.setattr(heart.ended, "wait", lambda seconds: next(answers))
    heart.beat()
    assert heart.lost_seconds == 3.0


def test_one_that_nobody_ends_ends_with_whoever_had_it():
    gc.collect()
    before = beating()
    beats = Pulse(None)
    assert beating() == before + 1
    del beats
    until = time.monotonic() + 5
    while beating() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert beating() == before
