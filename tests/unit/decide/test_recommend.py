"""The recommendation: the same twice, every sentence traceable, conflicts named, gaps with their commands."""

import dataclasses

import pytest

from evidence_builder import FRAMEWORKS, MLP, RESNET, TODAY, everything, facts, measured, mistakes
from trivet.decide import trees
from trivet.decide.gaps import on_workload
from trivet.decide.recommend import recommend
from trivet.decide.walk import PORTFOLIO
from trivet.model.evidence import Evidence

TREE = trees.load("trivet")
BUSY = {
    "needs": ("keras-hub",),
    "conversion": True,
    "targets": ("phone", "browser"),
    "training_hours": 20.0,
    "price_per_hour": 30.0,
    "knows": ("torch", "keras"),
    "debugging": True,
    "several_frameworks": True,
}


def choose(answers, evidence=None, *, frameworks=FRAMEWORKS, tree=TREE, today=TODAY):
    given = everything() if evidence is None else evidence
    return recommend(tree, answers, given, frameworks=frameworks, today=today)


def without(evidence, *prefixes):
    return [one for one in evidence if not one.claim.startswith(prefixes)]


def sentences(found):
    yield from found.verdict
    yield from found.conflicts
    yield from found.portfolio
    yield from (flip.reason for flip in found.flips)
    yield from (effect.reason for step in found.outcome.path for effect in step.effects)
    yield from (effect.reason for effects in found.outcome.out.values() for effect in effects)


@pytest.mark.parametrize("answers", [{}, BUSY, {"must_use": "jax", "needs": ("transformers",)}])
@pytest.mark.parametrize("name", ["trivet", "article"])
def test_every_sentence_rests_on_evidence_or_answers(answers, name):
    evidence = everything(RESNET)
    keys = {one.key for one in evidence}
    tree = trees.load(name)
    found = choose(answers, evidence, tree=tree)
    for sentence in sentences(found):
        assert sentence.text
        assert sentence.evidence or sentence.answers, sentence
        assert set(sentence.evidence) <= keys
        assert set(sentence.answers) <= set(tree.questions)


@pytest.mark.parametrize("answers", [{}, BUSY])
def test_the_same_evidence_and_answers_give_the_same_recommendation(answers):
    first = choose(answers)
    assert choose(dict(reversed(answers.items()))) == first
    assert recommend(trees.load("trivet"), answers, everything(), frameworks=FRAMEWORKS, today=TODAY) == first


def test_answers_of_other_trees_are_ignored():
    assert choose(BUSY | {"functional": True, "nonsense": "x"}) == choose(BUSY)


def test_choice_runner_up_and_margin():
    found = choose(
        {"needs": ("keras-hub",), "targets": ("browser",), "knows": ("tensorflow",)}, frameworks=FRAMEWORKS
    )
    assert found.outcome.choice == "tensorflow"
    leads = {b: lead for (a, b), lead in found.outcome.leads.items() if a == "tensorflow"}
    assert found.margin == min(leads.values()) >= TREE.margin
    assert leads[found.runner_up] == found.margin
    assert found.verdict[0].text.startswith("TensorFlow: it leads ")
    assert f"by {found.margin:g} points" in found.verdict[0].text
    assert found.conflicts == ()


def test_constraints_come_right_after_the_choice():
    found = choose({"needs": ("transformers",)})
    assert found.verdict[0].text == "PyTorch: it is the only one that breaks no constraint."
    assert [reason.text.split(" is out")[0] for reason in found.verdict[1:3]] == ["TensorFlow", "JAX"]
    assert (found.runner_up, found.margin) == ("", None)


def test_constraints_that_leave_nobody_are_a_conflict():
    found = choose({"needs": ("transformers", "optax")})
    assert (found.outcome.choice, found.outcome.open) == ("", ())
    (conflict,) = found.conflicts
    assert conflict.text.startswith(
        "The constraints cannot all hold: PyTorch is ruled out by “Which libraries"
    )
    assert conflict.answers == ("needs",)
    assert any(flip.choice == "torch" for flip in found.flips)


def test_a_prescribed_framework_that_is_out():
    found = choose({"must_use": "jax", "targets": ("browser",), "conversion": False})
    assert found.outcome.open == ()
    (conflict,) = found.conflicts
    assert "JAX is ruled out by “Where must the trained model run?”" in conflict.text
    assert {"must_use", "targets"} <= set(conflict.answers)
    texts = [flip.reason.text for flip in found.flips]
    assert "JAX if another project's converter or runtime may be used." in texts


def test_who_is_open_has_what_speaks_for_it():
    found = choose(
        {"knows": ("jax",), "targets": ("browser",), "must_not": ("torch",)},
        without(everything(), "performance.", "ease."),
    )
    assert found.outcome.open == ("tensorflow", "jax")
    assert [reason.text.split(" speaks")[0] for reason in found.conflicts] == ["For TensorFlow", "For JAX"]
    assert found.verdict[0].text == "Undecided between TensorFlow and JAX: neither of them leads by 2 points."


def test_who_is_behind_is_said_why():
    found = choose({"targets": ("phone",)}, without(everything(), "performance.", "ease."))
    assert found.outcome.open == ("torch", "tensorflow")
    assert found.verdict[1].text == (
        "JAX is 2 points behind PyTorch: phone of torch: native. phone of jax: by conversion."
    )


def test_missing_evidence_does_not_decide_and_is_a_gap():
    """Nothing says whether JAX models run within C++: JAX stays, and the gap is named."""
    found = choose({"targets": ("cpp",)}, without(everything(), "performance.", "ease."))
    assert "jax" not in found.outcome.out
    assert "jax" in found.outcome.open
    (gap,) = [one for one in found.gaps if one.claim == "ecosystem.targets.cpp"]
    assert gap.frameworks == ("jax",)
    assert gap.text == "No cited fact says whether models of JAX run within C++ programs."
    assert gap.command == ""
    strict = choose(
        {"targets": ("cpp",), "conversion": False}, without(everything(), "performance.", "ease.")
    )
    assert "jax" not in strict.outcome.out


def test_gaps_name_the_command_that_fills_them_in():
    found = choose({"needs": ("vanished", "never-asked"), "debugging": True, "training_hours": 3.0}, [])
    commands = {gap.claim: gap.command for gap in found.gaps}
    assert commands["ecosystem.needs.vanished"] == "trivet needs vanished"
    assert commands["ecosystem.needs.never-asked"] == "trivet needs never-asked"
    assert commands["performance.throughput"] == "trivet compare"
    assert commands["performance.startup_cold"] == "trivet compare"
    assert commands["ease.mistakes.*"] == "trivet ease"
    assert all(gap.frameworks == FRAMEWORKS for gap in found.gaps)
    assert found.outcome.choice == ""
    assert found.outcome.open == FRAMEWORKS
    claims = {gap.claim for gap in choose({"needs": ("keras-hub",)}).gaps}
    assert claims == {"ease.mistakes.*"}


def test_gaps_of_first_steps_and_of_a_workload_name_a_comparison():
    found = choose({"debugging": True}, [])
    commands = {gap.claim: gap.command for gap in found.gaps}
    first = {command for claim, command in commands.items() if claim.startswith("ease.first_step.")}
    assert first == {"trivet compare"}
    on_mlp = {gap.claim: gap.command for gap in on_workload(found.gaps, "mlp")}
    assert on_mlp["performance.throughput"] == "trivet compare mlp"
    assert on_mlp["ease.mistakes.*"] == "trivet ease"
    assert on_workload(found.gaps, "") == found.gaps


def test_a_gap_says_what_was_asked_in_vain():
    text = "mmdet 3.3 declares no framework; that does not tell on which it runs."
    unknown = [
        Evidence(
            claim="ecosystem.needs.mmdet",
            framework=framework,
            value=None,
            source="the package index: mmdet 3.3",
            dated=TODAY,
            strength="asked",
            text=text,
        )
        for framework in FRAMEWORKS
    ]
    gaps = {gap.claim: gap for gap in choose({"needs": ("mmdet",)}, unknown).gaps}
    assert (gaps["ecosystem.needs.mmdet"].text, gaps["ecosystem.needs.mmdet"].command) == (text, "")


def test_who_is_out_makes_no_gap():
    found = choose({"must_use": "torch"}, [])
    assert found.outcome.choice == "torch"
    assert all(gap.frameworks == ("torch",) for gap in found.gaps)


def test_no_question_answered_and_nothing_known():
    found = choose({}, [])
    assert found.outcome.choice == ""
    assert found.outcome.open == FRAMEWORKS
    assert found.verdict[0].text.startswith("Undecided between PyTorch, TensorFlow and JAX: none")
    assert found.gaps


def test_a_portfolio_says_why_and_what_is_not_known_of_the_switch():
    answers = {"needs": ("transformers",), "targets": ("browser",), "conversion": False, PORTFOLIO: True}
    found = choose(answers)
    assert found.outcome.choice == ""
    assert found.outcome.portfolio == {"build": "torch", "research": "", "ship": "tensorflow"}
    build, ship, switch = found.portfolio
    assert build.text.startswith("PyTorch to build in: transformers of torch: needed.")
    assert "ecosystem.needs.transformers/torch" in build.evidence
    assert ship.text.startswith("TensorFlow to ship with: browser of tensorflow: native.")
    assert "PyTorch and TensorFlow" in switch.text
    assert "has not been measured" in switch.text
    assert switch.answers == (PORTFOLIO,)
    assert choose(answers | {PORTFOLIO: False}).portfolio == ()


def test_stale_evidence_can_cost_the_choice():
    evidence = facts(
        "ecosystem.targets.browser",
        {"torch": "by conversion", "tensorflow": "native", "jax": "by conversion"},
    )
    answers = {"targets": ("browser",)}
    assert choose(answers, evidence).outcome.choice == "tensorflow"
    late = choose(answers, evidence, today="2028-01-01")
    assert late.outcome.choice == ""
    assert late.outcome.leads["tensorflow", "torch"] == 1.0
    assert "Stale since 2027-12-01" in late.outcome.path[4].effects[0].reason.text


def test_dominance_over_planted_mistakes_counts_for_ease():
    rows = 16
    profiles = {
        "torch:eager": ["located"] * rows,
        "tensorflow:graph": ["located"] * rows,
        "jax:jit": ["silent"] * rows,
    }
    found = choose({}, mistakes(profiles))
    assert found.outcome.open == ("torch", "tensorflow")
    profiles["jax:jit"][3] = "meant"
    assert choose({}, mistakes(profiles)).outcome.open == FRAMEWORKS


@pytest.mark.parametrize(
    ("price", "hours", "lead"), [(9.99, 1000.0, 2.0), (10.0, 1000.0, 3.0), (None, 1000.0, 2.0)]
)
def test_a_dear_machine_makes_speed_count_more(price, hours, lead):
    answers = {"training_hours": hours} | ({} if price is None else {"price_per_hour": price})
    found = choose(answers, measured(RESNET))
    assert found.outcome.leads["torch", "jax"] == lead


@pytest.mark.parametrize("speeds", [MLP, RESNET])
def test_a_longer_training_only_moves_what_is_measured(speeds):
    """Nothing but performance effects differ between two lengths of training."""
    short, long = (choose({"training_hours": hours}, everything(speeds)) for hours in (0.0001, 1000.0))
    for one, other in zip(short.outcome.path, long.outcome.path, strict=True):
        if one.node == "training":
            assert one.effects != other.effects
        else:
            assert dataclasses.replace(one, answer="") == dataclasses.replace(other, answer="")


def test_what_is_prescribed_can_be_ruled_out_too():
    found = choose({"must_use": "jax", "must_not": ("jax",)})
    assert (found.outcome.choice, found.outcome.open) == ("", ())
    (conflict,) = found.conflicts
    assert "JAX is ruled out by “" in conflict.text
    assert set(conflict.answers) == {"must_use", "must_not"}


def test_the_only_one_left_rests_on_why_the_others_are_out():
    found = choose({"needs": ("transformers",), "knows": ("torch",)})
    assert set(found.verdict[0].evidence) == {
        "ecosystem.needs.transformers/tensorflow",
        "ecosystem.needs.transformers/jax",
    }
    assert found.verdict[0].answers == ("needs",)


def test_a_prescribed_framework_cites_no_speeds():
    found = choose({"must_use": "torch", "training_hours": 100.0}, measured(RESNET))
    assert found.outcome.choice == "torch"
    assert any(effect.points for step in found.outcome.path for effect in step.effects)
    assert [key for reason in found.verdict for key in reason.evidence] == []


def test_what_speaks_against_the_other_one_is_not_said_to_speak_for_it():
    evidence = facts("ecosystem.targets.phone", {"torch": "by conversion", "tensorflow": "native"})
    evidence += facts("ecosystem.targets.browser", {"torch": "by conversion", "tensorflow": "native"})
    found = choose({"targets": ("phone", "browser")}, evidence, frameworks=("torch", "tensorflow"))
    said = [reason.text for reason in found.verdict[1:]]
    assert found.outcome.choice == "tensorflow"
    assert any(text.startswith("For TensorFlow, 1 point of ecosystem: phone of tensorflow") for text in said)
    assert any(
        text.startswith("Against PyTorch, 1 point of ecosystem: phone of torch: by conversion.")
        for text in said
    )
    assert not any(text.startswith("For TensorFlow") and "of torch" in text for text in said)


def test_less_says_of_what():
    evidence = measured(RESNET, memory={label: 1e9 if label == "jax:jit" else 3e9 for label in RESNET})
    texts = [effect.reason.text for step in choose({}, evidence).outcome.path for effect in step.effects]
    assert any(text.startswith("PyTorch needs more than 1.5 times as much memory as JAX: ") for text in texts)
