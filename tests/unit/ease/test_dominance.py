import itertools

from trivet.ease.dominance import compare, dominant, standing
from trivet.model.ease import KINDS, Cell


def cells(variant, **kinds):
    return [Cell(mistake=name, variant=variant, switch="", kind=kind) for name, kind in kinds.items()]


def test_the_order_is_antisymmetric():
    for one, other in itertools.product(KINDS, KINDS):
        forward, backward = compare(one, other), compare(other, one)
        assert (forward is None) == (backward is None)
        assert forward is None or forward == -backward


def test_the_order_is_transitive():
    for a, b, c in itertools.product(KINDS, KINDS, KINDS):
        if compare(a, b) == 1 and compare(b, c) == 1:
            assert compare(a, c) == 1, (a, b, c)


def test_a_silent_correction_is_not_set_against_an_error():
    assert compare("corrected", "located") is None
    assert compare("corrected", "silent") == 1
    assert compare("corrected", "meant") == -1


def test_one_dominates_only_if_it_is_nowhere_behind():
    table = cells("a", x="located", y="silent") + cells("b", x="silent", y="silent")
    assert [(pair.variant, pair.against) for pair in dominant(table)] == [("a", "b")]
    table += cells("c", x="silent", y="located")
    assert {(pair.variant, pair.against) for pair in dominant(table)} == {("a", "b"), ("c", "b")}


def test_one_row_that_cannot_be_compared_is_enough_for_no_dominance():
    table = cells("a", x="located", y="corrected") + cells("b", x="silent", y="located")
    assert dominant(table) == ()
    assert standing(table, "a", "b").open == ("y",)


def test_rows_that_one_cannot_make_and_rows_with_a_switch_do_not_count():
    table = cells("a", x="cannot be made", y="located") + cells("b", x="silent", y="located")
    table.append(Cell(mistake="y", variant="b", switch="s", kind="silent"))
    assert standing(table, "a", "b").equal == 1
    assert dominant(table) == ()
