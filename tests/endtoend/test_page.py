"""The page in a real browser: nothing complains, charts are drawn, and its numbers are those of the JSON."""

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from browser import Opened, before_end, complaints, find_browser, on_a_phone, open_page
from made_up import made_up_run
from trivet.conclude import conclude
from trivet.conclude.timeline import TimedSlice, timeline
from trivet.model.result import Estimate, Flag, LargestBatch, Peak, Result, WorkloadResult
from trivet.report import words
from trivet.report.build import render
from trivet.report.crossing import crossing

DARK = "rgb(21, 24, 28)"
LABELS = ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit")


class Dom(HTMLParser):
    """Rows of tables as the browser has them: (table, contestant or pair) -> cells; and what was drawn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[tuple[str, str, dict[str, str | None], str]] = []
        self.flags: list[tuple[str | None, str | None]] = []
        self.drawn = 0
        self.root: dict[str, str | None] = {}
        self._row: dict[str, str | None] = {}
        self._table = self._section = ""
        self._cell: dict[str, str | None] | None = None
        self._text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "html":
            self.root = attributes
        elif tag == "section":
            self._section = attributes.get("id") or ""
        elif tag == "table":
            self._table = f"{self._section}/{attributes.get('data-table')}"
        elif tag == "tr":
            self._row = attributes
        elif tag == "td":
            self._cell, self._text = attributes, ""
        elif tag == "svg" and "marks" in (attributes.get("class") or ""):
            self.drawn += 1
        if "data-flag" in attributes:
            self.flags.append((attributes.get("data-contestant"), attributes["data-flag"]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "td" and self._cell is not None:
            key = (
                self._row.get("data-contestant")
                or self._row.get("data-setting")
                or f"{self._row.get('data-a')} {self._row.get('data-b')}"
            )
            self.cells.append((self._table, key, self._cell, self._text.strip()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        self._text += data


def with_everything(result: Result) -> Result:
    """Return a result whose first workload has utilisation, a flag and the largest batches as well."""
    first = result.workloads[0]
    contestants = [
        dataclasses.replace(
            one,
            utilisation=Estimate(value=0.123 + place / 50, low=None, high=None, n=4, unit="of peak"),
            flags=(Flag(code="over_peak", message="It is faster than the machine."),) if place == 0 else (),
            largest_batch=LargestBatch(
                value=1024 * (place + 1),
                failed_at=1280 * (place + 1),
                resolution=0.25,
                limit_bytes=8 * 2**30,
                points=((256, 2**30), (512, 2**31), (1024 * (place + 1), 2**32)),
            ),
        )
        for place, one in enumerate(first.contestants)
    ]
    peak = Peak(flops_per_second=3.1e11, framework="jax", operation="matmul", precision="float32")
    full = dataclasses.replace(first, contestants=tuple(contestants), flops_per_item=5.5e6, peak=peak)
    return dataclasses.replace(result, workloads=(full, *result.workloads[1:]))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shown:
    """A result, the slices behind it, and its page."""

    result: Result
    slices: dict[str, tuple[TimedSlice, ...]]
    page: str


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    find_browser()
    run = made_up_run(
        tmp_path_factory.mktemp("runs"), unequal=["tensorflow:xla"], disturbed=["tensorflow:graph"]
    )
    result, slices = with_everything(conclude(run)), timeline(run)
    return Shown(result=result, slices=slices, page=render(result, slices))


ASKED = """
  const chart = (name) => document.querySelector(`[data-chart="${name}"]`);
  const isCross = (path) => /^M[^A-Za-z]*L[^A-Za-z]*M[^A-Za-z]*L[^A-Za-z]*$/.test(path.getAttribute("d"));
  const slices = ["mlp", "resnet18"].map((workload) => {
    const points = [...chart(`${workload}-slices`).querySelectorAll(".mark-symbol path")];
    return [points.filter((one) => !isCross(one)).length, points.filter(isCross).length];
  });
  const lines = () => [...chart("mlp-throughput").querySelectorAll("svg text")]
    .map((one) => one.textContent).filter((text) => text.includes(":"));
  const button = document.querySelector('#mlp [data-toggle="jax:jit"]');
  const toggled = [];
  for (let press = 0; press < 3; press++) {
    toggled.push([button.getAttribute("aria-pressed"), lines()]);
    button.click();
    await pause(500);
  }
  button.click();
  await pause(500);
  const colors = () => [
    getComputedStyle(document.body).backgroundColor,
    getComputedStyle(chart("mlp-throughput").querySelector("svg text")).fill,
  ];
  const schemes = [];
  for (let press = 0; press < 3; press++) {
    schemes.push(colors());
    document.getElementById("theme").click();
  }
  return { slices, toggled, schemes };
"""


@pytest.fixture(scope="module")
def opened(shown: Shown, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return open_page(shown.page, tmp_path_factory.mktemp("page"), script=ASKED)


def test_the_console_is_silent_and_every_chart_is_drawn(opened: Opened) -> None:
    dom = Dom(opened.dom)
    assert opened.console == []
    assert dom.root.get("data-drawn") == "yes"
    assert dom.drawn == 7 + 1 + 7


@pytest.mark.parametrize(
    ("sound", "broken", "words"),
    [
        ("</body>", "<script>undefined_function();</script></body>", "undefined_function"),
        ('"mark":', '"marc":', "Uncaught"),
    ],
)
def test_a_broken_page_is_noticed(shown: Shown, tmp_path: Path, sound: str, broken: str, words: str) -> None:
    assert sound in shown.page
    console = open_page(shown.page.replace(sound, broken), tmp_path).console
    assert any(words in line for line in console)


def numbers_of(workload: WorkloadResult) -> dict[tuple[str, str, str], tuple[float, str]]:
    """Return (table, row, measure) -> (number, words) of all that a workload's tables must say."""
    found: dict[tuple[str, str, str], tuple[float, str]] = {}
    for one in workload.contestants:
        assert one.startup_cold
        assert one.startup_warm
        for measure, estimate, format_ in (
            ("throughput", one.throughput, words.number),
            ("startup_cold", one.startup_cold, words.seconds),
            ("startup_warm", one.startup_warm, words.seconds),
            ("host_peak_bytes", one.memory["host_peak_bytes"], words.size),
        ):
            if estimate is None:  # of a disturbed contestant
                continue
            found["contestants", one.contestant, measure] = (estimate.value, format_(estimate.value))
        for counter, estimate in one.memory.items():
            found["memory", one.contestant, counter] = (estimate.value, words.size(estimate.value))
        for caches, start in (("cold", one.startup_cold), ("warm", one.startup_warm)):
            found["startup", one.contestant, f"startup_{caches}"] = (start.value, words.number(start.value))
        if one.utilisation:
            found["contestants", one.contestant, "utilisation"] = (
                one.utilisation.value,
                words.share(one.utilisation),
            )
        if one.largest_batch:
            largest = one.largest_batch
            assert largest.failed_at
            for table in ("contestants", "largest"):
                found[table, one.contestant, "largest_batch"] = (largest.value, words.count(largest.value))
            found["largest", one.contestant, "failed_at"] = (
                largest.failed_at,
                words.count(largest.failed_at),
            )
            found["largest", one.contestant, "limit_bytes"] = (
                largest.limit_bytes,
                words.size(largest.limit_bytes),
            )
    return found


def test_its_numbers_are_those_of_the_json(opened: Opened, shown: Shown) -> None:
    dom = Dom(opened.dom)
    found = {
        (table, key, cell.get("data-measure"), "low" if "data-low" in cell else "value"): (cell, text)
        for table, key, cell, text in dom.cells
        if cell.get("data-measure")
    }
    checked = 0
    for workload in shown.result.workloads:
        for (table, row, measure), (value, text) in numbers_of(workload).items():
            cell, seen_text = found.pop((f"{workload.workload}/{table}", row, measure, "value"))
            assert float(cell["data-value"] or "nan") == value
            assert seen_text == text
            checked += 1
        for one in workload.contestants:
            if one.throughput is None:
                continue
            cell, text = found[f"{workload.workload}/contestants", one.contestant, "throughput", "low"]
            assert (float(cell["data-low"] or "nan"), float(cell["data-high"] or "nan")) == (
                one.throughput.low,
                one.throughput.high,
            )
            assert text == words.interval(one.throughput.low, one.throughput.high)
        for pair in workload.pairs:
            kind, key = next(
                (kind, f"{seen.a} {seen.b}")
                for seen in (pair, pair.seen_from(pair.b))
                for kind in ("races", "pairs")
                if (f"{workload.workload}/{kind}", f"{seen.a} {seen.b}", "ratio", "value") in found
            )
            table = f"{workload.workload}/{kind}"
            cell, text = found.pop((table, key, "ratio", "value"))
            seen = pair.seen_from(key.split()[0])
            assert float(cell["data-value"] or "nan") == pytest.approx(seen.ratio)
            assert text == words.number(seen.ratio)
            for caches in ("cold", "warm"):
                point = crossing(workload, pair, caches)
                if point is None:
                    assert (table, key, f"break_even_{caches}", "value") not in found
                    continue
                cell, text = found.pop((table, key, f"break_even_{caches}", "value"))
                assert float(cell["data-value"] or "nan") == pair.break_even_items[caches]
                assert text == words.break_even(pair, caches, workload.unit, point.seconds)
                checked += 1
            checked += 1
    assert not [key for key in found if key[3] == "value"], "numbers that no field of the result accounts for"
    assert checked > 100


def test_flags_and_settings_are_those_of_the_json(opened: Opened, shown: Shown) -> None:
    dom = Dom(opened.dom)
    assert dom.flags == [("torch:eager", "over_peak")]
    rows: dict[str, list[str]] = {}
    for table, key, _, text in dom.cells:
        if table == "settings/settings":
            rows.setdefault(key, []).append(text)
    settings = {one.contestant: one.settings for one in shown.result.workloads[0].contestants}
    assert set(rows) == {name for known in settings.values() for name in known}
    for name, (_, *cells) in rows.items():
        assert cells == [settings[label].get(name, "–") for label in LABELS]


def test_every_slice_is_in_the_page_and_the_rejected_ones_are_crosses(opened: Opened, shown: Shown) -> None:
    expected = [
        [sum(one.clean for one in taken), sum(not one.clean for one in taken)]
        for taken in shown.slices.values()
    ]
    assert opened.answer["slices"] == expected
    assert all(rejected for _, rejected in expected)


def test_a_contestant_can_be_taken_out_of_the_charts_and_put_back(opened: Opened) -> None:
    (pressed, before), (released, without), (again, after) = opened.answer["toggled"]
    assert (pressed, released, again) == ("true", "false", "true")
    assert set(before) - set(without) == {"jax:jit"}
    assert after == before


def test_light_and_dark(opened: Opened) -> None:
    light, dark, again = opened.answer["schemes"]
    assert light == again
    assert light[0] == "rgb(255, 255, 255)"
    assert dark[0] == DARK
    assert light[1] != dark[1]


@pytest.mark.parametrize("planted", ["", '<p style="width: 600px">too wide</p>'])
def test_a_phone_that_is_dark_shows_it_dark_and_does_not_scroll_sideways(
    shown: Shown, tmp_path: Path, planted: str
) -> None:
    text = before_end(shown.page, "main", planted)
    script = """
      for (const one of inside.querySelectorAll("details")) one.open = true;
      await pause(200);
      const widest = Math.max(...[...inside.querySelectorAll("svg.marks")].map((one) => one.getBoundingClientRect().right));
      const paper = inside.defaultView.getComputedStyle(inside.body).backgroundColor;
      return [inside.documentElement.clientWidth, inside.documentElement.scrollWidth, widest, paper];
    """
    opened = on_a_phone(text, tmp_path, script)
    width, scrolled, widest, paper = opened.answer
    assert width <= 390
    assert (scrolled > width) == bool(planted)
    assert widest <= width
    assert paper == DARK


def test_axe_finds_nothing(shown: Shown, tmp_path: Path) -> None:
    assert complaints(shown.page, tmp_path) == {"light": [], "dark": []}


def test_axe_would_find_something(shown: Shown, tmp_path: Path) -> None:
    planted = '<img src="data:,"><p style="color: #777; background: #888">hard to read</p>'
    found = complaints(before_end(shown.page, "main", planted), tmp_path)
    for scheme in ("light", "dark"):
        assert {one.split(":")[0] for one in found[scheme]} >= {"image-alt", "color-contrast"}


def test_the_data_can_be_taken_out_again(opened: Opened, shown: Shown) -> None:
    embedded = re.search(r'id="result">(.*?)</script>', opened.dom, re.DOTALL)
    assert embedded
    assert json.loads(embedded[1])["run"] == shown.result.run
