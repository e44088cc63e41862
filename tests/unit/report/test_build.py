import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.conclude.timeline import timeline
from trivet.model.measurement import Failure
from trivet.model.result import Result
from trivet.report import bundle
from trivet.report.build import render
from trivet.report.settings import side_by_side
from trivet.store import codec


@pytest.fixture(autouse=True)
def no_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "script", lambda: "/* charts */")


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return conclude(made_up_run(tmp_path_factory.mktemp("runs")))


class Page(HTMLParser):
    """The parts of a page that tests ask for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"[ \n]+", " ", " ".join(self.words))


def test_the_data_in_the_page_is_the_result(usual: Result) -> None:
    found = re.search(r'<script type="application/json" id="result">(.*?)</script>', render(usual), re.DOTALL)
    assert found
    assert json.loads(found[1]) == json.loads(codec.encode(usual))


def test_nothing_is_fetched(usual: Result) -> None:
    page = Page(render(usual))
    for _, attributes in page.tags:
        for name in ("src", "href", "action", "srcset"):
            value = attributes.get(name) or "#"
            assert value.startswith(("#", "data:")), value
    assert not re.search(r"url\(|@import", render(usual))


def test_what_a_reader_needs_is_there(usual: Result) -> None:
    text = Page(render(usual)).text
    for workload in usual.workloads:
        assert workload.headline in text
    for words in (
        "Parity",
        "Start-up by phase",
        "Memory",
        "Settings",
        "Versions",
        "Machine",
        "Method in short",
    ):
        assert words in text
    assert "trivet compare mlp resnet18 --contestants torch:eager@2.13.0,torch:compile@2.13.0" in text
    assert "--precision float32 --device cpu --threads 2 --budget 5 --margin 5 --seed 0" in text
    assert "--largest-batch" not in text
    assert f"trivet report {usual.run}" in text
    assert "momentum: the velocity holds the learning rate" in text
    assert "docs/method.md" in text


def test_the_search_for_the_largest_batch_is_asked_for_again(usual: Result) -> None:
    searched = dataclasses.replace(usual, question={**usual.question, "largest_batch": True})
    assert "--budget 5 --largest-batch --margin 5" in Page(render(searched)).text


def test_every_chart_has_its_specification(usual: Result) -> None:
    page = Page(render(usual))
    wanted = [attributes["data-chart"] for _, attributes in page.tags if "data-chart" in attributes]
    given = [attributes.get("id") for tag, attributes in page.tags if tag == "script"]
    assert len(wanted) == 2 * 6
    assert set(wanted) <= set(given)


HOSTILE = "</script><script>alert('x')</script><img src=x onerror=alert(1)> & {{ 7*7 }}"


def hostile(result: Result) -> Result:
    workload = result.workloads[0]
    contestant = dataclasses.replace(workload.contestants[0], reason=HOSTILE, settings={HOSTILE: HOSTILE})
    return dataclasses.replace(
        result,
        command=HOSTILE,
        notes=(HOSTILE,),
        machine={**result.machine, "cpu": HOSTILE},
        workloads=(
            dataclasses.replace(
                workload,
                headline=HOSTILE,
                summary=HOSTILE,
                contestants=(contestant, *workload.contestants[1:]),
            ),
        ),
    )


def test_no_word_of_a_run_becomes_markup(usual: Result) -> None:
    plain, attacked = Page(render(usual)), Page(render(hostile(usual)))
    assert "img" not in [tag for tag, _ in attacked.tags]
    assert [tag for tag, _ in attacked.tags].count("script") == [tag for tag, _ in plain.tags].count(
        "script"
    ) - 6
    assert HOSTILE in attacked.text
    assert "49" not in re.findall(r"& (\w+)", attacked.text)


CASES: dict[str, dict[str, Any]] = {
    "one contestant": {"speeds": {"jax:jit": 150.0}, "workloads": ["mlp"]},
    "quick": {"generations": 1, "quick": True},
    "nothing measured yet": {"generations": 0, "finished": False},
    "nobody is equal": {
        "unequal": ["torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit"]
    },
    "all disturbed": {
        "disturbed": ["torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit"]
    },
    "unguarded": {"guarded": False},
    "a failure": {
        "failures": {
            "jax:jit": Failure(status="failed", stage="start", message="It broke.", log="logs/x.txt")
        }
    },
    "a diverging loss": {"losses": {"jax:jit": [1.0, 2.0, float("inf"), float("nan")]}},
}


@pytest.mark.parametrize("case", CASES)
def test_every_kind_of_run_has_a_page(tmp_path: Path, case: str) -> None:
    result = conclude(made_up_run(tmp_path, **CASES[case]))
    text = Page(render(result)).text
    for workload in result.workloads:
        assert workload.headline in text
    for note in result.notes:
        assert note in text
    expected = {
        "quick": "assumed",
        "nobody is equal": "differs first at",
        "all disturbed": "disturbed",
        "unguarded": "unguarded",
        "a failure": "It broke. (logs/x.txt in the run folder)",
        "a diverging loss": "not finite",
        "nothing measured yet": "pending",
        "one contestant": "there is nothing to rank",
    }
    assert expected[case] in text


def test_a_run_of_which_nothing_is_known_yet(usual: Result) -> None:
    empty = dataclasses.replace(usual, workloads=(), complete=False, environments={})
    assert "Nothing has been measured." in Page(render(empty)).text


def test_gpu_readings_and_child_processes_are_listed(usual: Result) -> None:
    from trivet.model.result import Child

    workload = usual.workloads[0]
    first = dataclasses.replace(
        workload.contestants[0],
        gpu={"clocks_mhz": 1410.0, "power_watts": 212.0},
        children=(Child(name="compile_worker", count=2, peak_bytes=300 * 2**20),),
    )
    changed = dataclasses.replace(
        usual, workloads=(dataclasses.replace(workload, contestants=(first, *workload.contestants[1:])),)
    )
    text = Page(render(changed)).text
    assert "clocks mhz" in text
    assert "1\N{NARROW NO-BREAK SPACE}410" in text
    assert "compile_worker ×2, up to 300 MiB" in text


def test_slices_are_drawn_where_they_are_given(tmp_path: Path) -> None:
    run = made_up_run(tmp_path, disturbed=["jax:jit"])
    page = Page(render(conclude(run), timeline(run)))
    charts = [attributes["data-chart"] for _, attributes in page.tags if "data-chart" in attributes]
    assert [name for name in charts if str(name).endswith("-slices")] == ["mlp-slices", "resnet18-slices"]
    rejected = sum(not one.clean for one in timeline(run)["mlp"])
    assert f"{rejected} slices do not count." in page.text


def test_what_is_implausible_is_said(usual: Result) -> None:
    from trivet.model.result import Estimate, Flag, Peak

    workload = usual.workloads[0]
    first = dataclasses.replace(
        workload.contestants[0],
        utilisation=Estimate(value=1.31, low=None, high=None, n=3, unit="of peak"),
        flags=(Flag(code="over_peak", message="It does more than the machine can."),),
    )
    changed = dataclasses.replace(
        workload,
        contestants=(first, *workload.contestants[1:]),
        flops_per_item=11.2e9,
        peak=Peak(flops_per_second=2.4e11, framework="torch", operation="convolution", precision="float32"),
    )
    text = Page(render(dataclasses.replace(usual, workloads=(changed,)))).text
    assert "It does more than the machine can." in text
    assert "131 %" in text
    assert "11.2 GFLOP for each of the" in text
    assert (
        "240 GFLOP/s ( torch , convolution , float32 )" in text or "240 GFLOP/s (torch, convolution" in text
    )


def test_settings_stand_side_by_side_and_what_differs_is_marked(usual: Result) -> None:
    workload = usual.workloads[0]
    known = [{"same": "1", "other": "a"}, {"same": "1", "other": "b", "own": "x"}]
    contestants = [
        dataclasses.replace(one, settings=settings)
        for one, settings in zip(workload.contestants, known, strict=False)
    ]
    changed = dataclasses.replace(
        usual, workloads=(dataclasses.replace(workload, contestants=tuple(contestants), pairs=()),)
    )
    table = side_by_side(changed)
    assert table.labels == tuple(one.contestant for one in contestants)
    assert [(row.name, row.values, row.differs) for row in table.rows] == [
        ("other", ("a", "b"), True),
        ("own", ("–", "x"), True),
        ("same", ("1", "1"), False),
    ]
    marked = [attributes for tag, attributes in Page(render(changed)).tags if tag == "tr"]
    assert [one["data-setting"] for one in marked if one.get("class") == "differs"] == ["other", "own"]
