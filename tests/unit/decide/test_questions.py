"""Questions: all of them say why; answers become the end of a sentence."""

import pytest

from trivet.decide import questions, trees, words
from trivet.errors import UsageError

ALL = questions.load()


@pytest.mark.parametrize("question", ALL.values(), ids=list(ALL))
def test_every_question_says_why_and_can_stand_after_if(question):
    assert question.text.endswith("?")
    assert question.why.endswith(".")
    assert question.when
    assert not question.when.endswith(".")
    assert ("{}" in question.when) == (question.kind != "yes_no")
    if question.kind in ("yes_no", "several", "names"):
        assert question.unless


def test_every_question_is_asked_by_a_shipped_tree():
    used = {name for tree in trees.names() for name in trees.load(tree).questions}
    assert used == set(ALL)


def test_a_path_through_the_default_tree_asks_about_a_dozen():
    """The shortest way asks a dozen or so; what follows from an answer is not asked."""
    tree = trees.load("trivet")
    place, asked = tree.start, []
    while place in tree.nodes:
        node = tree.nodes[place]
        asked += [node.question] if node.question else []
        place = next(branch.next for branch in node.branches if branch.answer == "")
    assert 10 <= len(asked) <= 15
    assert asked[:5] == ["must_use", "must_not", "needs", "conversion", "targets"]
    assert "windows" not in asked
    assert "price_per_hour" not in asked


@pytest.mark.parametrize(
    ("name", "before", "after", "said"),
    [
        ("targets", None, ("browser",), "the model must run in browsers"),
        ("targets", ("phone",), ("phone", "browser"), "the model must run in browsers too"),
        ("targets", ("phone", "browser"), ("phone",), "the model need not run in browsers"),
        ("targets", ("phone",), None, "the answer to “Where must the trained model run?” is not known"),
        ("conversion", None, False, "no other project's converter or runtime may be used"),
        ("research", False, True, "you do research"),
        ("priority", None, "ease", "what comes first is ease of writing and debugging"),
        ("needs", (), ("optax",), "you cannot do without optax"),
        ("needs", ("optax",), (), "you can do without optax"),
    ],
)
def test_a_changed_answer_in_words(name, before, after, said):
    assert words.clause(ALL[name], before, after) == said


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (3.0, None, "one training run takes more than 3 h"),
        (None, 0.025, "one training run takes less than 1.5 min"),
        (0.001, 12.5, "one training run takes between 3.6 s and 12.5 h"),
        (1.5, 20000.0, "one training run takes between 1.5 and 20 000 h"),
        (None, None, "one training run takes any number at all"),
    ],
)
def test_a_number_in_words(low, high, said):
    assert words.between(ALL["training_hours"], low, high) == said


def test_a_question_without_words_of_its_own_is_quoted():
    own = questions.of_table("x", {"text": "How?", "why": "So.", "kind": "yes_no"}, "here")
    assert words.clause(own, None, True) == "the answer to “How?” is yes"
    number = questions.of_table("x", {"text": "How many?", "why": "So.", "kind": "number"}, "here")
    assert words.between(number, 2.0, None) == "the answer to “How many?” is more than 2"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"text": "How?", "kind": "yes_no"}, "the key 'why' is missing"),
        ({"text": "How?", "why": "So.", "kind": "one"}, "options exactly if"),
        ({"text": "How?", "why": "So.", "kind": "yes_no", "options": {"a": "A"}}, "options exactly if"),
        ({"text": "How?", "why": "So.", "kind": "maybe"}, "kind is 'maybe'"),
        ({"text": "How?", "why": "So.", "kind": "yes_no", "wy": "x"}, "unknown key 'wy'. Did you mean why?"),
    ],
)
def test_a_damaged_question_is_refused(table, said):
    with pytest.raises(UsageError) as caught:
        questions.of_table("x", table, "ours.toml line 3: question.x")
    assert said in caught.value.message
    assert "line 3" in caught.value.message
