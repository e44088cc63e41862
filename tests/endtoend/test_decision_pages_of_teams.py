"""The pages of made-up teams, on trivet's own trees and facts: all of it can be traced, and the page decides as Python does."""

import json
import random
from functools import cache
from pathlib import Path

import pytest

from browser import complaints, find_browser, open_page
from decision_pages import UNTRACED, walked_alike
from evidence_builder import TODAY, everything
from teams import TEAMS, decision_of
from trivet.decide import trees
from trivet.decide.decision import Decision, decide_on, titles_of, with_plain_names
from trivet.evidence.gather import Asked, Found
from trivet.model.decision import Answer, Question, ReadyTree
from trivet.report.decision.answering import plain
from trivet.report.decision.files import page_of
from trivet.report.decision.page import headline

CASES = [(team, "trivet") for team in TEAMS] + [("tf_serving_shop", "article"), ("knows_nothing", "article")]

decided = cache(decision_of)


@cache
def page(team: str, tree: str) -> str:
    find_browser()
    return page_of(decided(team, tree), trees.load(tree), place=Path.cwd())


SEEN = """
  const seen = () => ({
    headline: document.getElementById("headline").textContent,
    standing: document.getElementById("standing").textContent,
    untraced: untraced(),
  });
  const found = [seen()];
  for (const button of document.querySelectorAll("[data-try]")) {
    button.click();
    found.push(seen());
  }
  return found;
"""


@pytest.mark.parametrize(("team", "tree"), CASES)
def test_a_teams_page_says_what_python_found_and_nothing_untraced(
    team: str, tree: str, tmp_path: Path
) -> None:
    decision = decided(team, tree)
    opened = open_page(page(team, tree), tmp_path, script=UNTRACED + SEEN)
    assert opened.console == []
    first, *tried = opened.answer
    recommendation = decision.recommendation
    assert first["headline"] == headline(recommendation.outcome, decision.titles)
    if recommendation.runner_up and decision.ready.leaves[recommendation.outcome.leaf].choose == "leader":
        assert recommendation.margin is not None
        assert (
            f"{recommendation.margin:+.3g} over {decision.titles[recommendation.runner_up]}"
            in first["standing"]
        )
    assert len(tried) == len(recommendation.flips)
    for flip, one in zip(recommendation.flips, tried, strict=True):
        expected = decision.titles[flip.choice] if flip.choice else ("Undecided", "None is left")
        alone = one["headline"].rpartition("if it must be one: ")[2]
        assert (alone[0].upper() + alone[1:]).startswith(expected), flip
    for one in opened.answer:
        untraced, sentences = one["untraced"]
        assert untraced == []
        assert sentences


def some_answers(rng: random.Random, questions: dict[str, Question], ready: ReadyTree) -> dict[str, Answer]:
    """Return random answers to a tree's questions."""
    found: dict[str, Answer] = {}
    for name, question in questions.items():
        branches = [one for node in ready.nodes.values() if node.question == name for one in node.branches]
        names = sorted({*question.options, *(one.answer for one in branches if one.answer)})
        if rng.random() < 0.4 or (question.kind == "names" and not names):
            continue
        if question.kind == "yes_no":
            found[name] = rng.random() < 0.5
        elif question.kind == "one":
            found[name] = rng.choice(names)
        elif question.kind == "number":
            edges = [one.above for one in branches if one.above is not None]
            found[name] = rng.choice([*edges, *(1.01 * edge for edge in edges), 1.0])
        else:
            found[name] = tuple(rng.sample(names, rng.randint(1, min(3, len(names)))))
    return found


def test_the_pages_walk_is_pythons_on_trivets_own_trees(tmp_path: Path) -> None:
    rng = random.Random(7)
    readies = [decided("hugging_face_team", tree).ready for tree in trees.names()]
    readies.append(decided("pinn_group", "trivet").ready)
    cases = [
        (place, some_answers(rng, trees.load(one.name).questions, one))
        for place, one in enumerate(readies)
        for _ in range(150)
    ]
    outcomes = walked_alike(readies, cases, tmp_path)
    assert {one.choice for one in outcomes} == {"", "torch", "tensorflow", "jax"}


def test_needs_are_taken_by_their_plain_names() -> None:
    decision: Decision = decided("hugging_face_team", "trivet")
    given = json.loads(
        page("hugging_face_team", "trivet").partition('id="decision">')[2].partition("</script>")[0]
    )
    assert given["given"] == plain(with_plain_names(decision.answers))


@pytest.mark.parametrize("team", ["contradictory", pytest.param("hugging_face_team", marks=pytest.mark.full)])
def test_axe_finds_nothing(team: str, tmp_path: Path) -> None:
    before = 'for (const one of document.querySelectorAll("[data-try]")) one.click(); await pause(100);'
    assert complaints(page(team, "trivet"), tmp_path, before=before) == {"light": [], "dark": []}


def test_a_page_says_which_answers_make_a_dimension_count_more(tmp_path: Path) -> None:
    script = """return [...document.querySelectorAll("#tree0 [data-step]:not([hidden]) [data-weights]")].map((one) => one.textContent).filter(Boolean);"""
    opened = open_page(page("llm_lab", "trivet"), tmp_path, script=script)
    assert opened.console == []
    assert opened.answer == ["performance × 1.5, in all 3 times", "performance × 2, in all 3 times"]


def test_a_pages_headline_names_a_portfolio(tmp_path: Path) -> None:
    find_browser()
    tree = trees.load("trivet")
    answers: dict[str, Answer] = {
        "needs": ("transformers",),
        "targets": ("browser",),
        "conversion": False,
        "several_frameworks": True,
    }
    asked = Asked(titles=titles_of(), today=TODAY)
    found = Found(evidence=tuple(everything()), notes=())
    decision = decide_on(tree, answers, found, given="trivet", asked=asked)
    text = page_of(decision, tree, place=tmp_path)
    opened = open_page(text, tmp_path, script='return document.getElementById("headline").textContent;')
    assert opened.answer == headline(decision.recommendation.outcome, decision.titles)
    assert opened.answer == ("PyTorch to build in, TensorFlow to ship with; if it must be one: none is left")
