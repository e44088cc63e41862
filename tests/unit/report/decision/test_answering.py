import dataclasses

import pytest

from made_up_decision import ANSWERS, QUESTIONS, tree
from trivet.model.decision import Answer, Flip, Reason
from trivet.report.decision.answering import asked, branch_words, control, in_words, tries


@pytest.mark.parametrize(
    ("question", "answer", "words"),
    [
        ("browser", True, "yes"),
        ("browser", False, "no"),
        ("browser", None, "don't know"),
        ("first", "speed", "speed <of training>"),
        ("targets", ("server", "phone"), "on a server, on phones"),
        ("targets", (), "don't know"),
        ("hours", 2.5, "2.5 h"),
        ("hours", 0.01, "36 s"),
        ("libraries", ("optax",), "optax"),
    ],
)
def test_answers_in_words(question: str, answer: Answer | None, words: str) -> None:
    assert in_words(QUESTIONS[question], answer) == words


def test_branches_in_words() -> None:
    ready = tree()

    def said(name: str) -> list[str]:
        node = ready.nodes[name]
        return [branch_words(QUESTIONS.get(node.question), node, [one]) for one in node.branches]

    assert said("browser") == ["yes", "no", "don't know"]
    assert said("first") == ["speed <of training>", "ease & calm", "don't know"]
    assert said("targets") == ["on phones", "on a server", "don't know"]
    assert said("hours") == ["don't know", "below 0.4 h", "0.4 h to 7.25 h", "from 7.25 h"]
    assert said("libraries") == ["transformers", "any other, don't know"]
    assert said("evidence") == ["by the evidence"]


def test_stretches_of_a_number_in_words() -> None:
    hours = tree().nodes["hours"]
    assert branch_words(QUESTIONS["hours"], hours, hours.branches[1:3]) == "below 7.25 h"
    assert branch_words(QUESTIONS["hours"], hours, hours.branches[1:4]) == "any number"
    seconds = dataclasses.replace(
        hours, branches=(hours.branches[0], dataclasses.replace(hours.branches[2], above=0.001))
    )
    assert [branch_words(QUESTIONS["hours"], seconds, [one]) for one in seconds.branches] == [
        "below 3.6 s, don't know",
        "from 3.6 s",
    ]


def test_an_answer_without_a_branch_of_its_own_takes_that_of_dont_know() -> None:
    node = tree().nodes["browser"]
    yes_only = dataclasses.replace(node, branches=(node.branches[0], node.branches[2]))
    assert branch_words(QUESTIONS["browser"], yes_only, yes_only.branches[1:]) == "no, don't know"
    alone = dataclasses.replace(node, branches=node.branches[2:])
    assert branch_words(QUESTIONS["browser"], alone, alone.branches) == "any answer"


def test_questions_come_in_the_order_of_the_path() -> None:
    assert asked(tree()) == ["browser", "first", "hours", "targets", "libraries"]


def test_a_slider_reaches_past_every_edge_and_holds_the_answer() -> None:
    found = control(QUESTIONS["hours"], [tree()], 3.0)
    assert found.edges == (0.4, 7.25)
    assert (found.low, found.high) == (0.01, 100.0)
    assert control(QUESTIONS["hours"], [tree()], 5000.0).high == 100_000.0
    assert control(dataclasses.replace(QUESTIONS["hours"], low=0.1, high=48.0), [tree()], 3.0).high == 48.0
    nothing = control(QUESTIONS["hours"], [], None)
    assert 0 < nothing.low < nothing.high


def test_names_are_those_that_the_tree_knows_and_those_given() -> None:
    assert list(control(QUESTIONS["libraries"], [tree()], ("mine",)).options) == ["mine", "transformers"]
    assert list(control(QUESTIONS["browser"], [tree()], ANSWERS["browser"]).options) == ["yes", "no"]


@pytest.mark.parametrize(
    ("value", "beyond", "edges", "trial"),
    [
        (3.21834, True, (3.21834,), 3.22),
        (3.21834, False, (3.21834,), 3.21),
        (7.25, True, (0.4, 7.25), 7.25),
        (7.25, False, (0.4, 7.25), 7.24),
        (3.21834, True, (3.21834, 3.219), 3.21834),
        (3.21834, False, (3.2180, 3.21834), 3.21817),
    ],
)
def test_a_number_is_tried_on_the_right_side_of_its_edge(
    value: float, beyond: bool, edges: tuple[float, ...], trial: float
) -> None:
    flip = Flip(
        kind="answer", subject="hours", value=value, beyond=beyond, choice="jax", reason=Reason(text="So.")
    )
    found = tries(flip, QUESTIONS["hours"], edges)
    assert found == pytest.approx(trial)
    assert isinstance(found, float)
    assert found >= value if beyond else found < value
