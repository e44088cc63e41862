"""What is kept is not run again; what was interrupted goes on. Processes are made up here; real ones: endtoend/test_ease.py."""

import threading

import pytest

from trivet.ease import kept, running
from trivet.ease.running import Task, run_all
from trivet.model.ease import Observation, Program


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def ran(monkeypatch):
    """Collect the titles of what is run; each prints its title."""
    titles = []

    def observe(crew, task, slot):
        titles.append(task.title)
        return Observation(stdout=task.title, stderr="", error="", ended="", seconds=1.0, traces=None)

    monkeypatch.setattr(running._Crew, "_observe", observe)
    monkeypatch.setattr(kept, "key_of", lambda program, environment, *, timed: f"{program.digest}-{timed}")
    return titles


class Home:
    environment = None


def task(name, *, timed=False):
    return Task(program=Program(files={}, targets=(), digest=name), home=Home(), timed=timed, title=name)


def run(*tasks, again=False):
    said = []
    found = run_all(tasks, jobs=2, again=again, say=said.append)
    return found, said


def test_the_same_program_runs_once_and_is_kept(ran):
    found, said = run(task("a"), task("a"), task("b"))
    assert sorted(ran) == ["a", "b"]
    assert {key: seen.stdout for key, seen in found.items()} == {"a-False": "a", "b-False": "b"}
    assert len(said) == 2
    found, said = run(task("a"), task("c"))
    assert ran[2:] == ["c"]
    assert found["a-False"].stdout == "a"


def test_again_runs_what_is_kept(ran):
    run(task("a"))
    run(task("a"), again=True)
    assert ran == ["a", "a"]


def test_what_counts_time_comes_last_and_is_another_thing(ran):
    run(task("a", timed=True), task("a"), task("b"))
    assert ran[-1] == "a"
    assert len(ran) == 3


def test_a_damaged_observation_is_run_again(ran, tmp_path):
    run(task("a"))
    (file,) = (tmp_path / "cache").rglob("a-False.json")
    file.write_text('{"stdout": ')
    run(task("a"))
    assert ran == ["a", "a"]


def test_an_interrupt_keeps_what_was_done(ran, monkeypatch):
    def say(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all([task("a"), task("b", timed=True)], jobs=1, say=say)
    assert ran == ["a"]
    run(task("a"), task("b", timed=True))
    assert ran == ["a", "b"]


def test_what_was_ended_by_an_interrupt_is_not_kept(monkeypatch):
    begun, end = threading.Event(), threading.Event()

    def observe(crew, task, slot):
        begun.set()
        end.wait(10)
        return Observation(stdout="", stderr="", error="", ended="killed", seconds=1.0, traces=None)

    monkeypatch.setattr(running._Crew, "_observe", observe)
    crew = running._Crew(1)
    thread = threading.Thread(target=crew.carry_out, args=("key", task("a")))
    thread.start()
    begun.wait(10)
    crew.end()
    end.set()
    thread.join(10)
    assert kept.find("key") is None


@pytest.mark.parametrize("bad", [{"disturbed": True}, {"ended": "It took too long."}])
def test_times_that_do_not_count_and_processes_that_were_killed_are_tried_again(monkeypatch, bad):
    seen = {"stdout": "", "stderr": "", "error": "", "ended": "", "seconds": 1.0, "traces": None, **bad}
    monkeypatch.setattr(running._Crew, "_observe", lambda crew, task, slot: Observation(**seen))
    running._Crew(1).carry_out("key", task("a", timed=True))
    assert kept.find("key") is None
