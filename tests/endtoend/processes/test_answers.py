"""What a worker answers, over real processes."""

import threading

import pytest

from numpy_contestants import job_arguments, numpy_entry
from stub_worker import LIMIT, alive, failure_of, prepared
from trivet.launch.probe import probe
from trivet.launch.worker import WorkerFailed


class TestAnswers:
    def test_probe(self, staged):
        entry = numpy_entry()
        found = probe(entry.environment, entry.framework, device="cpu", staged=staged)
        assert found["versions"]["numpy"]
        assert found["devices"][0]["kind"] == "cpu"

    def test_probe_of_a_device_that_is_not_there(self, staged):
        entry = numpy_entry()
        with pytest.raises(WorkerFailed) as caught:
            probe(entry.environment, entry.framework, device="cuda", staged=staged)
        assert caught.value.failure.kind == "unsupported"

    def test_a_whole_life(self, staged, start):
        worker = start(staged)
        phases: list[str] = []
        found = worker.call(
            "prepare", job_arguments(numpy_entry(), worker.started), seconds=LIMIT, on_progress=phases.append
        )
        assert phases == ["import", "build", "compile", "first_step"]
        assert found["total_seconds"] > 0
        assert worker.call("run", {"steps": 3}, seconds=LIMIT)["seconds"] > 0
        assert worker.call("memory", seconds=LIMIT)["children"] == []
        worker.stop()
        assert not alive(worker.pid)
        worker.stop()
        worker.kill()

    def test_after_a_failed_request_the_worker_lives_on(self, staged, start):
        worker = start(staged)
        assert "send `prepare` first" in failure_of(worker, "run", steps=1).message
        prepared(worker)

    def test_two_at_once_do_not_meet(self, staged, start):
        found: dict[int, list[float]] = {}

        def life(seed: int) -> None:
            worker = prepared(start(staged))
            found[seed] = [worker.call("run", {"steps": seed}, seconds=LIMIT)["loss"] for _ in range(3)]

        threads = [threading.Thread(target=life, args=(seed,)) for seed in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 2
        assert found[1] != found[2]
