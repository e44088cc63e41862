"""What a worker finds around it: CPUs, folder, path, variables."""

import os
from pathlib import Path
from typing import Any

import pytest

from stub_worker import LIMIT
from trivet.launch.worker import Worker


class TestSurroundings:
    REPORT = """
    import ctypes
    def of_a_thread(found):
        found.append(sorted(os.sched_getaffinity(0)))
    for request in requests():
        found = []
        thread = threading.Thread(target=of_a_thread, args=(found,))
        thread.start(); thread.join()
        child = subprocess.run(["nproc"], capture_output=True, text=True).stdout
        answer(request, main=sorted(os.sched_getaffinity(0)), thread=found[0], nproc=int(child),
               path=sys.path, variables=dict(os.environ), session=os.getsid(0), cwd=os.getcwd(), flags=sys.flags.isolated)
    """

    def report(self, stub, start, **options: Any) -> tuple[Worker, dict[str, Any]]:
        worker = start(stub(self.REPORT), **options)
        return worker, worker.call("report", seconds=LIMIT)

    @pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no masks here")
    def test_the_mask_is_inherited_and_the_coordinators_own_stays(self, stub, start):
        before = os.sched_getaffinity(0)
        cpu = max(before)
        _, found = self.report(stub, start, cpus=(cpu,))
        assert (found["main"], found["thread"], found["nproc"]) == ([cpu], [cpu], 1)
        assert os.sched_getaffinity(0) == before
        _, found = self.report(stub, start)
        assert set(found["main"]) == before

    def test_it_leads_a_session_in_its_own_folder(self, stub, start, tmp_path):
        worker, found = self.report(stub, start)
        assert found["session"] == worker.pid != os.getsid(0)
        assert Path(found["cwd"]) == tmp_path / "work"

    def test_trivets_own_environments_are_isolated(self, stub, start, monkeypatch, tmp_path):
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
        _, found = self.report(stub, start)
        assert found["flags"] == 1
        assert "PYTHONPATH" not in found["variables"]
        assert str(tmp_path / "modules") not in found["path"]

    def test_the_users_own_interpreter_keeps_its_path(self, stub, start, monkeypatch, tmp_path):
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
        _, found = self.report(stub, start, own=True)
        assert found["flags"] == 0
        assert str(tmp_path / "modules") in found["path"]

    def test_variables_and_caches(self, stub, start, monkeypatch, tmp_path):
        monkeypatch.setenv("OMP_NUM_THREADS", "3")
        monkeypatch.setenv("SOME_SECRET", "secret")
        worker, found = self.report(stub, start, caches=tmp_path / "caches", extra={"XLA_FLAGS": "--none"})
        assert found["variables"]["OMP_NUM_THREADS"] == "3"
        assert found["variables"]["XLA_FLAGS"] == "--none"
        assert worker.variables["OMP_NUM_THREADS"] == "3"
        assert worker.variables["XLA_FLAGS"] == "--none"
        assert "SOME_SECRET" not in worker.variables
        assert (tmp_path / "caches").is_dir()
