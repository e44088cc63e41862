"""Trees: those that ship are whole; in one that is not, everything wrong is said with its line."""

import pytest

from documents import ROOT, write_files
from evidence_builder import FRAMEWORKS, TODAY, everything
from trivet.decide import claims, trees
from trivet.decide.ready import make_ready
from trivet.decide.recommend import recommend
from trivet.ecosystem.cited import facts
from trivet.errors import UsageError

GOOD = """\
title = "ours"
start = "first"
margin = 1

[question.cluster]
text = "Which cluster?"
why = "It differs."
kind = "one"
options = { old = "the old one", new = "the new one" }

[node.first]
question = "targets"
text = "Where?"
next = "cluster"
[[node.first.branch]]
answer = "phone"
rules = [{ rule = "value", claim = "ecosystem.targets.{answer}", points = { native = 1 }, out = ["none"] }]

[node.cluster]
question = "cluster"
text = "Which?"
next = "long"
[[node.cluster.branch]]
answer = "old"
next = "end"
effects = [
  { for = "jax", points = 1, dimension = "team", reason = "The old one has TPUs." },
  { against = ["torch"], points = 0.5, dimension = "ease", role = "all", reason = "It has an old driver." },
]
[[node.cluster.branch]]
answer = "new"
weights = { performance = 2 }

[node.long]
question = "training_hours"
text = "How long?"
next = "end"
[[node.long.branch]]
above = 10
weights = { performance = 2 }

[leaf.end]
choose = "leader"
text = "Points decide"
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that loads a tree from a text, and the messages if it is refused."""

    def load(text):
        path = tmp_path / "ours.toml"
        path.write_text(text)
        return trees.load(path)

    return load


def refused(load, text):
    with pytest.raises(UsageError) as caught:
        load(text)
    return caught.value.message


def test_a_teams_own_tree(load):
    tree = load(GOOD)
    assert tree.name == "ours"
    assert list(tree.questions) == ["targets", "cluster", "training_hours"]
    assert [branch.above for branch in tree.nodes["long"].branches] == [10.0, None, 0.0]
    assert tree.nodes["cluster"].branches[0].advice[1].roles == ("build", "research", "ship")
    assert trees.load(tree.file) == tree


PROBLEMS = [
    # what is replaced, by what, the line, what is said
    ("title =", "titel =", 1, "unknown key 'titel'. Did you mean title?"),
    ('title = "ours"\n', "", 1, "the key 'title' is missing"),
    ("margin = 1", "margin = 0", 3, "margin is 0; expected a number above 0"),
    ('start = "first"', 'start = "frist"', 2, "start is 'frist', which is no node. Did you mean first?"),
    ("[leaf.end]", "[leaf.end", 42, "is not valid TOML"),
    ("[node.long]", "[node.first]", 34, "is not valid TOML"),
    ("[leaf.end]", '[leaf.first]\nchoose = "leader"\ntext = "x"\n[leaf.end]', 42, "the id 'first' is that of a node and of a leaf"),
    ('question = "targets"', 'question = "target"', 12, "unknown question 'target'. Did you mean targets?"),
    ('question = "targets"', 'question = 3', 12, "question is 3; expected a text"),
    ('answer = "phone"', 'answer = "phones"', 16, "unknown answer 'phones'. Did you mean phone?"),
    ('answer = "phone"\n', "", 15, "the branch lacks an answer"),
    ('answer = "phone"', "above = 3", 16, "targets is not answered by a number"),
    ("above = 10", 'answer = "long"', 39, "unknown answer 'long'"),
    ("above = 10", "above = -1", 39, "above is -1; expected a number from 0"),
    ('answer = "new"', 'answer = "old"', 31, "another branch of this node stands for the same answer"),
    ("ecosystem.targets.{answer}", "ecosystem.target.{answer}", 17, "unknown evidence 'ecosystem.target.phone'. Did you mean ecosystem.targets.phone?"),
    ("ecosystem.targets.{answer}", "performance.speed", 17, "unknown evidence 'performance.speed'"),
    ("native = 1", "natve = 1", 17, "never has the value 'natve'. Did you mean native?"),
    ('out = ["none"]', 'out = ["nothing"]', 17, "never has the value 'nothing'"),
    ('rule = "value"', 'rule = "valu"', 17, "unknown rule 'valu'. Did you mean value?"),
    ('rule = "value"', 'rule = "less"', 17, "a rule of kind less needs the key 'bands'"),
    ('rule = "value", claim = "ecosystem.targets.{answer}"', 'rule = "training", bands = []', 17, "belong to the branch"),
    ('claim = "ecosystem.targets.{answer}", points', "points", 17, "a rule of kind value needs the key 'claim'"),
    ("points = { native = 1 }", 'points = { native = "1" }', 17, "points is '1'; expected a number"),
    ('points = { native = 1 }', 'dimension = "easy"', 17, "unknown dimension 'easy'. Did you mean ease?"),
    ('points = { native = 1 }', 'role = "shipping"', 17, "unknown role 'shipping'. Did you mean ship?"),
    ('rule = "value", claim', 'rules = "value", claim', 17, "unknown key 'rules'. Did you mean rule?"),
    ("above = 10", 'answer = "*"\nrules = [{ rule = "training", bands = [{ beyond = 1.01, points = 1 }] }]', 40, "no practical difference"),
    ("above = 10", 'answer = "*"\nrules = [{ rule = "training", bands = [{ beyond = 2, points = 1 }, { beyond = 1.5, points = 2 }] }]', 40, "bands must rise"),
    ("above = 10", 'answer = "*"\nrules = [{ rule = "speed", bands = [{ beyond = 2, points = 1 }] }]', 40, "belong to the branch"),
    ('next = "cluster"', 'next = "clusters"', 14, "next is 'clusters', which is no node and no leaf. Did you mean cluster?"),
    ('answer = "old"\nnext = "end"', 'answer = "old"\nnext = "ends"', 25, "next is 'ends', which is no node and no leaf. Did you mean end?"),
    ('text = "Which?"\nnext = "long"\n', 'text = "Which?"\n', 19, "\"don't know\" leads nowhere"),
    ('text = "Which?"\nnext = "long"\n', 'text = "Which?"\n', 29, "the branch lacks a next"),
    ('next = "end"\n[[node.long', '[[node.long.branch]]\nanswer = "?"\nnext = "end"\n[[node.long', 34, "other numbers leads nowhere"),
    ('text = "How long?"\nnext = "end"', 'text = "How long?"\nnext = "first"', 37, "the way leads in a circle: first > cluster > long > first"),
    ('next = "cluster"', 'next = "long"', 19, "no way leads to the node 'cluster'"),
    ("[leaf.end]", '[leaf.lost]\nchoose = "undecided"\ntext = "x"\n[leaf.end]', 42, "no way leads to the leaf 'lost'"),
    ('choose = "leader"', 'choose = "leaders"', 43, "unknown choice 'leaders'. Did you mean leader?"),
    ('{ for = "jax"', '{ for = "jacks"', 27, "unknown framework 'jacks'. Did you mean jax?"),
    ('{ for = "jax", points = 1', '{ for = "jax", points = -1', 27, "points is -1; expected a number above 0"),
    ('{ for = "jax", points = 1', '{ out = "jax", points = 1', 27, "none beside out"),
    ('{ for = "jax"', '{ for = "jax", out = "torch"', 27, "exactly one of for, against and out"),
    ('for = "jax", points = 1, dimension = "team"', 'for = "jax", points = 1', 27, "the key 'dimension' is missing"),
    (', reason = "It has an old driver."', "", 28, "the key 'reason' is missing"),
    ('role = "all"', 'role = "al"', 28, "unknown role 'al'. Did you mean all?"),
    ("weights = { performance = 2 }\n\n[node.long]", "weights = { speed = 2 }\n\n[node.long]", 32, "unknown dimension 'speed'"),
    ("weights = { performance = 2 }\n\n[node.long]", "weights = { performance = -2 }\n\n[node.long]", 32, "the weight of performance is -2"),
    ("[question.cluster]", "[question.research]", 5, "trivet has a question 'research' already"),
    ('kind = "one"', 'kind = "many"', 5, "kind is 'many'"),
    ('options = { old = "the old one", new = "the new one" }\n', "", 5, "options exactly if"),
    ('[node.cluster]\nquestion = "cluster"\n', "[node.cluster]\n", 22, "asks no question, so its branch has no answer"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "said"), PROBLEMS, ids=[said for *_, said in PROBLEMS])
def test_what_is_wrong_is_said_with_its_line(load, old, new, line, said):
    assert GOOD.count(old) >= 1
    messages = refused(load, GOOD.replace(old, new, 1)).splitlines()
    message = next(one for one in messages if said in one)
    assert "ours.toml" in message
    assert f"line {line}" in message


def test_everything_wrong_is_said_at_once_in_the_files_order(load):
    text = GOOD.replace('"targets"', '"target"').replace('"jax"', '"jacks"').replace('"leader"', '"leaders"')
    messages = refused(load, text).splitlines()
    assert [message.split("ours.toml ")[1].split(":")[0] for message in messages] == [
        "line 12",
        "line 27",
        "line 43",
    ]


def test_a_tree_that_is_not_there():
    with pytest.raises(UsageError, match=r"no tree 'trivt'.*Did you mean trivet"):
        trees.load("trivt")


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "ours.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        trees.load(path)


@pytest.mark.parametrize("name", trees.names())
def test_every_leaf_and_node_of_a_shipped_tree_is_reached_by_some_answers(name):
    tree = trees.load(name)
    ready = make_ready(tree, everything(), frameworks=FRAMEWORKS, today=TODAY)
    seen, coming = set(), [ready.start]
    while coming:
        place = coming.pop()
        if place not in seen:
            seen.add(place)
            coming += [branch.next for branch in ready.nodes[place].branches] if place in ready.nodes else []
    assert seen == {*ready.nodes, *ready.leaves}


@pytest.mark.parametrize("name", trees.names())
def test_every_path_of_a_shipped_tree_explains_itself(name):
    ready = make_ready(trees.load(name), everything(), frameworks=FRAMEWORKS, today=TODAY)
    for node in ready.nodes.values():
        assert node.text
        for branch in node.branches:
            for effect in branch.effects:
                assert effect.reason.text
                assert effect.reason.evidence or effect.reason.answers
                assert effect.reason.answers == ((node.question,) if node.question else ())


def test_the_documented_tree_is_one(tmp_path):
    (path,) = write_files(ROOT / "docs" / "adding" / "tree.md", tmp_path)
    tree = trees.load(path)
    assert list(tree.questions) == ["cluster", "targets", "training_hours"]
    found = recommend(tree, {"cluster": "old"}, everything(), frameworks=FRAMEWORKS, today=TODAY)
    assert found.outcome.out["jax"][0].reason.text == "The old cluster's driver is too old for JAX."
    assert "JAX is ruled out" not in found.verdict[0].text


def test_the_documented_evidence_is_all_there_is():
    text = (ROOT / "docs" / "adding" / "tree.md").read_text()
    for claim in (
        "performance.throughput",
        "ease.code.lines",
        "ecosystem.needs.x",
        "ease.mistakes.x",
        "ease.switch.x",
    ):
        assert claims.problem(claim) == ""
        assert f"`{claim.rsplit('.', 1)[0]}." in text
    for fact in facts():
        assert claims.problem(fact.claim) == ""
        assert f"`{fact.claim.rsplit('.', 1)[0]}." in text
