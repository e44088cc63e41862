import dataclasses
import itertools
import random

import pytest

from made_up_decision import QUESTIONS, TITLES, random_tree, tree
from trivet.model.decision import Branch, Leaf, Node, ReadyTree
from trivet.report.decision.layout import initials, lay_out
from trivet.report.decision.picture import Box, Pill

LETTERS = initials(TITLES)


def straight() -> ReadyTree:
    """Return a tree without forks."""
    ready = tree()
    order = [*ready.nodes, "end"]
    nodes = {
        name: dataclasses.replace(
            node, branches=tuple(dataclasses.replace(one, next=order[place + 1]) for one in node.branches)
        )
        for place, (name, node) in enumerate(ready.nodes.items())
    }
    return dataclasses.replace(ready, nodes=nodes)


def forked() -> ReadyTree:
    """Return a tree that forks at every node, with leaves of their own."""
    names = [f"n{number}" for number in range(15)]
    nodes = {
        name: Node(
            id=name,
            question="browser",
            text=f"Question {name}",
            branches=tuple(
                Branch(
                    answer=answer,
                    next=f"n{2 * place + way}" if 2 * place + way < 15 else f"l{2 * place + way}",
                )
                for way, answer in ((1, "yes"), (2, ""))
            ),
        )
        for place, name in enumerate(names)
    }
    leaves = {f"l{number}": Leaf(id=f"l{number}", choose="torch", text="PyTorch") for number in range(15, 31)}
    return dataclasses.replace(tree(), start="n0", nodes=nodes, leaves=leaves)


def apart(one: Box | Pill, other: Box | Pill) -> bool:
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


@pytest.mark.parametrize("width", [1064, 340])
@pytest.mark.parametrize("seed", range(12))
def test_nothing_lies_on_anything_else_and_all_lies_within(width: float, seed: int) -> None:
    ready = [tree(), straight(), forked(), *(random_tree(random.Random(n)) for n in range(9))][seed]
    picture = lay_out(ready, QUESTIONS, LETTERS, width=width)
    shapes = [*picture.boxes, *picture.pills]
    assert all(apart(one, other) for one, other in itertools.combinations(shapes, 2))
    for one in shapes:
        assert one.x >= 0
        assert one.y >= 0
        assert one.x + one.width <= picture.width
        assert one.y + one.height <= picture.height
    for pill in picture.pills:
        assert all(pill.x < chip.x and chip.x + 26 <= pill.x + pill.width for chip in pill.chips)


@pytest.mark.parametrize("ready", [tree(), straight(), forked()])
def test_everything_is_drawn_once_and_every_branch_leads_on(ready: ReadyTree) -> None:
    picture = lay_out(ready, QUESTIONS, LETTERS, width=1064)
    assert sorted(box.id for box in picture.boxes) == sorted([*ready.nodes, *ready.leaves])
    drawn = {(edge.source, branch): edge.target for edge in picture.edges for branch in edge.branches}
    branches = {
        (name, place): branch.next
        for name, node in ready.nodes.items()
        for place, branch in enumerate(node.branches)
    }
    assert drawn == branches
    assert {(pill.node, place) for pill in picture.pills for place in pill.branches} == set(branches)
    tops = {box.id: box.y for box in picture.boxes}
    assert all(tops[source] < tops[target] for (source, _), target in branches.items())


def test_a_tree_with_few_forks_is_one_line_with_the_answers_beside_it() -> None:
    picture = lay_out(tree(), QUESTIONS, LETTERS, width=1064)
    assert len({box.x for box in picture.boxes}) == 1
    assert min(pill.x for pill in picture.pills) > max(box.x + box.width for box in picture.boxes)


def test_a_tree_with_many_forks_is_drawn_in_layers() -> None:
    picture = lay_out(forked(), QUESTIONS, LETTERS, width=1064)
    tops = {box.id: box.y for box in picture.boxes}
    assert tops["n7"] == tops["n14"]
    assert len(set(tops.values())) == 5


def test_stretches_of_a_number_that_do_the_same_are_drawn_together() -> None:
    ready = tree()
    hours = ready.nodes["hours"]
    alike = dataclasses.replace(hours.branches[2], above=1.5)
    changed = dataclasses.replace(hours, branches=(*hours.branches, alike))
    picture = lay_out(
        dataclasses.replace(ready, nodes={**ready.nodes, "hours": changed}), QUESTIONS, LETTERS, width=1064
    )
    drawn = {pill.branches: pill.label for pill in picture.pills if pill.node == "hours"}
    assert drawn == {(1,): "below 0.4 h", (2, 4, 3): "from 0.4 h", (0,): "don't know"}


def test_chips_say_what_a_branch_does() -> None:
    picture = lay_out(tree(), QUESTIONS, LETTERS, width=1064)
    chips = {
        (pill.node, place): [chip.label for chip in pill.chips]
        for pill in picture.pills
        for place in pill.branches
    }
    assert chips["browser", 0] == ["P×"]
    assert chips["browser", 1] == ["P+"]
    assert chips["browser", 2] == []
    assert chips["libraries", 0] == ["P+", "J−"]


def test_a_weight_is_written_beside_the_answer() -> None:
    picture = lay_out(tree(), QUESTIONS, LETTERS, width=1064)
    titles = {(pill.node, pill.branches): pill.title for pill in picture.pills}
    assert titles["first", (1,)] == "ease & calm: ease ×1.5, performance ×0.5"


def test_initials_tell_frameworks_apart() -> None:
    assert initials({"torch": "PyTorch", "paddle": "Paddle", "jax": "JAX"}) == {
        "torch": "Py",
        "paddle": "Pa",
        "jax": "J",
    }
