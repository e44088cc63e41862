"""The page in a real browser: nothing complains, charts are drawn, and its numbers are those of the JSON."""

import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.model.result import Result
from trivet.report import words
from trivet.report.build import render

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="module")
def browser() -> str:
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if found is None:
        message = f"no browser found; install one of {', '.join(BROWSERS)}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


class Dom(HTMLParser):
    """Rows of tables as the browser has them: (table, contestant or pair) -> cells; and what was drawn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[tuple[str, str, dict[str, str | None], str]] = []
        self.sections: list[str] = []
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

    def handle_endtag(self, tag: str) -> None:
        if tag == "td" and self._cell is not None:
            key = self._row.get("data-contestant") or f"{self._row.get('data-a')} {self._row.get('data-b')}"
            self.cells.append((self._table, key, self._cell, self._text.strip()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        self._text += data


def open_page(browser: str, page: Path, profile: Path) -> tuple[Dom, list[str]]:
    """Return the page as the browser has it, and what it wrote to its console."""
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--enable-logging=stderr",
            f"--user-data-dir={profile}",
            "--virtual-time-budget=20000",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=180,
        check=True,
    )
    return Dom(done.stdout), [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return conclude(made_up_run(tmp_path_factory.mktemp("runs"), unequal=["tensorflow:xla"]))


@pytest.fixture(scope="module")
def opened(browser: str, result: Result, tmp_path_factory: pytest.TempPathFactory) -> tuple[Dom, list[str]]:
    folder = tmp_path_factory.mktemp("page")
    page = folder / "report.html"
    page.write_text(render(result), encoding="utf-8")
    return open_page(browser, page, folder / "profile")


def test_the_console_is_silent_and_every_chart_is_drawn(opened: tuple[Dom, list[str]]) -> None:
    dom, console = opened
    assert console == []
    assert dom.root.get("data-drawn") == "yes"
    assert dom.drawn == 8


@pytest.mark.parametrize(
    ("sound", "broken", "words"),
    [
        ("</body>", "<script>undefined_function();</script></body>", "undefined_function"),
        ('"mark":', '"marc":', "Uncaught"),
    ],
)
def test_a_broken_page_is_noticed(
    browser: str, result: Result, tmp_path: Path, sound: str, broken: str, words: str
) -> None:
    text = render(result)
    assert sound in text
    (tmp_path / "broken.html").write_text(text.replace(sound, broken), encoding="utf-8")
    _, console = open_page(browser, tmp_path / "broken.html", tmp_path / "profile")
    assert any(words in line for line in console)


def test_its_numbers_are_those_of_the_json(opened: tuple[Dom, list[str]], result: Result) -> None:
    dom, _ = opened
    found = {
        (table, key, cell.get("data-measure"), "low" if "data-low" in cell else "value"): (cell, text)
        for table, key, cell, text in dom.cells
        if cell.get("data-measure")
    }
    checked = 0
    for workload in result.workloads:
        table = f"{workload.workload}/contestants"
        for one in workload.contestants:
            assert one.throughput
            assert one.startup_cold
            assert one.startup_warm
            for measure, estimate, format_ in (
                ("throughput", one.throughput, words.number),
                ("startup_cold", one.startup_cold, words.seconds),
                ("startup_warm", one.startup_warm, words.seconds),
                ("host_peak_bytes", one.memory["host_peak_bytes"], words.size),
            ):
                cell, text = found[table, one.contestant, measure, "value"]
                assert float(cell["data-value"] or "nan") == estimate.value
                assert text == format_(estimate.value)
                checked += 1
            cell, text = found[table, one.contestant, "throughput", "low"]
            assert (float(cell["data-low"] or "nan"), float(cell["data-high"] or "nan")) == (
                one.throughput.low,
                one.throughput.high,
            )
            assert text == words.interval(one.throughput.low, one.throughput.high)
        for pair in workload.pairs:
            key = next(
                (kind, f"{seen.a} {seen.b}")
                for seen in (pair, pair.seen_from(pair.b))
                for kind in ("races", "pairs")
                if (f"{workload.workload}/{kind}", f"{seen.a} {seen.b}", "ratio", "value") in found
            )
            cell, text = found[f"{workload.workload}/{key[0]}", key[1], "ratio", "value"]
            seen = pair.seen_from(key[1].split()[0])
            assert float(cell["data-value"] or "nan") == pytest.approx(seen.ratio)
            assert text == words.number(seen.ratio)
            checked += 1
    assert checked == 2 * (5 * 4 + 6)


def test_the_data_can_be_taken_out_again(opened: tuple[Dom, list[str]], result: Result) -> None:
    text = render(result)
    embedded = re.search(r'id="result">(.*?)</script>', text, re.DOTALL)
    assert embedded
    assert json.loads(embedded[1])["run"] == result.run
