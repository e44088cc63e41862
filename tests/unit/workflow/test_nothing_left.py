"""A question that cannot be carried out as worded leaves no run, and the same exit code everywhere."""

from pathlib import Path

import pytest

from made_up import MACHINE
from trivet.console.live import SilentWatcher
from trivet.environments.failures import VersionNotFound
from trivet.errors import BrokenEnvironment, UsageError
from trivet.launch.stage import Staged
from trivet.model.contestant import parse_contestant
from trivet.model.question import Question
from trivet.store.locate import run_folders
from trivet.workflow import comparison, readiness

QUESTION = Question(workloads=("linear",), contestants=(parse_contestant("torch:eager@99.99"),))


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(comparison, "read_machine", lambda _: MACHINE)
    monkeypatch.setattr(comparison, "_stage", lambda _: Staged(folder=tmp_path, digest="0" * 16))


def test_a_version_that_does_not_exist_leaves_no_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def nowhere(*_: object, **__: object) -> None:
        message = "torch 99.99 does not exist."
        raise VersionNotFound(message)

    monkeypatch.setattr(readiness, "ensure", nowhere)
    with pytest.raises(UsageError, match=r"99\.99") as caught:
        comparison.compare(QUESTION, SilentWatcher(), command="")
    assert run_folders() == []
    assert list((tmp_path / "cache" / "compile").iterdir()) == []
    assert VersionNotFound("").exit_code == caught.value.exit_code == 2


def test_another_error_leaves_the_run_to_go_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        message = "The disk is full."
        raise BrokenEnvironment(message)

    monkeypatch.setattr(comparison, "make_ready", full)
    with pytest.raises(BrokenEnvironment):
        comparison.compare(QUESTION, SilentWatcher(), command="")
    assert len(run_folders()) == 1
