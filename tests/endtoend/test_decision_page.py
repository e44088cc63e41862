"""The page of a decision in a real browser: its answers can be changed, and nothing is said that cannot be traced."""

import dataclasses
import json
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from browser import before_end, complaints, find_browser, on_a_phone, open_page
from decision_pages import UNTRACED, WALK, walked_alike
from made_up_decision import (
    ANSWERS,
    EVIDENCE,
    KEYS,
    QUESTIONS,
    RUN,
    TITLES,
    TODAY,
    effect,
    random_answers,
    random_tree,
    recommendation,
    tree,
)
from trivet.decide.walk import walk
from trivet.model.decision import Answer, Branch, ReadyTree, Reason, Recommendation
from trivet.report import words
from trivet.report.decision.page import headline, render_decision


def page_of(
    ready: ReadyTree | None = None,
    told: Recommendation | None = None,
    *,
    answers: dict[str, Answer] | None = None,
    **more: Any,
) -> str:
    """Return the page of the made-up decision, or of a change of it."""
    ready = ready or tree()
    answers = ANSWERS if answers is None else answers
    told = told or recommendation(walk(ready, answers))
    return render_decision(
        told,
        ready,
        QUESTIONS,
        answers,
        EVIDENCE,
        titles=TITLES,
        today=TODAY,
        run_pages={RUN: "runs/page.html"},
        **more,
    )


def stronger() -> ReadyTree:
    """Return the tree with other evidence for a long training."""
    ready = tree()
    hours = ready.nodes["hours"]
    more = effect("jax", 9.0, dimension="performance", key=KEYS[2], question="hours")
    branches = tuple(dataclasses.replace(one, effects=(*one.effects, more)) for one in hours.branches)
    return dataclasses.replace(
        ready, nodes={**ready.nodes, "hours": dataclasses.replace(hours, branches=branches)}
    )


def other() -> ReadyTree:
    """Return a second tree, somebody's advice."""
    found = random_tree(random.Random(4))
    return dataclasses.replace(found, title="Advice", source="Advice, https://example.org/advice.")


def outcome_of(page: str, folder: Path, act: str) -> Any:
    """Return what a script finds."""
    return open_page(page, folder, script=act).answer


@pytest.fixture(scope="module")
def page() -> str:
    find_browser()
    told = recommendation(walk(tree(), ANSWERS))
    return page_of(told=told, others=[other()], alternatives={told.flips[2]: stronger()})


def test_the_console_is_silent_and_nothing_is_fetched(page: str, tmp_path: Path) -> None:
    opened = open_page(
        page, tmp_path, script="return performance.getEntriesByType('resource').map((one) => one.name);"
    )
    assert opened.console == []
    assert [name for name in opened.answer if not name.startswith("data:")] == []
    assert 'data-drawn="yes"' in opened.dom


def test_a_broken_page_is_noticed(page: str, tmp_path: Path) -> None:
    broken = page.replace("controls.forEach(put);\nshow();", "controls.forEach(put);\nshow(undefined_thing);")
    assert broken != page
    assert any("undefined_thing" in line for line in open_page(broken, tmp_path).console)


def test_the_pages_walk_is_pythons(tmp_path: Path) -> None:
    rng = random.Random(1)
    trees = [tree(), *(random_tree(rng) for _ in range(99))]
    cases = [(place, random_answers(rng)) for place in range(len(trees)) for _ in range(6)]
    outcomes = walked_alike(trees, cases, tmp_path)
    assert {one.choice for one in outcomes} == {"", "torch", "tensorflow", "jax"}
    assert sum(bool(one.portfolio) for one in outcomes) > 20
    assert sum(bool(one.out) for one in outcomes) > 20


@pytest.mark.parametrize(
    ("sound", "broken"),
    [
        ("by + SLACK >= tree.margin", "by > tree.margin"),
        ("weights[dimension] *= factor", "weights[dimension] = factor"),
        (
            "if (effect.framework === b && effect.over === a) total -=",
            "if (effect.framework === b && effect.over === a) total +=",
        ),
        ("above <= answer", "above < answer"),
        ("branches[0].next", "branches.at(-1).next"),
        ("points(a, effects, weights) > SLACK", "points(a, effects, weights) >= 0"),
        ("effect.role === role", "true"),
    ],
)
def test_a_walk_that_differs_is_noticed(tmp_path: Path, sound: str, broken: str) -> None:
    text = WALK.read_text(encoding="utf-8")
    assert text.count(sound) == 1
    rng = random.Random(1)
    trees = [tree(), *(random_tree(rng) for _ in range(99))]
    cases = [(place, random_answers(rng)) for place in range(len(trees)) for _ in range(6)]
    with pytest.raises(AssertionError):
        walked_alike(trees, cases, tmp_path, text.replace(sound, broken))


def test_it_begins_with_what_python_found(page: str, tmp_path: Path) -> None:
    expected = walk(tree(), ANSWERS)
    found = outcome_of(
        page,
        tmp_path,
        """
        return {
          headline: document.getElementById("headline").textContent,
          lit: [...document.querySelectorAll("#tree0 svg.wide .box.lit")].map((one) => one.dataset.box),
          changed: !document.getElementById("changed").hidden,
          shown: [...document.querySelectorAll("#dimensions [data-effect]:not([hidden])")].map((one) => one.textContent.trim()),
        };
        """,
    )
    assert found["headline"] == headline(expected, TITLES)
    assert set(found["lit"]) == {*(step.node for step in expected.path), expected.leaf}
    assert not found["changed"]
    assert len(found["shown"]) == sum(len(step.effects) for step in expected.path)


TRY = """
  const seen = () => [
    document.getElementById("headline").textContent,
    document.querySelector('[data-question="hours"] input[type="number"]').value,
    [...document.querySelectorAll('[data-question="browser"] input')].find((one) => one.checked)?.value,
    document.getElementById("changed").hidden,
  ];
  const found = [seen()];
  for (const button of document.querySelectorAll("[data-try]")) {
    button.click();
    found.push(seen());
  }
  document.getElementById("reset").click();
  found.push(seen());
  return found;
"""


def test_each_flip_can_be_tried_and_taken_back(page: str, tmp_path: Path) -> None:
    before, hours, browser, evidence, after = outcome_of(page, tmp_path, TRY)
    ready = tree()
    assert before == after == [headline(walk(ready, ANSWERS), TITLES), "3", "no", True]
    assert hours == [headline(walk(ready, {**ANSWERS, "hours": 7.25}), TITLES), "7.25", "no", False]
    assert browser == [headline(walk(ready, {**ANSWERS, "browser": True}), TITLES), "3", "yes", False]
    assert evidence == [headline(walk(stronger(), ANSWERS), TITLES), "3", "no", False]
    assert len({one[0] for one in (before, hours, browser, evidence)}) > 1


def test_every_sentence_can_be_traced(page: str, tmp_path: Path) -> None:
    act = (
        UNTRACED
        + """
      const found = [untraced()];
      for (const button of document.querySelectorAll("[data-try]")) {
        button.click();
        found.push(untraced());
      }
      for (const input of document.querySelectorAll('input[type="radio"], input[type="checkbox"]')) {
        input.click();
        found.push(untraced());
      }
      return found;
    """
    )
    found = outcome_of(page, tmp_path, act)
    assert len(found) > 10
    for untraced, sentences in found:
        assert untraced == []
        assert sentences > 20


@pytest.mark.parametrize(
    "planted",
    [
        "<p>TensorFlow is simply best.</p>",
        '<p class="told">TensorFlow is simply best.</p>',
        '<p class="told">TensorFlow is simply best. <a href="#e999">e999</a></p>',
        '<p class="told">TensorFlow is simply best. <a href="#verdict">here</a></p>',
    ],
)
@pytest.mark.parametrize("section", ["verdict", "flips", "dimensions", "portfolio"])
def test_a_planted_sentence_is_noticed(page: str, tmp_path: Path, planted: str, section: str) -> None:
    place = page.index("</section>", page.index(f'<section id="{section}"'))
    found, _ = outcome_of(page[:place] + planted + page[place:], tmp_path, UNTRACED + "return untraced();")
    assert any("simply best" in text for text in found)


def test_a_reason_without_any_source_is_noticed(tmp_path: Path) -> None:
    told = recommendation(walk(tree(), ANSWERS))
    told = dataclasses.replace(told, verdict=(*told.verdict, Reason(text="Everybody knows it.")))
    found, _ = outcome_of(page_of(told=told), tmp_path, UNTRACED + "return untraced();")
    assert found == ["Everybody knows it."]


def test_a_reason_that_rests_on_nothing_in_the_page_is_refused() -> None:
    told = recommendation(walk(tree(), ANSWERS))
    for reason in (
        Reason(text="So.", evidence=("unheard.of/jax",)),
        Reason(text="So.", answers=("unheard of",)),
    ):
        with pytest.raises(ValueError, match="unheard"):
            page_of(told=dataclasses.replace(told, verdict=(reason,)))


@pytest.mark.parametrize(
    "before",
    ["", 'for (const one of document.querySelectorAll("[data-try]")) one.click(); await pause(100);'],
)
def test_axe_finds_nothing(page: str, tmp_path: Path, before: str) -> None:
    assert complaints(page, tmp_path, before=before) == {"light": [], "dark": []}


def test_axe_would_find_something(page: str, tmp_path: Path) -> None:
    planted = '<input><p style="color: #777; background: #888">hard to read</p>'
    found = complaints(before_end(page, "main", planted), tmp_path)
    assert {one.split(":")[0] for one in found["light"]} >= {"label", "color-contrast"}


@pytest.mark.parametrize("planted", ["", '<p style="width: 600px">too wide</p>'])
def test_a_phone_does_not_scroll_sideways(page: str, tmp_path: Path, planted: str) -> None:
    act = """
      for (const one of inside.querySelectorAll("details")) one.open = true;
      for (const one of inside.querySelectorAll("[data-try]")) one.click();
      await pause(200);
      const shown = [...inside.querySelectorAll("svg.tree")].filter((one) => one.getBoundingClientRect().width);
      return [inside.documentElement.clientWidth, inside.documentElement.scrollWidth, shown.map((one) => one.getAttribute("class"))];
    """
    width, scrolled, shown = on_a_phone(before_end(page, "main", planted), tmp_path, act).answer
    assert width <= 390
    assert (scrolled > width) == bool(planted)
    assert set(shown) == {"tree narrow"}


def test_the_evidence_is_shown_as_it_is(page: str, tmp_path: Path) -> None:
    act = """
      return [...document.querySelectorAll('[data-table="evidence"] tbody tr')].map((row) => ({
        key: row.dataset.key,
        text: [...row.cells].map((cell) => cell.textContent.trim()),
        numbers: Object.assign({}, ...[...row.cells].map((cell) => ({ ...cell.dataset }))),
        link: row.querySelector(".source a")?.getAttribute("href") ?? "",
        stale: row.className === "stale",
      }));
    """
    rows = outcome_of(page, tmp_path, act)
    assert [row["key"] for row in rows] == KEYS
    for row, piece in zip(rows, EVIDENCE, strict=True):
        assert json.loads(row["numbers"]["value"]) == piece.value
        assert (json.loads(row["numbers"]["low"]), json.loads(row["numbers"]["high"])) == (
            piece.low,
            piece.high,
        )
        assert json.loads(row["numbers"]["n"]) == piece.n
        assert piece.text in row["text"][1]
        assert row["text"][7].startswith(piece.dated)
        assert row["text"][6] == piece.strength
        assert row["stale"] == piece.is_stale(TODAY)
    assert [row["text"][3] for row in rows] == [
        f"{words.number(37712.5)} examples/s",
        "419 MiB",
        "2.02",
        "native",
        "not known",
        "41.0 lines",
    ]
    assert [row["text"][4] for row in rows][:4] == [
        f"{words.interval(35800.1, 39600.7)}n 3",
        "410–429n 3",
        "1.92–2.11n 3",
        "–",
    ]
    assert [row["link"] for row in rows] == [
        "runs/page.html",
        "runs/page.html",
        "",
        EVIDENCE[3].source,
        "",
        "",
    ]
    assert rows[3]["text"][7] == "2025-11-01stale since 2026-11-01"


@pytest.fixture(scope="module")
def keyboard(page: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("page")
    (folder / "page.html").write_text(page, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        opened = browser.new_page(offline=True)
        opened.goto((folder / "page.html").as_uri())
        yield opened
        browser.close()


def tab_to(opened: Page, selector: str) -> None:
    """Press the tabulator until an element has the focus."""
    for _ in range(200):
        opened.keyboard.press("Tab")
        if opened.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"{selector} cannot be reached with the keyboard")


def test_the_keyboard_changes_the_verdict(keyboard: Page) -> None:
    spoken = keyboard.locator("[aria-live=polite]")
    before = spoken.inner_text()
    tab_to(keyboard, '[data-question="hours"] input[type="range"]')
    keyboard.keyboard.press("End")
    assert spoken.inner_text() != before
    tab_to(keyboard, '[data-question="hours"] input[type="number"]')
    keyboard.keyboard.press("Control+a")
    keyboard.keyboard.type("3")
    assert spoken.inner_text() == before
    assert keyboard.locator("#changed").is_hidden()
    for _ in range(3):
        keyboard.keyboard.press("Shift+Tab")
    tab_to(keyboard, '[data-question="targets"] input')
    keyboard.keyboard.press("Space")
    assert spoken.inner_text() != before
    tab_to(keyboard, "body *")
    keyboard.locator("#reset").focus()
    keyboard.keyboard.press("Enter")
    assert spoken.inner_text() == before


def test_a_leaf_may_be_reached_by_few_effects_only(tmp_path: Path) -> None:
    """A tree whose effects have all gone still has its answers as a basis."""
    ready = tree()
    bare = {
        name: dataclasses.replace(
            node,
            branches=tuple(
                Branch(answer=one.answer, above=one.above, next=one.next) for one in node.branches
            ),
        )
        for name, node in ready.nodes.items()
        if node.question
    }
    bare = {
        name: dataclasses.replace(
            node,
            branches=tuple(
                dataclasses.replace(one, next="end" if one.next == "evidence" else one.next)
                for one in node.branches
            ),
        )
        for name, node in bare.items()
    }
    found, sentences = outcome_of(
        page_of(dataclasses.replace(ready, nodes=bare)), tmp_path, UNTRACED + "return untraced();"
    )
    assert found == []
    assert sentences
