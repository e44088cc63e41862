"""One generation with workers that are no processes, and a guard that says what a test wants."""

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import pytest

from numpy_contestants import numpy_entry
from trivet.launch.stage import Staged
from trivet.launch.worker import WorkerFailed
from trivet.measure import contender, events, warmup
from trivet.measure.entry import Entry, Limits, Setting
from trivet.measure.generation import measure_generation
from trivet.measure.guard import UNKNOWN, Disturbance, Guard, Window
from trivet.model.measurement import Block, Generation, Placement
from trivet_worker.protocol import FAILED, TIMED_OUT, Failure

QUIET = Disturbance(foreign_share=0.01, steal_share=0.0)
NOISY = Disturbance(foreign_share=0.30, steal_share=0.0)


class FakeGuard(Guard):
    """Says what is in a list, then quiet."""

    def __init__(self, says: Iterable[Disturbance] = (), *, gets_quiet: bool = True) -> None:
        super().__init__(())
        self.says = iter(says)
        self.gets_quiet = gets_quiet

    def close(self, window: Window, worker: int | None) -> Disturbance:
        return next(self.says, QUIET)

    def wait_for_quiet(self, seconds: float = 3.0) -> bool:
        return self.gets_quiet


class FakeWorker:
    """Takes steps of a known duration without spending it."""

    pids = itertools.count(1)

    def __init__(self, house: "House", entry: Entry, extra: Mapping[str, str]) -> None:
        self.house, self.entry, self.extra = house, entry, dict(extra)
        self.pid = next(self.pids)
        self.started = 123.0
        self.variables = {"OMP_NUM_THREADS": "2"}
        self.asked: list[str] = []
        self.alive = True

    def call(
        self,
        verb: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        seconds: float,
        on_progress: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        assert self.alive
        self.asked.append(verb)
        self.house.asked.append((self.entry.label, verb))
        self.house.trouble(self, verb)
        step = self.house.step_seconds.get(self.entry.label, 0.01)
        match verb:
            case "prepare":
                assert arguments is not None
                assert arguments["job"]["started"] == self.started
                if on_progress:
                    on_progress("import")
                return {
                    "phases": {"import": 1.0, "build": 0.5, "compile": 0.25, "first_step": 0.25},
                    "total_seconds": 2.0,
                    "harness_seconds": 0.1,
                    "losses": [3.0, 2.9, 2.8],
                    "steady_seconds": step,
                    "flops_per_item": 7.0,
                }
            case "run":
                assert arguments is not None
                compiled = self.house.compiles.get(self.entry.label, {})
                seconds = arguments["steps"] * step
                self.house.now += seconds * self.house.passes.get(self.entry.label, 1.0)
                return {"seconds": seconds, "loss": 1.5, "compilations": compiled}
            case "repeat":
                return {"losses": [3.0, None, 2.8]}
            case "memory":
                return {"host_peak_bytes": 1000, "children": [["python", 10]]}
            case "inspect":
                return {"placement": {"devices": ["cpu"], "parameters": ["float32"], "compute": ["float32"]}}
        raise AssertionError(verb)

    def stop(self) -> None:
        self.house.asked.append((self.entry.label, "stop"))
        self.alive = False

    def kill(self) -> None:
        self.alive = False


class House:
    """Starts fake workers and remembers them."""

    def __init__(self) -> None:
        self.workers: list[FakeWorker] = []
        self.asked: list[tuple[str, str]] = []
        self.step_seconds: dict[str, float] = {}
        self.compiles: dict[str, dict[str, int]] = {}
        self.now = 0.0
        self.passes: dict[str, float] = {}
        self.trouble: Callable[[FakeWorker, str], None] = lambda worker, verb: None
        self.events: list[events.Event] = []
        self.remaining: list[float | None] = []

    def launch(self, entry: Entry, setting: Setting, extra: Mapping[str, str]) -> FakeWorker:
        worker = FakeWorker(self, entry, extra)
        self.workers.append(worker)
        return worker

    def report(self, event: events.Event, remaining_seconds: float | None) -> None:
        self.events.append(event)
        self.remaining.append(remaining_seconds)
        assert events.sentence(event)


@pytest.fixture
def house():
    return House()


@pytest.fixture
def measure(house, tmp_path, monkeypatch):
    monkeypatch.setattr("trivet.measure.contender.monotonic", lambda: house.now)

    def run(*labels: str, number: int = 1, guard: Guard | None = None, **options: Any) -> Generation:
        setting = Setting(
            workload="mlp",
            number=number,
            staged=Staged(folder=tmp_path, digest=""),
            cpus=(),
            run=tmp_path / "run",
            caches=tmp_path / "caches",
            scratch=tmp_path / "scratch",
            began=0.0,
        )
        return measure_generation(
            [numpy_entry(label) for label in labels],
            setting,
            guard=guard or FakeGuard(),
            report=house.report,
            launch=house.launch,
            **options,
        )

    return run


def clean(generation: Generation, label: str) -> list[int]:
    return [taken.round for taken in generation.slices if taken.clean and taken.contestant == label]


A, B = "numpy:plain", "numpy:plain#2"


def dies(label: str, verb: str, *, after: int = 0, kind: str = FAILED) -> Callable[[FakeWorker, str], None]:
    """Return trouble: a contestant's worker dies at the so-manieth request of a verb."""
    count = itertools.count()

    def trouble(worker: FakeWorker, asked: str) -> None:
        if worker.entry.label == label and asked == verb and next(count) >= after:
            worker.alive = False
            raise WorkerFailed(Failure(kind, "it died"))

    return trouble


def test_everything_is_there_and_nobody_is_left(house, measure):
    generation = measure(A, B, number=0)
    assert generation.workload == "mlp"
    assert generation.cold_caches
    assert generation.guarded
    assert generation.failures == {}
    startup = generation.startups[A]
    assert (startup.total_seconds, startup.cold, startup.first_loss, startup.foreign_share) == (
        2.0,
        True,
        3.0,
        0.01,
    )
    assert generation.losses == {A: [3.0, 2.9, 2.8, 1.5], B: [3.0, 2.9, 2.8, 1.5]}
    assert generation.memory == {A: {"host_peak_bytes": 1000}, B: {"host_peak_bytes": 1000}}
    assert generation.children[B] == [("python", 10)]
    assert generation.variables[A] == {"OMP_NUM_THREADS": "2"}
    assert clean(generation, A) == clean(generation, B) == [0, 1, 2]
    assert {taken.steps for taken in generation.slices} == {110}
    assert generation.gpu == {}
    assert generation.unsettled == ()
    assert generation.flops_per_item == 7.0
    assert generation.blocks == dict.fromkeys((A, B), Block(steps=40, seconds=0.4))
    assert generation.compilations == {}
    sound = Placement(devices=("cpu",), parameters=("float32",), compute=("float32",))
    assert generation.placements == {A: sound, B: sound}
    assert not any(worker.alive for worker in house.workers)


def test_all_start_before_any_is_timed_and_the_first_changes_with_the_generation(house, measure):
    measure(A, B, number=1)
    starts = [label for label, verb in house.asked if verb == "prepare"]
    assert starts == [B, A]
    assert [verb for _, verb in house.asked[:2]] == ["prepare", "prepare"]


def test_one_after_another_where_memory_cannot_hold_all(house, measure):
    generation = measure(A, B, number=0, resident=False)
    firsts = [house.asked.index((B, "prepare")), house.asked.index((A, "stop"))]
    assert firsts == sorted(firsts, reverse=True)
    assert clean(generation, A) == clean(generation, B) == [0, 1, 2]


def test_a_disturbed_warm_start_is_repeated_once_and_the_quieter_one_kept(house, measure):
    guard = FakeGuard([NOISY, QUIET])
    generation = measure(A, guard=guard)
    assert [worker.asked[0] for worker in house.workers] == ["prepare", "prepare"]
    assert generation.startups[A].foreign_share == 0.01
    noisier = Disturbance(foreign_share=0.4, steal_share=0.0)
    generation = measure(A, guard=FakeGuard([NOISY, noisier]))
    assert generation.startups[A].foreign_share == 0.30
    assert len(house.workers) == 4


def test_a_start_is_not_repeated_while_others_go_on(house, measure):
    generation = measure(A, guard=FakeGuard([NOISY], gets_quiet=False))
    assert len(house.workers) == 1
    assert generation.startups[A].foreign_share == 0.30


def test_a_cold_start_cannot_be_repeated_so_its_share_is_recorded(house, measure):
    generation = measure(A, number=0, guard=FakeGuard([NOISY]))
    assert len(house.workers) == 1
    assert generation.startups[A].foreign_share == 0.30


def test_cold_caches_are_emptied_and_warm_ones_kept(house, measure, tmp_path):
    kept = tmp_path / "caches" / "mlp-numpy-plain" / "compiled"
    kept.parent.mkdir(parents=True)
    kept.write_text("")
    measure(A, number=1)
    assert kept.exists()
    measure(A, number=0)
    assert not kept.exists()


def test_disturbed_rounds_are_repeated_and_recorded(house, measure):
    starts, blocks = 2, 4
    guard = FakeGuard([QUIET] * (starts + blocks) + [QUIET, NOISY])
    generation = measure(A, B, number=0, guard=guard)
    rejected = [taken for taken in generation.slices if not taken.clean]
    assert [(taken.contestant, taken.round) for taken in rejected] == [(A, 0), (B, 0)]
    assert [taken.foreign_share for taken in rejected] == [0.01, 0.30]
    assert clean(generation, A) == clean(generation, B) == [0, 1, 2]


def test_a_machine_that_never_gets_quiet_leaves_few_clean_rounds(measure):
    generation = measure(A, guard=FakeGuard(itertools.repeat(NOISY)))
    assert clean(generation, A) == []
    assert len(generation.slices) == 12
    assert generation.guarded


def test_compilations_are_counted_while_slices_are_timed_only(house, measure):
    house.compiles[A] = {"forward": 2}
    generation = measure(A, B)
    assert generation.compilations == {A: {"forward": 6}}


def test_a_disturbed_warm_up_block_is_not_kept(measure):
    guard = FakeGuard([QUIET, QUIET, NOISY])  # the start and two blocks
    generation = measure(A, guard=guard, number=0)
    assert generation.blocks == {}
    assert clean(generation, A) == [0, 1, 2]


@pytest.mark.parametrize("share", [3.0, 0.4])
def test_a_worker_whose_clock_is_not_trivets_has_no_clean_slice(house, measure, share):
    house.passes[A] = share
    generation = measure(A, B)
    assert clean(generation, A) == clean(generation, B) == []
    assert set(generation.clocks) == {A}
    told, passed = generation.clocks[A]
    assert passed == pytest.approx(share * told)


def test_the_way_of_a_message_is_no_other_clock(house, measure):
    house.passes[A] = 1.3
    generation = measure(A)
    assert clean(generation, A) == [0, 1, 2]
    assert generation.clocks == {}


def test_the_first_steps_are_taken_again_when_memory_was_read(house, measure):
    generation = measure(A, number=0)
    assert generation.repeated[A][::2] == [3.0, 2.8]
    assert math.isnan(generation.repeated[A][1])
    verbs = [verb for _, verb in house.asked]
    assert verbs[-4:] == ["memory", "repeat", "inspect", "stop"]
    assert generation.losses[A] == [3.0, 2.9, 2.8, 1.5]


def test_the_first_steps_are_taken_again_in_the_first_generation_alone(house, measure):
    assert measure(A, number=1).repeated == {}
    assert "repeat" not in [verb for _, verb in house.asked]


def test_who_cannot_repeat_is_measured_all_the_same(house, measure):
    def trouble(worker: FakeWorker, verb: str) -> None:
        if (worker.entry.label, verb) == (A, "repeat"):
            raise WorkerFailed(Failure(FAILED, "no more room"))

    house.trouble = trouble
    generation = measure(A, B, number=0)
    assert generation.failures == {}
    assert set(generation.repeated) == {B}


def test_a_contestant_that_does_not_say_where_it_computes_is_measured_all_the_same(house, measure):
    house.trouble = dies(A, "inspect")
    generation = measure(A, B)
    assert generation.failures == {}
    assert set(generation.placements) == {B}
    assert generation.memory[A] == {"host_peak_bytes": 1000}


def test_where_nothing_can_be_read_all_counts_and_the_generation_is_unguarded(measure):
    generation = measure(A, guard=FakeGuard(itertools.repeat(UNKNOWN)))
    assert clean(generation, A) == [0, 1, 2]
    assert not generation.guarded
    assert generation.startups[A].foreign_share is None


@pytest.mark.parametrize(
    ("verb", "after", "stage"),
    [("prepare", 0, "start"), ("run", 0, "measure"), ("run", 3, "measure"), ("memory", 0, "measure")],
)
def test_who_fails_drops_out_and_the_others_go_on(house, measure, verb, after, stage):
    house.trouble = dies(B, verb, after=after, kind=TIMED_OUT)
    generation = measure(A, B, number=0)
    failure = generation.failures[B]
    assert (failure.status, failure.stage, failure.message) == (TIMED_OUT, stage, "it died")
    assert failure.log == "logs/mlp-0-numpy-plain-2.txt"
    assert clean(generation, A) == [0, 1, 2]
    assert A in generation.memory
    assert not any(worker.alive for worker in house.workers)


def test_a_worker_that_cannot_be_started_is_a_failure(house, measure):
    def launch(entry: Entry, setting: Setting, extra: Mapping[str, str]) -> FakeWorker:
        if entry.label == B:
            raise WorkerFailed(Failure(FAILED, "no such interpreter"))
        return FakeWorker(house, entry, extra)

    house.launch = launch
    generation = measure(A, B)
    assert generation.failures[B].stage == "start"
    assert B not in generation.startups


def test_all_may_fail(house, measure):
    house.trouble = lambda worker, verb: dies(worker.entry.label, "prepare")(worker, verb)
    generation = measure(A, B)
    assert set(generation.failures) == {A, B}
    assert generation.slices == ()


def test_nobody_at_all(measure):
    assert measure().slices == ()


@pytest.mark.parametrize("verb", ["prepare", "run", "memory"])
def test_an_interrupt_ends_all_workers_and_is_passed_on(house, measure, verb):
    def interrupt(worker: FakeWorker, asked: str) -> None:
        if worker.entry.label == B and asked == verb:
            raise KeyboardInterrupt

    house.trouble = interrupt
    with pytest.raises(KeyboardInterrupt):
        measure(A, B, number=0)
    assert house.workers
    assert not any(worker.alive for worker in house.workers)


def test_a_slice_too_short_to_judge_does_not_count_and_is_made_longer(house, measure):
    house.step_seconds[A] = 0.05
    seen = itertools.count()

    def faster_after_warm_up(worker: FakeWorker, asked: str) -> None:
        if asked == "run" and next(seen) == 2:
            house.step_seconds[A] = 0.01

    house.trouble = faster_after_warm_up
    generation = measure(A)
    first, second = generation.slices[:2]
    assert (first.steps, first.clean) == (22, False)
    assert first.seconds < warmup.SHORTEST_SLICE_SECONDS
    assert (second.steps, second.clean) == (110, True)
    assert clean(generation, A) == [0, 1, 2]


def test_memory_of_a_gpu_is_read_in_a_run_of_its_own(house, measure, monkeypatch):
    monkeypatch.setattr(contender.gpu, "footprint_bytes", lambda pids: 5000)

    class FakeSampler:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...

        def readings(self) -> dict[str, float]:
            return {"power_watts": 250.0}

    monkeypatch.setattr(contender.gpu, "Sampler", FakeSampler)
    entries = [_on_cuda(numpy_entry(label)) for label in (A, B)]
    setting = Setting(
        workload="mlp",
        number=0,
        staged=Staged(folder=Path(), digest=""),
        cpus=(),
        run=Path("run"),
        caches=Path("nowhere"),
        scratch=Path("nowhere"),
        began=0.0,
    )
    generation = measure_generation(entries, setting, guard=FakeGuard(), launch=house.launch)
    assert [worker.extra for worker in house.workers] == [
        {},
        {},
        {"PREALLOCATE": "false"},
        {"PREALLOCATE": "false"},
    ]
    assert [worker.asked for worker in house.workers[2:]] == [["prepare", "run", "memory"]] * 2
    assert all("memory" not in worker.asked and "inspect" in worker.asked for worker in house.workers[:2])
    assert generation.memory[A] == {"host_peak_bytes": 1000, "footprint_bytes": 5000}
    assert generation.gpu == {A: {"power_watts": 250.0}, B: {"power_watts": 250.0}}


def _on_cuda(entry: Entry) -> Entry:
    return dataclasses.replace(
        entry,
        job=dataclasses.replace(entry.job, device="cuda"),
        framework=dataclasses.replace(entry.framework, memory_variables={"PREALLOCATE": "false"}),
    )


def test_progress_is_told_with_the_time_left(house, measure):
    measure(A, B, expected_starts={A: 20.0, B: 30.0})
    kinds = [type(event) for event in house.events]
    assert kinds[:3] == [events.Starting, events.Starting, events.Started]
    assert kinds.count(events.SliceTaken) == 6
    assert kinds.count(events.WarmedUp) == 2
    assert kinds.count(events.MemoryRead) == 2
    first, last = house.remaining[0], house.remaining[-1]
    assert first is not None
    assert first > 50
    assert last == 0.0


def test_limits_grow_with_what_is_expected():
    limits = Limits(run_seconds=100, round_seconds=60)
    assert limits.slice_seconds(1.0) == 100
    assert limits.slice_seconds(10.0) == 600
    assert limits.rounds_seconds(10.0) == 60
    assert limits.rounds_seconds(100.0) == 400
