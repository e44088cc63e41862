"""A peak measured by a worker that is no process, under a guard that says what a test wants."""

import itertools
from collections.abc import Iterable
from typing import Any

from trivet.measure.guard import Disturbance, Guard, Window
from trivet.measure.peak import PEAK_SECONDS, read_operations

QUIET = Disturbance(foreign_share=0.01, steal_share=0.0)
NOISY = Disturbance(foreign_share=0.30, steal_share=0.0)
ASKED = {"framework": "numpy", "precision": "float32", "device": "cpu"}


class FakeGuard(Guard):
    def __init__(self, says: Iterable[Disturbance] = ()) -> None:
        super().__init__(())
        self.says = iter(says)

    def close(self, window: Window, worker: int | None) -> Disturbance:
        return next(self.says, QUIET)

    def wait_for_quiet(self, seconds: float = 3.0) -> bool:
        return True


class FakeWorker:
    """Answers with one speed after the other; each answer takes so many seconds."""

    pid = 1
    started = 0.0

    def __init__(self, speeds: Iterable[float], seconds: float = 0.6) -> None:
        self.variables: dict[str, str] = {}
        self.speeds = iter(speeds)
        self.seconds = seconds
        self.now = 0.0
        self.asked: list[str] = []

    def call(
        self, verb: str, arguments: Any = None, *, seconds: float, on_progress: Any = None
    ) -> dict[str, Any]:
        assert verb == "peak"
        assert {name: arguments[name] for name in ASKED} == ASKED
        if not arguments["operation"]:
            return {"operations": ["product", "convolution", "small product"]}
        assert arguments["seconds"] >= 0.5, "the guard cannot judge less"
        self.asked.append(arguments["operation"])
        self.now += self.seconds
        return {"flops_per_second": next(self.speeds)}

    def stop(self) -> None: ...

    def kill(self) -> None: ...


def read(worker: FakeWorker, guard: Guard):
    return read_operations(worker, guard, ASKED, report=lambda text: None, clock=lambda: worker.now)


def test_each_operation_is_measured_once_on_a_quiet_machine():
    worker = FakeWorker([3.0, 5.0, 4.0])
    found = read(worker, FakeGuard())
    assert found == ({"product": 3.0, "convolution": 5.0, "small product": 4.0}, ())


def test_a_disturbed_one_is_repeated_and_the_faster_try_counts():
    worker = FakeWorker([2.0, 3.0, 5.0, 4.0])
    speeds, disturbed = read(worker, FakeGuard([NOISY, QUIET]))
    assert (speeds["product"], disturbed) == (3.0, ())
    worker = FakeWorker([3.5, 3.0, 5.0, 4.0])
    assert read(worker, FakeGuard([NOISY, QUIET]))[0]["product"] == 3.5


def test_one_disturbed_at_every_try_is_named():
    worker = FakeWorker([2.0, 2.5, 2.2, 5.0, 4.0])
    speeds, disturbed = read(worker, FakeGuard([NOISY, NOISY, NOISY]))
    assert worker.asked == ["product"] * 3 + ["convolution", "small product"]
    assert (speeds["product"], disturbed) == (2.5, ("product",))


def test_it_ends_in_time_with_at_least_one():
    worker = FakeWorker(itertools.repeat(1.0), seconds=PEAK_SECONDS + 1)
    assert read(worker, FakeGuard()) == ({"product": 1.0}, ())
    worker = FakeWorker(itertools.repeat(1.0), seconds=PEAK_SECONDS + 1)
    assert read(worker, FakeGuard([NOISY])) == ({"product": 1.0}, ("product",))
