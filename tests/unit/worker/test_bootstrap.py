import ast
import json
import os
import sys
from pathlib import Path

import pytest

import trivet_worker
from worker_process import WorkerProcess, linear_job, staged_worker

SOURCES = sorted(Path(trivet_worker.__file__).parent.rglob("*.py"))

MODEL = """
import os, sys
from trivet_worker.frameworks.numpy.layers import Chain, Dense
import numpy as np

print("a banner by Python")
os.write(1, b"a banner by C\\n")
print("arguments read:", repr(sys.stdin.read()))
print("path:", [entry for entry in sys.path if entry.endswith(("trivet_worker", "modules"))])
print("trivet:", "trivet" in sys.modules)
print("session:", os.getsid(0) == os.getpid(), "TRIVET_PARENT_PID" in os.environ)

def build(*, features, classes):
    if os.fork() == 0:
        os.write(1, b"a banner by a forked child\\n")
        os._exit(0)
    os.wait()
    return Chain(Dense("fc", features, classes, np.random.default_rng()))
"""


@pytest.fixture
def noisy(tmp_path):
    """Stage a worker whose model file prints in every way there is."""
    staged = staged_worker(tmp_path / "staged")
    (staged / "trivet_worker" / "workloads" / "linear" / "model_numpy.py").write_text(MODEL)
    return staged


def test_whatever_is_printed_lands_in_the_log(noisy, tmp_path):
    with WorkerProcess(noisy, tmp_path, variables={"TRIVET_PARENT_PID": str(os.getpid())}) as worker:
        lines = worker.lines("prepare", job=linear_job())
        worker.ask("stop")
        assert worker.process.wait(30) == 0
    assert [json.loads(line)["event"] for line in lines] == ["progress"] * 4 + ["done"]
    log = worker.log.read_text()
    assert "a banner by Python\n" in log
    assert "a banner by C\n" in log
    assert "a banner by a forked child\n" in log
    assert "arguments read: ''" in log
    assert "path: []" in log
    assert "trivet: False" in log
    assert "session: True False" in log


def test_the_users_own_interpreter_keeps_its_path_but_not_the_workers_folder(noisy, tmp_path):
    modules = tmp_path / "modules"
    with WorkerProcess(noisy, tmp_path, isolated=False, variables={"PYTHONPATH": str(modules)}) as worker:
        worker.ask("prepare", job=linear_job())
    assert f"path: ['{modules}']" in worker.log.read_text()


def test_a_worker_ends_when_the_channel_is_closed(worker):
    worker.process.stdin.close()
    assert worker.process.wait(30) == 0


def test_a_crash_leaves_a_traceback_in_the_log(staged, tmp_path):
    with WorkerProcess(staged, tmp_path) as worker:
        job = linear_job(variant="crash", options={"crash_at_step": 2})
        assert all('"progress"' in line for line in worker.lines("prepare", job=job))
        assert worker.process.wait(30) < 0
    assert "Segmentation fault" in worker.log.read_text()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_sources_are_valid_in_python_3_10(path):
    ast.parse(path.read_text(), filename=str(path), feature_version=(3, 10))


def test_a_newer_construct_would_be_noticed():
    with pytest.raises(SyntaxError):
        ast.parse("try: pass\nexcept* ValueError: pass", feature_version=(3, 10))


def test_no_source_imports_what_python_3_10_lacks():
    newer = {"tomllib"} | {
        name for name in sys.stdlib_module_names if name in {"annotationlib", "compression"}
    }
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not newer & set(names), path
