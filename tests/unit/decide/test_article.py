"""The article's tree says what the article says: for each condition alone, for several, and for its mixed choice."""

import itertools

import pytest

from evidence_builder import FRAMEWORKS, TODAY, everything
from trivet.decide import trees
from trivet.decide.recommend import recommend

CONDITIONS = {
    "torch": [
        {"new_team": True},
        {"research": True},
        {"debugging": True},
        {"hugging_face": True},
        {"mainstream": True},
    ],
    "tensorflow": [
        {"end_to_end": True},
        {"knows": ("keras",)},
        {"concurrency": True},
        {"targets": ("phone",)},
        {"targets": ("browser",)},
    ],
    "jax": [
        {"pretraining": True},
        {"higher_order": True},
        {"last_speed": True},
        {"functional": True},
    ],
}
"""The twelve conditions; "new or research" and "phones or browsers" are one each, and each half alone suffices."""

ALONE = [(framework, answers) for framework, several in CONDITIONS.items() for answers in several]


def advice(answers, **evidence):
    return recommend(
        trees.load("article"), answers, evidence.get("evidence", []), frameworks=FRAMEWORKS, today=TODAY
    )


@pytest.mark.parametrize(("framework", "answers"), ALONE, ids=str)
def test_each_condition_alone_gives_the_articles_answer(framework, answers):
    found = advice(answers)
    assert found.outcome.choice == framework
    assert found.outcome.portfolio == {}
    assert found.verdict[0].answers


@pytest.mark.parametrize(("framework", "answers"), ALONE, ids=str)
def test_a_condition_that_does_not_hold_says_nothing(framework, answers):
    ((question, answer),) = answers.items()
    found = advice({question: False if answer is True else ()})
    assert found.outcome.choice == ""
    assert found.outcome.open == FRAMEWORKS
    assert "none of the conditions holds" in found.verdict[0].text


@pytest.mark.parametrize(
    ("one", "other"),
    [pair for pair in itertools.combinations(ALONE, 2) if not set(pair[0][1]) & set(pair[1][1])],
)
def test_of_two_conditions_those_that_pull_apart_are_undecided(one, other):
    found = advice(one[1] | other[1])
    if one[0] == other[0]:
        assert found.outcome.choice == one[0]
        assert found.conflicts == ()
    else:
        assert found.outcome.choice == ""
        assert set(found.outcome.open) == {one[0], other[0]}
        assert len(found.conflicts) == 2
        for framework, reason in zip(found.outcome.open, found.conflicts, strict=True):
            title = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}[framework]
            assert title in found.verdict[0].text
            assert reason.text.startswith(f"For {title} speaks: ")


def test_conditions_of_all_three_leave_all_three():
    found = advice(
        {"research": True, "knows": ("torch", "keras"), "functional": True, "several_frameworks": False}
    )
    assert found.outcome.choice == ""
    assert found.outcome.open == FRAMEWORKS
    assert found.verdict[0].text == "Undecided: the conditions speak for PyTorch, TensorFlow and JAX."
    assert found.outcome.portfolio == {}


def test_its_authors_mixed_choice():
    answers = {"new_team": True, "research": True, "higher_order": True, "targets": ("phone",)}
    found = advice(answers | {"several_frameworks": True})
    assert found.outcome.portfolio == {"build": "torch", "research": "jax", "ship": "tensorflow"}
    assert [reason.text.split(":")[0] for reason in found.portfolio[:3]] == [
        "PyTorch to build in",
        "JAX for research",
        "TensorFlow to ship with",
    ]


@pytest.mark.parametrize("condition", CONDITIONS["jax"], ids=str)
def test_jax_for_research_is_in_the_portfolio_with_each_of_its_conditions(condition):
    found = advice({"research": True, "several_frameworks": True} | condition)
    assert found.outcome.portfolio == {"build": "torch", "research": "jax", "ship": ""}


@pytest.mark.parametrize("condition", [*CONDITIONS["torch"], *CONDITIONS["tensorflow"]], ids=str)
def test_and_without_them_it_is_not(condition):
    found = advice({"research": True, "several_frameworks": True} | condition)
    assert "jax" not in found.outcome.portfolio.values()


def test_a_portfolio_only_where_one_may_be_made():
    answers = {"new_team": True, "targets": ("browser",)}
    assert advice(answers).outcome.portfolio == {}
    assert advice(answers | {"several_frameworks": False}).outcome.portfolio == {}
    assert advice(answers | {"several_frameworks": True}).outcome.portfolio == {
        "build": "torch",
        "research": "",
        "ship": "tensorflow",
    }


def test_it_is_advice_and_evidence_does_not_change_it():
    for _, answers in ALONE:
        assert advice(answers, evidence=everything()).outcome == advice(answers).outcome


def test_it_is_cited_and_dated_as_an_article():
    tree = trees.load("article")
    assert "article" in tree.source
    assert "2026-12-01" in tree.source
    for _, answers in ALONE:
        found = advice(answers)
        assert all(
            effect.reason.citation == tree.source for step in found.outcome.path for effect in step.effects
        )


def test_a_condition_taken_back_or_added_flips_it():
    found = advice({"research": True})
    flips = {(flip.subject, flip.value): flip.choice for flip in found.flips}
    assert flips["research", None] == ""
    assert flips["research", False] == ""
    assert flips["functional", True] == ""
    assert ("debugging", True) not in flips
