"""A worker's end is the end of all that it started."""

from pathlib import Path

import pytest

from stub_worker import LIMIT, PARENT, alive, failure_of, gone
from trivet.launch import session
from trivet.launch.worker import Worker
from trivet_worker.protocol import TIMED_OUT


class TestNothingStaysBehind:
    def test_children_keep_the_pipe_open_and_the_end_is_seen_all_the_same(self, stub, start):
        worker = start(stub(PARENT))
        children = worker.call("leave", seconds=LIMIT)["children"]
        failure = failure_of(worker, "run", seconds=LIMIT)
        assert "exit code 0" in failure.message
        assert gone(*children)

    @pytest.mark.parametrize("end", [lambda worker: worker.stop(1.0), Worker.kill], ids=["stop", "kill"])
    def test_children_end_with_it(self, stub, start, end):
        worker = start(stub(PARENT))
        children = worker.call("name", seconds=LIMIT)["children"]
        assert all(alive(child) for child in children)
        end(worker)
        assert gone(worker.pid, *children)

    def test_children_end_when_it_takes_too_long(self, stub, start):
        worker = start(stub(PARENT + "        time.sleep(600)\n"))
        children = worker.call("name", seconds=LIMIT)["children"]
        assert failure_of(worker, "run", seconds=0.3).kind == TIMED_OUT
        assert gone(*children)

    def test_others_are_left_alone(self, stub, start):
        first, second = (start(stub(PARENT)) for _ in range(2))
        first.call("name", seconds=LIMIT)
        children = second.call("name", seconds=LIMIT)["children"]
        first.kill()
        assert all(alive(pid) for pid in (second.pid, *children))

    def test_descriptors_are_given_back(self, staged, start):
        start(staged).kill()
        before = sorted(Path("/proc/self/fd").iterdir())
        for _ in range(3):
            start(staged).kill()
        assert sorted(Path("/proc/self/fd").iterdir()) == before

    def test_members_are_found_by_mark_and_by_session(self, stub, start):
        worker = start(stub(PARENT))
        children = worker.call("name", seconds=LIMIT)["children"]
        assert session.members(worker._mark, worker.pid) == sorted([worker.pid, *children])
        assert session.members("no such mark") == []
