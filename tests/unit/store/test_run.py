import json
import math
import os
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from made_up import MACHINE, SPEEDS, made_up_generation, made_up_run
from trivet.errors import DiskError, StoreError
from trivet.model.contestant import parse_contestant
from trivet.model.measurement import BatchAttempt, Failure, PeakReading
from trivet.model.question import Question
from trivet.store import upgrade
from trivet.store.events import Failed, Finished, Measured, Noted, Peaked, Tried
from trivet.store.listing import listing, remove
from trivet.store.run import Run
from trivet.store.sweep import note_owner, sweep

QUESTION = Question(workloads=("mlp",), contestants=(parse_contestant("torch:eager"),), cpus=(0,))


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path / "runs"))
    return tmp_path / "runs"


def python(code: str) -> subprocess.Popen[str]:
    """Start a process that can import what these tests can."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    written = made_up_run(
        tmp_path, failures={"torch:eager": Failure(status="failed", stage="start", message="no")}
    )
    read = Run.open(written.folder)
    assert read.header == written.header
    assert read.events == written.events
    assert read.complete
    assert [one.number for one in read.generations("resnet18")] == [0, 1, 2, 3]
    assert set(read.gates) == {"mlp", "resnet18"}
    assert read.environments["jax:jit"].packages["jax"] == "0.10.2"
    assert read.probes["jax:jit"] == {"versions": {"jax": "0.10.2"}}


def test_a_name_tells_when_and_the_header_what() -> None:
    with Run.create(QUESTION, MACHINE, command="trivet compare mlp", code={"worker": "abc"}) as run:
        assert run.folder.name == run.id
        date, clock, tail = run.id.split("-")
        assert (len(date), len(clock), len(tail)) == (8, 6, 4)
    header = json.loads((run.folder / "run.json").read_text())
    assert header["format"] == 2
    assert header["command"] == "trivet compare mlp"
    assert header["workloads"][0]["batch"] == 256
    assert header["contestants"][0]["title"] == "PyTorch"


def test_a_diverged_loss_is_stored_in_strict_json(tmp_path: Path) -> None:
    losses = {"torch:eager": [1.0, math.inf, -math.inf, math.nan]}
    run = made_up_run(tmp_path, workloads=["mlp"], generations=1, losses=losses)
    for line in (run.folder / "events.jsonl").read_text().splitlines():
        json.loads(line, parse_constant=pytest.fail)
    read = Run.open(run.folder).generations("mlp")[0].losses["torch:eager"]
    assert read[:3] == [1.0, math.inf, -math.inf]
    assert math.isnan(read[3])


def test_an_event_is_on_the_disk_when_append_returns() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        run.append(Noted(text="first"))
        assert Run.open(run.folder).notes == ("first",)
        run.append(Noted(text="second"))
        assert Run.open(run.folder).notes == ("first", "second")


def test_a_later_generation_of_the_same_number_replaces_the_earlier() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        for seed in (1, 2):
            run.append(Measured(generation=made_up_generation({"torch:eager": 9.0}, number=0, seed=seed)))
        assert run.generations("mlp") == (made_up_generation({"torch:eager": 9.0}, number=0, seed=2),)


def test_a_torn_last_line_is_ignored_wherever_it_is_torn() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        run.append(Noted(text="kept"))
        whole = (run.folder / "events.jsonl").read_bytes()
        run.append(Noted(text="tørn"))
    events = run.folder / "events.jsonl"
    both = events.read_bytes()
    for length in range(len(whole), len(both)):
        events.write_bytes(both[:length])
        assert Run.open(run.folder).notes == ("kept",)
    with Run.open(run.folder, writable=True) as again:
        assert events.read_bytes() == whole
        again.append(Noted(text="after"))
    assert Run.open(run.folder).notes == ("kept", "after")


def test_a_writer_killed_at_any_moment_leaves_a_run_that_goes_on(runs: Path) -> None:
    writer = """
        from made_up import MACHINE, SPEEDS, made_up_generation
        from trivet.model.contestant import parse_contestant
        from trivet.model.question import Question
        from trivet.store.events import Measured
        from trivet.store.run import Run
        contestants = tuple(parse_contestant(label) for label in SPEEDS)
        with Run.create(Question(workloads=("mlp",), contestants=contestants), MACHINE) as run:
            print(run.folder, flush=True)
            for number in range(100000):
                run.append(Measured(generation=made_up_generation(SPEEDS, number=number)))
    """
    for delay in (0.0, 0.05, 0.2):
        process = python(writer)
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with Run.open(folder, writable=True) as run:
            count = len(run.generations("mlp"))
            run.append(Measured(generation=made_up_generation(SPEEDS, number=count)))
        assert [one.number for one in Run.open(folder).generations("mlp")] == list(range(count + 1))
    assert not [path for path in runs.iterdir() if path.name.startswith(".")]


def test_two_processes_cannot_write_to_one_run() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        code = f"""
            from trivet.errors import StoreError
            from trivet.store.run import Run
            assert Run.open({str(run.folder)!r}).id  # reading is free
            try:
                Run.open({str(run.folder)!r}, writable=True)
            except StoreError as error:
                print(error.message)
        """
        process = python(code)
        assert process.communicate()[0] == f"Another process is writing to the run {run.id}.\n"
    with Run.open(run.folder, writable=True):
        pass


def test_a_lock_ends_with_its_process() -> None:
    process = python(
        f"""
        import time
        from trivet.store.run import Run
        with Run.create({QUESTION!r}, {MACHINE!r}) as run:
            print(run.folder, flush=True)
            time.sleep(60)
    """.replace(
            "from trivet.store.run",
            "from trivet.model.question import Question; from trivet.model.contestant "
            "import Contestant; from trivet.model.machine import Machine; from trivet.store.run",
        )
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    with pytest.raises(StoreError, match="Another process"):
        Run.open(folder, writable=True)
    process.kill()
    process.wait()
    process.stdout.close()
    Run.open(folder, writable=True).close()


def test_a_full_disk_is_an_error_and_leaves_what_was_there() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        run.append(Noted(text="kept"))
        size = (run.folder / "events.jsonl").stat().st_size
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, limits[1]))
        try:
            with pytest.raises(DiskError, match=r"events\.jsonl cannot be written"):
                run.append(Noted(text="too much for this disk"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert run.notes == ("kept",)
        run.append(Noted(text="after"))
    assert Run.open(run.folder).notes == ("kept", "after")


def test_reading_is_not_writing() -> None:
    Run.create(QUESTION, MACHINE).close()
    with pytest.raises(StoreError, match="opened for reading"):
        Run.open("last").append(Finished())


def test_only_what_the_types_say_is_stored() -> None:
    class Odd:
        pass

    with Run.create(QUESTION, MACHINE) as run:
        with pytest.raises(Exception, match="Odd"):
            run.append(Noted(text=Odd()))  # type: ignore[arg-type]
        assert Run.open(run.folder).events == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{]", "line 1 is not valid JSON"),
        ("[]", "line 1 holds list"),
        ('{"kind": "note", "text": NaN}', "NaN is not JSON"),
        ('{"kind": "rumour"}', "rumour"),
        ('{"kind": "note", "txt": "a"}', r"note\.text: field required; note\.txt: unexpected"),
        (
            '{"kind": "failure", "contestant": 1, "workload": "", "failure": {}}',
            r"failure\.contestant: .*failure\.stage",
        ),
    ],
)
def test_damage_is_named_with_place_and_all_faults(line: str, words: str) -> None:
    with Run.create(QUESTION, MACHINE) as run:
        run.append(Noted(text="second"))
    events = run.folder / "events.jsonl"
    events.write_text(line + "\n" + events.read_text())
    with pytest.raises(StoreError, match=words) as caught:
        Run.open(run.folder)
    assert caught.value.remedy
    # Nothing holds the lock after a failed attempt to continue it.
    for _ in range(2):
        with pytest.raises(StoreError, match=words):
            Run.open(run.folder, writable=True)


@pytest.mark.parametrize("version", [99, 0, "1", None])
def test_another_format_is_refused(version: object) -> None:
    Run.create(QUESTION, MACHINE).close()
    path = Run.open("last").folder / "run.json"
    header = json.loads(path.read_text())
    path.write_text(json.dumps({**header, "format": version, "future": True}))
    with pytest.raises(StoreError, match="format") as caught:
        Run.open(path.parent)
    assert ("newer" in caught.value.remedy) == (version == 99)


def test_older_formats_are_lifted_to_the_current_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with Run.create(QUESTION, MACHINE) as run:
        run.append(Noted(text="old"))

    def louder(raw: upgrade.Raw) -> upgrade.Raw:
        events = [{**event, "text": event["text"] + "!"} for event in raw.events]
        return upgrade.Raw(header=raw.header, events=events)

    monkeypatch.setattr(upgrade, "FORMAT", 4)
    monkeypatch.setattr(upgrade, "UPGRADERS", {2: louder, 3: louder})
    read = Run.open(run.folder)
    assert read.notes == ("old!!",)
    assert read.header.format == 4
    with pytest.raises(StoreError, match="older trivet"):
        Run.open(run.folder, writable=True)


def test_a_run_of_format_1_is_read_without_what_it_did_not_know(tmp_path: Path) -> None:
    new = ("flops_per_item", "blocks", "compilations", "placements")
    run = made_up_run(tmp_path, workloads=["mlp"], flops_per_item=9.5e6)
    header, events = run.folder / "run.json", run.folder / "events.jsonl"
    old = json.loads(header.read_text())
    del old["question"]["largest_batch"]
    header.write_text(json.dumps({**old, "format": 1}))
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    for event in lines:
        for name in new if event["kind"] == "generation" else ():
            del event["generation"][name]
    events.write_text("".join(json.dumps(event) + "\n" for event in lines))
    read = Run.open(run.folder)
    assert [one.flops_per_item for one in read.generations("mlp")] == [None] * 4
    assert read.peaks == ()
    assert not read.question.largest_batch
    assert read.complete


def test_peaks_and_tried_batches_are_read_back() -> None:
    reading = PeakReading(
        framework="torch", version="2", precision="float32", device="cpu", operations={"product": 1e11}
    )
    attempt = BatchAttempt(batch=64, outcome="measured", message="", peak_bytes=10, limit_bytes=20)
    with Run.create(QUESTION, MACHINE) as run:
        run.append(Peaked(reading=reading))
        run.append(Tried(workload="mlp", contestant="torch:eager", attempt=attempt))
    read = Run.open(run.folder)
    assert read.peaks == (reading,)
    assert read.attempts("mlp", "torch:eager") == (attempt,)
    assert read.attempts("mlp", "jax:jit") == read.attempts("linear", "torch:eager") == ()


def test_a_run_begun_after_the_clock_was_set_back_is_the_last_all_the_same(runs: Path) -> None:
    (runs / "0 of my own").mkdir(parents=True)
    (runs / "0 of my own" / "run.json").write_text("{}")
    with Run.create(QUESTION, MACHINE) as early:
        pass
    earlier = [early.folder.rename(runs / "20991231-235959-ffff")]
    for _ in range(2):
        with Run.create(QUESTION, MACHINE) as run:
            assert run.header.created < "2099", "it says when it was begun all the same"
        assert Run.open("last").id == run.id
        assert Run.open("last~1").folder == earlier[-1]
        earlier.append(run.folder)


def test_no_place_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path / "file"))
    with pytest.raises(DiskError, match="No run can be stored") as caught:
        Run.create(QUESTION, MACHINE)
    assert "TRIVET_RUNS" in caught.value.remedy


def test_logs_are_read_by_the_name_in_a_failure() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        (run.logs / "mlp-0.txt").write_text("boom")
        failure = Failure(status="failed", stage="start", message="no", log="logs/mlp-0.txt")
        run.append(Failed(contestant="torch:eager", workload="mlp", failure=failure))
    assert run.read_log("logs/mlp-0.txt") == "boom"
    assert run.read_log("logs/none.txt") is None


def test_complete_means_finished_and_nothing_after() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        assert not run.complete
        run.append(Finished())
        assert run.complete
        run.append(Noted(text="a remark changes nothing"))
        assert run.complete
        run.append(Measured(generation=made_up_generation(SPEEDS)))
        assert not run.complete


def test_a_folder_that_is_removed_meanwhile_ends_the_run_and_stays_away() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        shutil.rmtree(run.folder)
        with pytest.raises(StoreError, match="was removed while"):
            run.append(Noted(text="too late"))
        with pytest.raises(StoreError, match="was removed while"):
            _ = run.logs
        assert not run.folder.exists()
        run.folder.joinpath("logs").mkdir(parents=True)  # as a worker that was starting would
        with pytest.raises(StoreError, match="was removed while"):
            run.append(Noted(text="too late"))


def test_it_is_told_who_is_writing() -> None:
    with Run.create(QUESTION, MACHINE) as run:
        assert Run.open(run.folder).state == f"being measured now (process {os.getpid()})"
        assert listing()[0].state == Run.open(run.folder).state
    assert Run.open(run.folder).writer is None
    assert Run.open(run.folder).state == "not complete"
    with Run.open(run.folder, writable=True) as again:
        again.append(Finished())
    assert Run.open(run.folder).state == "complete"


def test_a_failed_attempt_leaves_no_hidden_folder(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("trivet.store.run.write_atomically", fail)
    with pytest.raises(DiskError, match="No space"):
        Run.create(QUESTION, MACHINE)
    assert list(runs.iterdir()) == []


def test_nothing_stays_of_runs_that_are_no_more(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "cache"))
    kept, removed = Run.create(QUESTION, MACHINE), Run.create(QUESTION, MACHINE)
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path / "elsewhere"))
    other = Run.create(QUESTION, MACHINE)
    monkeypatch.setenv("TRIVET_RUNS", str(runs))
    caches = tmp_path / "cache" / "compile"
    for run in (kept, removed, other):
        run.close()
        note_owner(run.folder)
        (caches / run.id / "deep").mkdir(parents=True)
    (caches / "20200101-000000-abcd").mkdir()
    for name, age in {".20200101-000000-abcd": 100, ".20200101-000000-abce": 0, ".mine": 100}.items():
        (runs / name).mkdir()
        os.utime(runs / name, (time.time() - age, time.time() - age))
    remove(removed.id)
    assert {path.name for path in caches.iterdir() if path.is_dir()} == {
        kept.id,
        other.id,
        "20200101-000000-abcd",
    }
    sweep()
    assert {path.name for path in caches.iterdir() if path.is_dir()} == {kept.id, other.id}
    assert {path.name for path in runs.iterdir()} == {kept.id, ".20200101-000000-abce", ".mine"}
    shutil.rmtree(other.folder)
    sweep()
    assert {path.name.removesuffix(".run") for path in caches.iterdir()} == {kept.id}
