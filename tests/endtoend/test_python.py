"""trivet from Python, on the framework on plain numpy: ask, open, take the numbers on, show the page."""

import html
import json
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import trivet
from documents import ROOT
from made_up import made_up_run
from numpy_contestants import EXTENSIONS
from trivet.api import MeasuredRun
from trivet.conclude import conclude
from trivet.console.live import Watcher
from trivet.errors import StoreError, UsageError
from trivet.model.question import Question
from trivet.model.result import Result
from trivet.store import codec

CONTESTANTS = ["numpy:plain", "numpy:plain#2"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MeasuredRun]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIVET_EXTENSIONS", str(EXTENSIONS))
        patch.setenv("TRIVET_RUNS", str(tmp_path_factory.mktemp("runs")))
        measured = trivet.compare(
            "linear",
            contestants=CONTESTANTS,
            quick=True,
            python={"numpy": sys.executable},
            progress=False,
        )
        yield measured


def test_it_asks_what_the_command_line_asks(run: MeasuredRun) -> None:
    assert run.result.complete
    assert run.result.question["quick"]
    assert run.result.question["contestants"] == CONTESTANTS
    assert run.result.question["pythons"] == {"numpy": sys.executable}
    assert run.result.command == "trivet.compare('linear', ...)"
    statuses = {one.contestant: one.status for one in run.result.workloads[0].contestants}
    # "disturbed" where other work used the machine: the guard's business, not this test's.
    assert set(statuses) == set(CONTESTANTS)
    assert set(statuses.values()) <= {"measured", "disturbed"}


def test_its_folder_holds_what_the_command_line_leaves_there(run: MeasuredRun) -> None:
    assert json.loads((run.folder / "result.json").read_text(encoding="utf-8")) == json.loads(
        codec.encode(run.result)
    )
    assert (run.folder / "report.html").read_text(encoding="utf-8") == run.page


@pytest.mark.parametrize("progress", [True, False])
def test_progress_goes_to_standard_error_or_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    progress: bool,
) -> None:
    stored = made_up_run(tmp_path, workloads=["mlp"])

    def carry_out(question: Question, watch: Watcher, *, command: str) -> tuple[Result, Path]:
        watch.say("how it goes")
        watch.doing("what it does", 3.0)
        watch.show(conclude(stored))
        return conclude(stored), stored.folder

    monkeypatch.setattr(trivet.api, "carry_out", carry_out)
    trivet.compare("mlp", progress=progress)
    told = capfd.readouterr()
    assert told.out == ""
    assert ("how it goes" in told.err) == progress
    assert bool(told.err) == progress


def test_open_finds_it_again(run: MeasuredRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIVET_RUNS", str(run.folder.parent))
    for where in ("last", run.id, run.folder):
        assert trivet.open(where).result == run.result
    with pytest.raises(StoreError, match="no-such-run") as caught:
        trivet.open("no-such-run")
    assert any("trivet runs" in note for note in caught.value.__notes__)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"contestants": ["torch:eagr"]}, "Did you mean torch:eager?"),
        ({"contestants": "jax:jit,torch:eagr"}, "Did you mean torch:eager?"),
        ({"precision": "bfloat61"}, "--precision is 'bfloat61'. Did you mean bfloat16?"),
        ({"device": "gpu"}, "--device is 'gpu'"),
        ({"batch": 0}, "--batch is 0; it must be 1 or more."),
        ({"margin": 100}, "--margin is 100 %"),
        ({"python": {"torch": "/no/such/python"}}, "/no/such/python"),
    ],
)
def test_wrong_words_are_the_command_lines(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        trivet.compare("mlp", **arguments)  # type: ignore[arg-type]


@pytest.fixture
def made_up(tmp_path: Path) -> MeasuredRun:
    return MeasuredRun(made_up_run(tmp_path, unequal=["torch:compile"], disturbed=["jax:jit"]))


def test_records(made_up: MeasuredRun) -> None:
    records = made_up.records()
    contestants = [one for workload in made_up.result.workloads for one in workload.contestants]
    assert [(one["contestant"], one["status"]) for one in records] == [
        (one.contestant, one.status) for one in contestants
    ]
    assert len({tuple(record) for record in records}) == 1, "all have the same keys"
    for record, one in zip(records, contestants, strict=True):
        assert record["items_per_second"] == (one.throughput.value if one.throughput else None)
        assert record["host_peak_bytes_high"] == one.memory["host_peak_bytes"].high
        assert record["parity_equal"] == one.parity["equal"]
    pairs = made_up.records("pairs")
    assert len(pairs) == sum(len(workload.pairs) for workload in made_up.result.workloads)
    first = made_up.result.workloads[0].pairs[0]
    assert (pairs[0]["a"], pairs[0]["ratio"], pairs[0]["verdict"]) == (first.a, first.ratio, first.verdict)
    slices = made_up.records("slices")
    assert {one["clean"] for one in slices} == {True, False}
    assert len(slices) == 2 * 4 * 3 * 5
    with pytest.raises(UsageError, match="no records of 'runs'"):
        made_up.records("runs")


def test_a_data_frame_where_pandas_is_there(made_up: MeasuredRun, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = types.ModuleType("pandas")
    pandas.DataFrame = types.SimpleNamespace(from_records=lambda records: ("frame", records))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    assert made_up.to_pandas("pairs") == ("frame", made_up.records("pairs"))


def test_without_pandas_it_says_what_to_do(made_up: MeasuredRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install pandas.*records\(\) gives the same"):
        made_up.to_pandas()


def test_a_notebook_shows_the_page(made_up: MeasuredRun) -> None:
    shown = made_up._repr_html_()
    frame = re.fullmatch(
        r'<div><iframe title="[^"<>]*" srcdoc="([^"<>]*)" style="[^"<>]*"></iframe></div>', shown
    )
    assert frame
    assert html.unescape(frame[1]) == made_up.page
    # A notebook shows this one line where it cannot show a page.
    assert repr(made_up) == f"<trivet run {made_up.id}: mlp, resnet18; complete>"
    assert "jax:jit" in str(made_up)


def test_importing_trivet_loads_nothing_of_it() -> None:
    program = (
        "import sys, trivet; before = sorted(name for name in sys.modules if name.startswith('trivet'));"
        "assert {'compare', 'open'} <= set(dir(trivet));"
        "heavy = {'numpy', 'scipy', 'pydantic', 'rich', 'altair', 'click'} & set(sys.modules);"
        "trivet.compare; print(before, heavy, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['trivet', 'trivet.version'] set() True"
    with pytest.raises(AttributeError, match="no attribute 'compete'"):
        trivet.compete  # type: ignore[attr-defined] # noqa: B018


def test_the_document_runs(made_up: MeasuredRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block of docs/python.md, with a made-up run in place of a measurement."""
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 3
    pandas = types.ModuleType("pandas")
    pandas.DataFrame = types.SimpleNamespace(from_records=lambda records: {key: [] for key in records[0]})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    monkeypatch.setattr(trivet.api, "compare", lambda *_, **__: made_up)
    monkeypatch.setattr(trivet.api, "open", lambda *_: made_up)
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    documented = set(re.findall(r"`(\w+)`", text))
    assert set(made_up.records()[0]) <= documented | {
        f"{one}_{side}" for one in documented for side in ("low", "high")
    }
