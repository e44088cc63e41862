import dataclasses

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.console import live, markdown, table
from trivet.model.measurement import Failure
from trivet.plain import all_plain, plain
from trivet.store.events import Noted
from trivet.store.run import Run

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egood\r"


def test_control_characters_are_spelt_out_and_the_rest_stays():
    assert plain(EVIL) == r"\x1b]0;owned\x07\x1b[2J\x9b31m\u202egood\r"
    assert plain("ü 日本\n\tx") == "ü 日本\n\tx"


def test_all_texts_of_a_value():
    @dataclasses.dataclass(frozen=True)
    class Part:
        text: str
        number: int
        parts: tuple[object, ...]

    found = all_plain(Part(text="\x1b", number=1, parts=("\x1b", ["\x1b", None], {"\x1b": "\x1b"})))
    assert found == Part(text=r"\x1b", number=1, parts=(r"\x1b", [r"\x1b", None], {r"\x1b": r"\x1b"}))


@pytest.fixture
def result(tmp_path):
    failure = Failure(status="failed", stage="start", message=f"no {EVIL}")
    run = made_up_run(tmp_path, workloads=["mlp"], generations=1, failures={"jax:jit": failure})
    with Run.open(run.folder, writable=True) as more:
        more.append(Noted(text=f"note {EVIL}"))
    return conclude(Run.open(run.folder))


def test_what_a_run_tells_reaches_no_terminal_raw(result, capsys):
    table.print_result(result)
    shown = capsys.readouterr().out + markdown.render_markdown(result)
    assert shown.count("owned") >= 4
    assert not set(shown) & {"\x1b", "\x07", "\x9b", "\u202e", "\r"}


def test_nor_does_what_happens_meanwhile(result, capsys):
    import sys

    with live.watcher(sys.stderr) as watch:
        watch.say(EVIL)
        watch.doing(EVIL)
        watch.show(result)
    shown = capsys.readouterr().err
    assert "owned" in shown
    assert not set(shown) & {"\x1b", "\x07", "\x9b", "\u202e", "\r"}
