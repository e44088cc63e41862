from made_up import made_up_run
from trivet.conclude import conclude
from trivet.conclude.largest import largest_batch
from trivet.conclude.words import largest_batch_line
from trivet.model.measurement import BatchAttempt
from trivet.store.events import Tried
from trivet.store.run import Run

GIB = 2**30


def attempt(batch: int, outcome: str = "measured") -> BatchAttempt:
    peak = batch * 1000 if outcome == "measured" else None
    return BatchAttempt(batch=batch, outcome=outcome, message="", peak_bytes=peak, limit_bytes=12 * GIB)


def test_a_search_gives_the_largest_and_the_points_by_batch():
    found = largest_batch(
        [
            attempt(64),
            attempt(128),
            attempt(256, "out_of_memory"),
            attempt(192, "out_of_memory"),
            attempt(160),
        ]
    )
    assert found is not None
    assert (found.value, found.failed_at, found.resolution) == (160, 192, 0.2)
    assert found.points == ((64, 64000), (128, 128000), (160, 160000))
    assert found.limit_bytes == 12 * GIB


def test_nothing_that_fits_is_no_largest():
    assert largest_batch([]) is None
    assert largest_batch([attempt(1, "out_of_memory")]) is None


def test_a_search_that_ended_otherwise_has_no_upper_end():
    found = largest_batch([attempt(64), attempt(128, "timed_out")])
    assert found is not None
    assert (found.value, found.failed_at, found.resolution) == (64, None, None)


def test_memory_that_ran_out_below_what_trained_is_no_upper_end():
    found = largest_batch([attempt(64), attempt(48, "out_of_memory")])
    assert found is not None
    assert (found.value, found.failed_at) == (64, None)


def test_it_is_part_of_the_result(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp", "linear"], generations=1)
    assert largest_batch_line(conclude(run).workloads[0]) == ""
    with Run.open(run.folder, writable=True) as more:
        for label, batches in {"jax:jit": (256, 512), "torch:eager": (256,)}.items():
            for batch in batches:
                more.append(Tried(workload="mlp", contestant=label, attempt=attempt(batch)))
        more.append(Tried(workload="mlp", contestant="torch:eager", attempt=attempt(512, "out_of_memory")))
        more.append(Tried(workload="linear", contestant="tensorflow:xla", attempt=attempt(512)))
    result = conclude(Run.open(run.folder))
    assert result.complete
    found = {one.contestant: one.largest_batch for one in result.workloads[0].contestants}
    assert found["jax:jit"].value == 512
    assert found["tensorflow:xla"] is None
    assert largest_batch_line(result.workloads[0]) == (
        "Largest batch within 12.0 GiB for a process: jax:jit 512 or more, torch:eager 256 (512 does not fit)."
    )
