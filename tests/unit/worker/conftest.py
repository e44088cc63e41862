import pytest

from worker_process import WorkerProcess, staged_worker


@pytest.fixture(scope="session")
def staged(tmp_path_factory):
    return staged_worker(tmp_path_factory.mktemp("staged"))


@pytest.fixture
def worker(staged, tmp_path):
    with WorkerProcess(staged, tmp_path) as running:
        yield running
