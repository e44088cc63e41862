import dataclasses
import re

import pytest

from evidence_builder import RESNET, TODAY, everything, measured
from made_up_choice import UNUSED, made_up_decision, undecided
from trivet.console.choice import choice_view, recheck_view
from trivet.console.paragraphs import render_text
from trivet.decide import trees
from trivet.decide.decision import decide_on
from trivet.evidence.gather import Asked, Found
from trivet.record.recheck import Change, Recheck


def text_of(decision) -> str:
    return render_text(choice_view(decision))


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("decision", [made_up_decision(), undecided("torch", "tensorflow"), undecided()])
def test_it_fits_80_columns_without_colour(decision):
    text = text_of(decision)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "\x1b" not in text


def test_hard_constraints_come_first_then_the_choice_then_the_path():
    text = text_of(made_up_decision())
    headings = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert headings == [
        "Out by a hard constraint",
        "PyTorch to build in, TensorFlow for research; if it must be one: PyTorch by 1.25",
        "points",
        "What pulls apart",
        "How it got there",
        "What would change it",
        "More than one framework",
        "What one training run costs",
        "What is missing",
        "Evidence",
    ]


def test_every_sentence_has_the_numbers_of_its_evidence_and_each_number_is_listed():
    text = flat(text_of(made_up_decision()))
    assert "x JAX reaches no phone. [1]" in text
    assert "PyTorch, since it reaches phones. [2]" in text
    assert "+1 TensorFlow over PyTorch, performance: TensorFlow is done sooner. [3]" in text
    assert "-0.5 PyTorch, ease: Its errors are long." in text
    assert "trivet compare resnet18" in text
    body, _, listed = text.partition("Evidence Performance is that of resnet18.")
    assert (
        set(re.findall(r"\[\d\]", body)) == set(re.findall(r"\[\d\]", listed)) == {"[1]", "[2]", "[3]", "[4]"}
    )
    assert "STALE since 2026-01-01" in listed
    assert UNUSED.text not in text


def weighed(answers):
    """Return a decision of trivet's own tree on a fact that speaks for performance."""
    tree = trees.load("trivet")
    titles = {"torch": "PyTorch", "jax": "JAX"}
    return decide_on(
        tree,
        answers,
        Found(evidence=tuple(measured(RESNET)), notes=()),
        given="trivet",
        asked=Asked(titles=titles, today=TODAY),
    )


def test_answers_that_change_weights_are_not_without_effect():
    answers = {
        "training_hours": 8.0,
        "price_per_hour": 500.0,
        "runs_planned": 60.0,
        "priority": "performance",
    }
    text = flat(text_of(weighed({**answers, "hardware": "cpu"})))
    assert (
        "- performance counts 3.75 times (1.5 × 1.25 × 2): Is the machine dear? 500; Are there many runs? 60 runs; "
        "What comes first? performance." in text
    )
    assert "Without effect: Who trains on that hardware? CPUs. -" in text


def test_an_answer_that_leads_elsewhere_is_not_without_effect():
    evidence = tuple(one for one in everything() if one.claim.startswith("ecosystem.targets."))
    tree = trees.load("trivet")
    asked = Asked(titles={"torch": "PyTorch", "jax": "JAX"}, today=TODAY)
    found = Found(evidence=evidence, notes=())
    for conversion, said in (
        (
            False,
            "- May a converter or another runtime be used? no: on to “Who reaches the targets by its own tools?”",
        ),
        (True, "Without effect: May a converter or another runtime be used? yes"),
    ):
        answers = {"conversion": conversion, "targets": ("browser",)}
        text = flat(text_of(decide_on(tree, answers, found, given="trivet", asked=asked)))
        assert said in text


def test_points_ahead_are_singular_where_there_is_one():
    outcome = made_up_decision().recommendation.outcome
    leads = {("torch", "tensorflow"): 1.0, ("tensorflow", "torch"): -1.0}
    base = undecided("torch", "tensorflow")
    one = dataclasses.replace(
        base.recommendation,
        outcome=dataclasses.replace(outcome, choice="", open=("torch", "tensorflow"), leads=leads),
    )
    text = flat(text_of(dataclasses.replace(base, recommendation=one)))
    assert "PyTorch is 1 point ahead of TensorFlow" in text
    assert "if it must be one: undecided: PyTorch or TensorFlow" in text


def test_costs_stand_in_a_table():
    text = text_of(made_up_decision())
    row = next(line for line in text.splitlines() if line.startswith("  torch:eager"))
    assert re.fullmatch(r"  torch:eager\s+3\.00 h \(2\.84–3\.17\)\s+7\.50 \(7\.09–7\.92\)", row)


def test_undecided_names_who_is_open():
    assert "Undecided: PyTorch or TensorFlow" in text_of(undecided("torch", "tensorflow"))
    assert "Nothing is left: every framework breaks a hard constraint" in text_of(undecided())


def test_a_recheck_says_whether_it_holds_and_what_changed():
    piece = made_up_decision().used[2]
    slower = dataclasses.replace(piece, value=60.0, low=55.0, high=65.0)
    found = Recheck(
        standing="does not hold",
        before="torch",
        after="jax",
        changes=(
            Change(key=piece.key, before=piece, after=slower, says_else=True),
            Change(key="a/b", before=piece, after=piece, says_else=False),
        ),
        tree_changed=True,
        unmeasured=False,
    )
    text = render_text(recheck_view(found, made_up_decision()))
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "The decision no longer holds.\nThen: PyTorch. Now: JAX.\n" in text
    assert "The tree is not the one of the record" in text
    assert "performance.throughput/torch:eager: 117 images/s (111–124) -> 60.0 images/s (55.0–65.0)" in flat(
        text
    )
    assert "1 more with a new date" in text
    same = dataclasses.replace(found, standing="holds", after="torch", changes=(), tree_changed=False)
    assert "The evidence is the same." in render_text(recheck_view(same, made_up_decision()))
