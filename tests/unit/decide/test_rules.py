"""How evidence becomes effects: by value, by ratio, by dominance; stale, missing and contradictory evidence included."""

import dataclasses

import pytest

from evidence_builder import FRAMEWORKS, TODAY, counted, fact, facts, measured, mistakes, need
from trivet.decide.ready import known_of
from trivet.decide.rules import dominance, less, value
from trivet.decide.tree import Rule

TARGETS = Rule(
    kind="value",
    claim="ecosystem.targets.{answer}",
    points={"native": 1.0, "by conversion": -1.0},
    out=("none",),
    dimension="ecosystem",
    roles=("ship",),
)
CONCEPTS = Rule(
    kind="less",
    claim="ease.code.concepts",
    bands=((1.25, 1.0), (2.0, 2.0)),
    dimension="ease",
    roles=("build",),
)
MISTAKES = Rule(
    kind="dominance",
    claim="ease.mistakes.*",
    order=(("silent", "visible NaN", "warned", "located", "meant"), ("silent", "corrected", "meant")),
    rows=3,
    gain=2.0,
    dimension="ease",
    roles=("build",),
)


def known(evidence, frameworks=FRAMEWORKS):
    return known_of(evidence, frameworks=frameworks, today=TODAY)


def points(filled):
    return {(effect.framework, effect.over): effect.points for effect in filled.effects}


def test_a_value_gives_points_or_eliminates():
    evidence = facts(
        "ecosystem.targets.phone", {"torch": "native", "tensorflow": "by conversion", "jax": "none"}
    )
    filled = value.fill(TARGETS, "phone", known(evidence))
    torch, tensorflow, jax = filled.effects
    assert (torch.points, tensorflow.points, jax.points) == (1.0, -1.0, 0.0)
    assert (torch.out, tensorflow.out, jax.out) == (False, False, True)
    assert jax.reason.text == "JAX is out (not at all): phone of jax: none."
    assert jax.reason.evidence == ("ecosystem.targets.phone/jax",)
    assert filled.missing == ()


@pytest.mark.parametrize("missing", [[], facts("ecosystem.targets.phone", {"jax": None})])
def test_what_is_not_known_eliminates_nobody_and_is_a_gap(missing):
    evidence = [*facts("ecosystem.targets.phone", {"torch": "native", "tensorflow": "none"}), *missing]
    filled = value.fill(TARGETS, "phone", known(evidence))
    assert points(filled) == {("torch", ""): 1.0, ("tensorflow", ""): 0.0}
    ((claim, frameworks),) = [(one.claim, one.frameworks) for one in filled.missing]
    assert (claim, frameworks) == ("ecosystem.targets.phone", ("jax",))


def test_stale_evidence_counts_half_and_says_so():
    fresh = fact("ecosystem.targets.phone", "torch", "native", expires="2026-12-02")
    stale = dataclasses.replace(fresh, expires="2026-12-01")
    (before,) = value.fill(TARGETS, "phone", known([fresh])).effects
    (after,) = value.fill(TARGETS, "phone", known([stale])).effects
    assert (before.points, after.points) == (1.0, 0.5)
    assert "Stale since 2026-12-01: it counts half." in after.reason.text
    assert "Stale" not in before.reason.text


def test_a_stale_constraint_still_eliminates_and_says_that_it_is_stale():
    stale = fact("ecosystem.targets.phone", "jax", "none", expires="2026-01-01")
    (effect,) = value.fill(TARGETS, "phone", known([stale])).effects
    assert effect.out
    assert "Stale since 2026-01-01: check it before you rely on it." in effect.reason.text


def test_yes_and_no_are_words_too():
    rule = dataclasses.replace(TARGETS, claim="x", points={"yes": 1.0}, out=("no",))
    yes, no = value.fill(rule, "", known([fact("x", "torch", True), fact("x", "jax", False)])).effects
    assert (yes.points, yes.out, no.out) == (1.0, False, True)


def test_of_variants_the_best_speaks_for_its_framework():
    one = fact("x", "torch", "none")
    other = dataclasses.replace(one, contestant="torch:compile", value="native")
    (effect,) = value.fill(dataclasses.replace(TARGETS, claim="x"), "", known([one, other])).effects
    assert (effect.points, effect.out) == (1.0, False)
    (effect,) = value.fill(dataclasses.replace(TARGETS, claim="x"), "", known([one])).effects
    assert effect.out


def test_a_need_that_brings_another_framework_eliminates():
    rule = dataclasses.replace(
        TARGETS, claim="ecosystem.needs.{answer}", points={"needed": 2.0, "free": 0.0}, out=("other",)
    )
    evidence = need("transformers", {"torch": "needed", "tensorflow": "other", "jax": None})
    filled = value.fill(rule, "transformers", known(evidence))
    assert [(effect.framework, effect.out) for effect in filled.effects] == [
        ("torch", False),
        ("tensorflow", True),
    ]
    assert filled.missing[0].frameworks == ("jax",)


def test_fewer_is_an_advantage_from_the_band_on():
    filled = less.fill(
        CONCEPTS, "", known(counted("ease.code.concepts", {"torch": 20, "tensorflow": 25, "jax": 40.1}))
    )
    assert points(filled) == {("torch", "jax"): 2.0, ("tensorflow", "jax"): 1.0}
    # 25 is 1.25 times 20, and not beyond it.


def test_of_intervals_the_ends_count_that_make_the_advantage_smallest():
    speeds = {"torch:eager": 1.0, "jax:jit": 1.0}
    rule = dataclasses.replace(CONCEPTS, claim="performance.memory")
    wide = measured(speeds, memory={"torch:eager": 100.0, "jax:jit": 135.0}, spread=0.05)
    narrow = measured(speeds, memory={"torch:eager": 100.0, "jax:jit": 135.0}, spread=0.03)
    assert points(less.fill(rule, "", known(wide))) == {}
    assert points(less.fill(rule, "", known(narrow))) == {("torch", "jax"): 1.0}


def test_dominance_needs_a_variant_that_is_nowhere_worse_than_any_of_the_others():
    profiles = {
        "torch:eager": ["located", "meant", "silent", "silent"],
        "torch:compile": ["silent", "meant", "silent", "silent"],
        "jax:jit": ["warned", "meant", "silent", "silent"],
    }
    filled = dominance.fill(MISTAKES, known(mistakes(profiles)))
    assert points(filled) == {("torch", "jax"): 2.0}
    assert "better at m0." in filled.effects[0].reason.text
    assert "ease.mistakes.m3/jax:jit" in filled.effects[0].reason.evidence
    assert filled.missing[0].frameworks == ("tensorflow",)


@pytest.mark.parametrize(
    "jax",
    [
        ["warned", "meant", "silent", "warned"],  # better in one row
        ["located", "meant", "silent", "silent"],  # nowhere worse
        ["warned", "meant", "corrected", "silent"],  # better
        ["warned", "corrected", "visible NaN", "silent"],
    ],
)
def test_no_dominance_where_one_row_speaks_against_it(jax):
    profiles = {"torch:eager": ["located", "meant", "silent", "silent"], "jax:jit": jax}
    assert dominance.fill(MISTAKES, known(mistakes(profiles))).effects == ()


def test_classes_without_an_order_are_not_set_against_each_other():
    profiles = {
        "torch:eager": ["corrected", "meant", "meant"],
        "jax:jit": ["visible NaN", "silent", "silent"],
    }
    assert dominance.fill(MISTAKES, known(mistakes(profiles))).effects == ()


def test_a_large_sum_is_no_dominance():
    """Nine rows to one: whoever adds up would see a winner here."""
    profiles = {"torch:eager": [*["meant"] * 9, "silent"], "jax:jit": [*["silent"] * 9, "meant"]}
    assert dominance.fill(MISTAKES, known(mistakes(profiles))).effects == ()


def test_dominance_needs_enough_rows_and_leaves_out_what_has_no_class():
    profiles = {"torch:eager": ["meant", "meant", "not run"], "jax:jit": ["silent", "silent", "silent"]}
    assert dominance.fill(MISTAKES, known(mistakes(profiles))).effects == ()
    profiles["torch:eager"][2] = "silent"
    assert points(dominance.fill(MISTAKES, known(mistakes(profiles)))) == {("torch", "jax"): 2.0}
