from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.model.contestant import parse_contestant
from trivet.parity.groups import agreeing_groups, reference_group

FIVE = ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit")


def choose(labels, *sides, pairs=()):
    """Return the reference where contestants of one side agree with each other."""
    contestants = [parse_contestant(label) for label in labels]

    def agree(a, b):
        return any(a in side and b in side for side in sides) or (a, b) in pairs or (b, a) in pairs

    return reference_group(contestants, agreeing_groups(contestants, agree))


def test_all_agree():
    assert choose(FIVE, FIVE) == FIVE


def test_most_frameworks_win_over_most_contestants():
    torch = ("torch:eager", "torch:compile", "torch:eager@2.9")
    assert choose((*torch, "tensorflow:graph", "jax:jit"), torch, ("tensorflow:graph", "jax:jit")) == (
        "tensorflow:graph",
        "jax:jit",
    )


def test_among_as_many_frameworks_most_programs_win():
    small, large = ("torch:eager", "jax:jit"), ("torch:compile", "tensorflow:graph", "tensorflow:xla")
    assert choose((*small, *large), small, large) == large


def test_two_frameworks_that_differ_are_a_tie_whatever_their_variants():
    torch = ("torch:eager", "torch:compile")
    assert choose((*torch, "jax:jit"), torch, ("jax:jit",)) == ()


def test_copies_count_once():
    torch = ("torch:eager", "torch:eager#2", "torch:eager#3")
    others = ("torch:compile",)
    assert choose((*torch, *others), torch, others) == ()


def test_variants_of_one_framework_decide_among_themselves():
    labels = ("torch:eager", "torch:compile", "torch:eager@2.9")
    assert choose(labels, ("torch:eager", "torch:eager@2.9"), ("torch:compile",)) == (
        "torch:eager",
        "torch:eager@2.9",
    )


def test_agreement_that_is_not_transitive_is_a_tie():
    labels = ("torch:eager", "tensorflow:graph", "jax:jit")
    pairs = [("torch:eager", "tensorflow:graph"), ("tensorflow:graph", "jax:jit")]
    assert choose(labels, pairs=pairs) == ()


def test_one_alone_and_nobody():
    assert choose(("jax:jit",)) == ("jax:jit",)
    assert choose(()) == ()


@given(st.sets(st.sampled_from(list(itertools.combinations(FIVE, 2)))))
def test_groups_are_exactly_the_maximal_cliques(edges):
    contestants = [parse_contestant(label) for label in FIVE]

    def agree(a, b):
        return (a, b) in edges or (b, a) in edges

    cliques = {
        frozenset(members)
        for size in range(1, 6)
        for members in itertools.combinations(FIVE, size)
        if all(agree(a, b) for a, b in itertools.combinations(members, 2))
    }
    maximal = {clique for clique in cliques if not any(clique < other for other in cliques)}
    assert {frozenset(group) for group in agreeing_groups(contestants, agree)} == maximal


@pytest.mark.parametrize("labels", list(itertools.permutations(FIVE[1:4])))
def test_order_does_not_matter(labels):
    assert set(choose(labels, ("tensorflow:graph", "torch:compile"))) == {"tensorflow:graph", "torch:compile"}
