"""What is held against the page of a decision: that each sentence is traced, and that its walk is Python's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from browser import open_page
from trivet.decide.walk import walk
from trivet.model.decision import Answer, Outcome, ReadyTree
from trivet.report import template
from trivet.report.decision.answering import plain
from trivet.report.decision.marks import marks_of, plain_tree

WALK = Path(template.__file__).with_name("templates") / "walk.js"

UNTRACED = """
  const structure = "h2, h3, th, dt, button, summary, svg, .legend, .quiet, .kind, #changed[hidden]";
  const isLive = (href) => (href.startsWith("#") ? document.getElementById(href.slice(1)) !== null : /^https?:/.test(href));
  const isBasis = (href) => /^(#[eac][0-9]+|https?:.*)$/.test(href);
  const isTraced = (told) => {
    const links = [...told.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    return links.some(isBasis) && links.every(isLive);
  };
  const untraced = () => {
    const found = new Set();
    let sentences = 0;
    for (const section of document.querySelectorAll("[data-traced]")) {
      const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const place = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || place.closest(structure)) continue;
        const figure = place.closest(".figure");
        const its = figure ? [...figure.parentElement.querySelectorAll(".told:not([hidden])")] : [place.closest(".told")];
        if (figure?.textContent === "–") continue;
        sentences += 1;
        if (!its.length || !its.every((told) => told && isTraced(told))) found.add((figure ?? place).textContent.trim());
      }
    }
    return [[...found], sentences];
  };
"""
"""JavaScript: `untraced()` returns the texts that lead nowhere, and how many texts there are."""


def walked_alike(
    trees: Sequence[ReadyTree],
    cases: Sequence[tuple[int, Mapping[str, Answer]]],
    folder: Path,
    script: str = "",
) -> list[Outcome]:
    """Walk trees in Python and in the browser, hold the outcomes against each other, and return them.

    Args:
        trees: made ready.
        cases: place of a tree, and answers.
        folder: for the page.
        script: the walk, the page's own by default.
    """
    marks = [marks_of(one.nodes.values(), first=1) for one in trees]
    data = json.dumps(
        {
            "trees": [plain_tree(one, its) for one, its in zip(trees, marks, strict=True)],
            "cases": [(place, plain(answers)) for place, answers in cases],
        }
    )
    text = f"<!doctype html><html><body><script>{script or WALK.read_text(encoding='utf-8')}</script></body></html>"
    ask = f"const {{ trees, cases }} = {data}; return cases.map(([place, answers]) => walk(trees[place], answers));"
    found = open_page(text, folder, script=ask, awaited="false").answer
    outcomes = []
    for (place, answers), one in zip(cases, found, strict=True):
        expected = walk(trees[place], answers)
        ids = {id(mark.effect): mark.id for mark in marks[place]}
        assert one["choice"] == expected.choice
        assert one["open"] == list(expected.open)
        assert one["leaf"] == expected.leaf
        assert {name: [effect["id"] for effect in its] for name, its in one["out"].items()} == {
            name: [ids[id(effect)] for effect in its] for name, its in expected.out.items()
        }
        assert {(a, b): points for a, b, points in one["leads"]} == pytest.approx(expected.leads)
        assert [(step["node"], [effect["id"] for effect in step["effects"]]) for step in one["path"]] == [
            (step.node, [ids[id(effect)] for effect in step.effects]) for step in expected.path
        ]
        assert one["portfolio"] == expected.portfolio
        outcomes.append(expected)
    return outcomes
