"""Walking a ready tree: branches, weights, margins, rings, constraints, portfolios."""

import dataclasses

import pytest

from trivet.decide.walk import branches_taken, walk, weights_of
from trivet.model.decision import Branch, Effect, Leaf, Node, ReadyTree, Reason


def effect(framework, points=0.0, **more):
    more = {"dimension": "ease", "role": "build", "reason": Reason(text=f"{framework} {points}")} | more
    return Effect(framework=framework, points=points, **more)


def node(name, question, following, branches):
    """Return a node; branches: answer or number -> effects."""
    made = [
        Branch(
            answer=answer if isinstance(answer, str) else "",
            above=None if isinstance(answer, str) else answer,
            effects=tuple(effects),
            next=following,
        )
        for answer, effects in {"": (), **branches}.items()
    ]
    return Node(id=name, question=question, text=name, branches=tuple(made))


def tree(*nodes, choose="leader", margin=2.0, frameworks=("torch", "tensorflow", "jax")):
    return ReadyTree(
        name="t",
        title="t",
        source="",
        start=nodes[0].id,
        margin=margin,
        frameworks=frameworks,
        nodes={one.id: one for one in nodes},
        leaves={"end": Leaf(id="end", choose=choose, text="the end")},
    )


def always(*effects):
    return node("n", "", "end", {"": effects})


def test_an_answer_takes_its_branch_and_any_other_that_of_dont_know():
    several = node("n", "q", "end", {"a": [effect("jax", 1)], "b": [effect("jax", 2)]})

    def taken(answer):
        return [branch.answer for branch in branches_taken(several, answer)]

    assert taken(None) == [""]
    assert taken(()) == [""]
    assert taken("a") == ["a"]
    assert taken("z") == [""]
    assert taken(("b", "a")) == ["b", "a"]
    assert taken(("a", "z", "y")) == ["a", ""]
    yes_no = node("n", "q", "end", {"yes": [], "no": []})
    assert [branches_taken(yes_no, answer)[0].answer for answer in (True, False)] == ["yes", "no"]


def test_a_number_takes_the_branch_that_holds_from_there_on():
    number = node("n", "q", "end", {0.0: [], 3.0: [effect("jax", 2)], 10.0: []})
    assert [branches_taken(number, answer)[0].above for answer in (0.0, 2.999, 3.0, 9.0, 10.0, 1e9)] == [
        0,
        0,
        3,
        3,
        10,
        10,
    ]
    assert branches_taken(number, -1.0)[0].above is None
    assert branches_taken(number, None)[0].above is None


def test_effects_of_all_answers_count_and_the_first_one_leads_on():
    first = Node(
        id="first",
        question="q",
        text="",
        branches=(
            Branch(answer="", next="end"),
            Branch(answer="a", effects=(effect("jax", 1),), next="left"),
            Branch(answer="b", effects=(effect("jax", 1),), next="right"),
        ),
    )
    ready = tree(first, node("left", "", "end", {}), node("right", "", "end", {}))
    outcome = walk(ready, {"q": ("b", "a")})
    assert [step.node for step in outcome.path] == ["first", "right"]
    assert outcome.path[0].answer == "b, a"
    assert outcome.choice == "jax"
    assert walk(ready, {}).path[0].answer == "don't know"


@pytest.mark.parametrize(("lead", "choice"), [(2.0, "jax"), (1.999, ""), (3.0, "jax")])
def test_the_choice_must_lead_every_other_one_by_the_margin(lead, choice):
    outcome = walk(tree(always(effect("jax", lead))), {})
    assert outcome.choice == choice
    assert outcome.open == (("jax",) if choice else ("torch", "tensorflow", "jax"))
    assert outcome.leads["jax", "torch"] == lead
    assert outcome.leads["torch", "jax"] == -lead


def test_undecided_is_among_those_whom_nobody_beats():
    outcome = walk(tree(always(effect("jax", 5), effect("torch", 4))), {})
    assert outcome.choice == ""
    assert outcome.open == ("torch", "jax")


def test_an_advantage_over_one_is_none_over_another():
    outcome = walk(tree(always(effect("jax", 2, over="torch"))), {})
    assert outcome.leads["jax", "torch"] == 2
    assert outcome.leads["jax", "tensorflow"] == 0
    assert outcome.choice == ""
    assert outcome.open == ("tensorflow", "jax")


def test_a_ring_leaves_all_open():
    ring = [
        effect("jax", 2, over="torch"),
        effect("torch", 2, over="tensorflow"),
        effect("tensorflow", 2, over="jax"),
    ]
    outcome = walk(tree(always(*ring)), {})
    assert (outcome.choice, outcome.open) == ("", ("torch", "tensorflow", "jax"))


def test_weights_multiply_along_the_path_and_count_for_what_came_before():
    branch = Branch(answer="", effects=(effect("jax", 1),), weights={"ease": 1.5}, next="b")
    again = dataclasses.replace(branch, effects=(), weights={"ease": 2.0, "team": 3.0}, next="end")
    nodes = [
        Node(id=name, question="", text="", branches=(one,)) for name, one in (("a", branch), ("b", again))
    ]
    ready = tree(*nodes)
    assert walk(ready, {}).leads["jax", "torch"] == 3.0
    assert weights_of(ready, {}) == {"ease": 3.0, "performance": 1.0, "ecosystem": 1.0, "team": 3.0}


def test_constraints_take_frameworks_out_whatever_their_points():
    outcome = walk(tree(always(effect("jax", 9), effect("jax", out=True), effect("torch", 2))), {})
    assert outcome.choice == "torch"
    assert list(outcome.out) == ["jax"]
    assert ("jax", "torch") not in outcome.leads
    everyone = walk(tree(always(*(effect(name, out=True) for name in ("torch", "tensorflow", "jax")))), {})
    assert (everyone.choice, everyone.open, len(everyone.out)) == ("", (), 3)


def test_whoever_is_left_alone_is_chosen():
    assert walk(tree(always(effect("jax", out=True), effect("torch", out=True))), {}).choice == "tensorflow"


def test_a_constraint_on_all_parts_is_said_once():
    reason = Reason(text="It is ruled out.")
    outs = [effect("jax", out=True, role=role, reason=reason) for role in ("build", "research", "ship")]
    assert len(walk(tree(always(*outs)), {}).out["jax"]) == 1


def test_voices():
    one = tree(always(effect("jax", 0.5)), choose="voices")
    assert walk(one, {}).choice == "jax"
    two = tree(always(effect("jax", 9), effect("torch", 0.5)), choose="voices")
    assert (walk(two, {}).choice, walk(two, {}).open) == ("", ("torch", "jax"))
    none = tree(always(effect("jax", -1)), choose="voices")
    assert walk(none, {}).open == ("torch", "tensorflow", "jax")


def test_a_leaf_that_names_a_framework_or_none():
    assert walk(tree(always(effect("torch", 9)), choose="jax"), {}).choice == "jax"
    assert walk(tree(always(effect("jax", out=True)), choose="jax"), {}).choice == ""
    assert walk(tree(always(effect("torch", 9)), choose="undecided"), {}).choice == ""


def test_a_portfolio_settles_each_part_by_its_own_effects():
    asked = node("m", "several_frameworks", "end", {})
    first = node(
        "n",
        "",
        "m",
        {
            "": (
                effect("torch", 2),
                effect("torch", out=True, role="ship"),
                effect("jax", out=True, role="ship"),
            )
        },
    )
    ready = tree(first, asked)
    assert walk(ready, {"several_frameworks": True}).portfolio == {
        "build": "torch",
        "research": "",
        "ship": "tensorflow",
    }
    assert walk(ready, {"several_frameworks": False}).portfolio == {}
    assert walk(ready, {}).portfolio == {}


def test_one_framework_for_all_parts_is_no_portfolio():
    first = node("n", "", "end", {"": (effect("torch", 2), effect("torch", 2, role="ship"))})
    assert walk(tree(first), {"several_frameworks": True}).portfolio == {}
