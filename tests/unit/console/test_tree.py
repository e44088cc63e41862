from made_up_choice import QUESTIONS, READY, TITLES
from trivet.console.paragraphs import render_text
from trivet.console.tree import in_order, questions_view, tree_view
from trivet.decide import trees
from trivet.decide.ready import make_ready


def flat(text: str) -> str:
    return " ".join(text.split())


def test_every_node_every_branch_and_every_effect_is_shown():
    text = flat(render_text(tree_view(READY, QUESTIONS, TITLES)))
    assert "Whoever leads every other framework by 1 points is chosen." in text
    assert "reach: Where must the model run? (question targets)" in text
    assert "- phones -> speed JAX out: JAX reaches no phone. PyTorch +2 ecosystem: PyTorch reaches" in text
    assert "- don't know, or any other -> speed" in text
    assert "- from 2 h on -> end" in text
    assert "end: the end, leader Whoever leads." in text


def test_the_shipped_trees_fit_80_columns_and_show_all_their_places():
    for name in trees.names():
        tree = trees.load(name)
        ready = make_ready(tree, (), frameworks=tuple(TITLES), today="2026-12-01")
        assert set(in_order(ready)) == {*tree.nodes, *tree.leaves}
        text = render_text(tree_view(ready, tree.questions, TITLES))
        assert max(len(line) for line in text.splitlines()) <= 80
        for place in (*tree.nodes, *tree.leaves):
            assert f"\n{place}: " in text


def test_questions_say_why_and_what_can_be_answered():
    text = flat(render_text(questions_view(QUESTIONS.values())))
    assert "targets Where must the model run? Why: not every framework reaches every place" in text
    assert "Answer: any of phone (phones), browser (browsers)" in text
    assert "Answer: a number h" in text
    assert "Answer: yes or no" in text
