"""What must hold on any evidence: better never lowers, removing an option helps no loser, margins hold.

Each check is written as a function that returns what breaks it, and is seen to find a planted fault.
"""

import dataclasses
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from answers_builder import answers_to
from evidence_builder import (
    FRAMEWORKS,
    LABELS,
    TODAY,
    abilities,
    counted,
    measured,
    mistakes,
    need,
    number,
    targets,
    verdict_of,
)
from trivet.decide import trees
from trivet.decide.ready import make_ready
from trivet.decide.rules import race
from trivet.decide.walk import walk

TREE = trees.load("trivet")
BETTER = {
    "ecosystem.targets.": ("none", "by conversion", "native"),
    "ecosystem.abilities.": ("none", "by library", "native"),
    "ecosystem.needs.": ("other", "free", "by extra", "needed"),
}
CLASSES = ("silent", "visible NaN", "warned", "loud elsewhere", "located", "meant")
SEVERAL = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def factor():
    return st.floats(-1.5, 1.5).map(lambda exponent: 2.0**exponent)


@st.composite
def evidence(draw):
    """Return evidence of all kinds, made up; some of it left out, some stale."""
    speeds = {label: 100.0 * draw(factor()) for label in LABELS}
    starts = {label: 5.0 * draw(factor()) for label in LABELS}
    memory = {label: 1e9 * draw(factor()) for label in LABELS}
    pieces = measured(speeds, starts, spread=draw(st.sampled_from([0.01, 0.05, 0.15])), memory=memory)
    words = []
    for piece in [*targets(), *abilities(), *need("optax", dict.fromkeys(FRAMEWORKS, "free"))]:
        ladder = next(values for stem, values in BETTER.items() if piece.claim.startswith(stem))
        expires = draw(st.sampled_from(["2026-06-01", "2027-12-01"]))
        words.append(
            dataclasses.replace(piece, value=draw(st.sampled_from([*ladder, None])), expires=expires)
        )
    lines = counted("ease.code.lines", {name: 30.0 * draw(factor()) for name in FRAMEWORKS})
    worst = draw(st.integers(0, 5))
    planted = mistakes(
        {label: [CLASSES[draw(st.integers(worst, 5))] for _ in range(16)] for label in LABELS[::2]}
    )
    first = [number("ease.first_step.warm", label, draw(factor()), 0.03, "r", "s") for label in LABELS]
    groups = [pieces, words, lines, planted, first]
    return [piece for group in groups if draw(st.integers(0, 5)) for piece in group]


def improved(pieces, framework, draw):
    """Return evidence in which one framework is better in one thing, and nothing else has changed."""
    own = [piece for piece in pieces if piece.framework == framework and not piece.against]
    if not own:
        return pieces
    piece = draw(st.sampled_from(own))
    if piece.claim == "performance.throughput":
        return faster(pieces, piece.contestant, draw(st.floats(1.01, 3.0)))
    return [better(one, draw) if one is piece else one for one in pieces]


def faster(pieces, label, times):
    """Return evidence in which a contestant is faster, its ratios and verdicts with it, as a run would have found them."""
    found = []
    for piece in pieces:
        times_ = 1.0
        if piece.claim == "performance.throughput" and piece.contestant == label:
            times_ = times
        elif piece.claim == "performance.ratio" and label in (piece.contestant, piece.against):
            times_ = times if piece.contestant == label else 1 / times
        if times_ != 1.0:
            moved = {end: getattr(piece, end) * times_ for end in ("value", "low", "high")}
            found.append(dataclasses.replace(piece, **moved))
        else:
            found.append(piece)
    ratios = {(one.contestant, one.against): one for one in found if one.claim == "performance.ratio"}
    return [
        dataclasses.replace(one, value=verdict_of(ratios[one.contestant, one.against]))
        if one.claim == "performance.verdict"
        else one
        for one in found
    ]


def better(piece, draw):
    if isinstance(piece.value, float):
        times = draw(st.floats(0.3, 0.99))
        ends = {
            end: getattr(piece, end) * times for end in ("low", "high") if getattr(piece, end) is not None
        }
        return dataclasses.replace(piece, value=piece.value * times, **ends)
    ladder = next((values for stem, values in BETTER.items() if piece.claim.startswith(stem)), CLASSES)
    if piece.value is None:
        return piece  # To learn something is no improvement: it may be bad news.
    place = draw(st.integers(ladder.index(piece.value), len(ladder) - 1))
    return dataclasses.replace(piece, value=ladder[place])


def lowered(tree, before, after, answers, framework):
    """Return in what a framework stands worse on better evidence, "" if in nothing."""
    one, other = (
        walk(make_ready(tree, pieces, frameworks=FRAMEWORKS, today=TODAY), answers)
        for pieces in (before, after)
    )
    if framework in other.out and framework not in one.out:
        return "it is out"
    for (a, b), lead in one.leads.items():
        if a == framework and (a, b) in other.leads and other.leads[a, b] < lead - 1e-9:
            return f"its lead over {b} fell from {lead} to {other.leads[a, b]}"
    if one.choice == framework != other.choice:
        return "it is no longer chosen"
    if framework in one.open and framework not in other.open:
        return "it is no longer open"
    return ""


@SEVERAL
@given(data=st.data(), before=evidence(), answers=answers_to(TREE), framework=st.sampled_from(FRAMEWORKS))
def test_better_evidence_never_lowers(data, before, answers, framework):
    after = improved(before, framework, data.draw)
    assert lowered(TREE, before, after, answers, framework) == ""


def test_that_check_finds_a_rule_that_points_the_wrong_way():
    """A tree in which conversion is worth more than the framework's own tools."""
    node = TREE.nodes["targets"]
    branches = [
        dataclasses.replace(
            branch,
            rules=tuple(
                dataclasses.replace(rule, points={"native": -1.0, "by conversion": 1.0})
                for rule in branch.rules
            ),
        )
        for branch in node.branches
    ]
    wrong = dataclasses.replace(
        TREE, nodes=TREE.nodes | {"targets": dataclasses.replace(node, branches=tuple(branches))}
    )
    before = targets()
    after = [
        dataclasses.replace(one, value="native") if one.key == "ecosystem.targets.phone/jax" else one
        for one in before
    ]
    answers = {"targets": ("phone",)}
    assert lowered(TREE, before, after, answers, "jax") == ""
    assert "fell from" in lowered(wrong, before, after, answers, "jax")


def helped(tree, pieces, answers, removed):
    """Return who wins without an option but did not win with it, though somebody else did; "" if nobody."""
    rest = tuple(name for name in FRAMEWORKS if name != removed)
    before = walk(make_ready(tree, pieces, frameworks=FRAMEWORKS, today=TODAY), answers)
    after = walk(make_ready(tree, pieces, frameworks=rest, today=TODAY), answers)
    if before.choice and before.choice != removed and after.choice != before.choice:
        return after.choice or "nobody"
    shared = {pair: lead for pair, lead in before.leads.items() if removed not in pair}
    return "" if shared == after.leads else "other leads"


@SEVERAL
@given(pieces=evidence(), answers=answers_to(TREE), removed=st.sampled_from(FRAMEWORKS))
def test_removing_an_option_makes_no_loser_win_against_the_winner(pieces, answers, removed):
    assert helped(TREE, pieces, answers, removed) == ""


def test_that_check_finds_scores_that_depend_on_who_else_is_there(monkeypatch):
    """Speed as a share of the fastest one's in question, as weighted matrices have it."""

    def by_rank(rule, known):
        filled = original(rule, known)
        share = 1.0 / len(known.frameworks)
        return dataclasses.replace(
            filled,
            effects=tuple(dataclasses.replace(one, points=one.points * share) for one in filled.effects),
        )

    original = race.fill_speed
    pieces = measured(dict(zip(LABELS, (300.0, 290.0, 100.0, 110.0, 120.0), strict=True)))
    assert helped(TREE, pieces, {}, "jax") == ""
    monkeypatch.setattr(race, "fill_speed", by_rank)
    assert helped(TREE, pieces, {}, "jax") != ""


def outcome_of(answers, pieces):
    return walk(make_ready(TREE, pieces, frameworks=FRAMEWORKS, today=TODAY), answers)


def within_the_margin(outcome, pieces):
    """Return the sentences that call someone faster whose interval reaches into the margin."""
    ratios = {
        one.key.removeprefix("performance.ratio/"): one for one in pieces if one.claim == "performance.ratio"
    }
    wrong = []
    for step in outcome.path:
        for effect in step.effects:
            if " is faster: " in effect.reason.text:
                pairs = [key.split("/", 1)[1] for key in effect.reason.evidence if "ratio" in key]
                wrong += [effect.reason.text for pair in pairs if ratios[pair].low <= 1.05]
    return wrong


@SEVERAL
@given(pieces=evidence(), answers=answers_to(TREE), hours=st.floats(-4, 4))
def test_nobody_is_called_faster_whose_interval_reaches_into_the_margin(pieces, answers, hours):
    found = outcome_of(answers | {"training_hours": 10**hours}, pieces)
    assert within_the_margin(found, pieces) == []


def test_that_check_finds_a_verdict_taken_from_the_middle():
    pieces = measured(
        {"torch:eager": 100.0, "jax:jit": 115.0}, spread=0.1, verdicts={("jax:jit", "torch:eager"): "faster"}
    )
    moved = [
        dataclasses.replace(one, low=one.value) if one.claim == "performance.ratio" else one for one in pieces
    ]
    found = outcome_of({"training_hours": 1e4}, moved)
    assert within_the_margin(found, pieces) != []
    assert within_the_margin(found, moved) == []


@SEVERAL
@given(pieces=evidence(), answers=answers_to(TREE))
def test_the_choice_leads_by_the_margin_and_undecided_means_that_nobody_does(pieces, answers):
    found = outcome_of(answers, pieces)
    left = [name for name in FRAMEWORKS if name not in found.out]
    leaders = [a for a in left if all(found.leads[a, b] >= TREE.margin - 1e-9 for b in left if b != a)]
    assert [found.choice] == (leaders or [""])
    assert not set(found.open) & set(found.out)
    assert bool(found.open) == bool(left)
    for a, b in itertools.permutations(left, 2):
        assert found.leads[a, b] == pytest.approx(-found.leads[b, a])


@SEVERAL
@given(pieces=evidence(), answers=answers_to(TREE))
def test_nobody_is_out_without_an_answer_or_evidence_that_says_so(pieces, answers):
    by_key = {one.key: one for one in pieces}
    found = outcome_of(answers, pieces)
    for framework, effects in found.out.items():
        for effect in effects:
            assert effect.reason.answers
            said = [by_key[key].value for key in effect.reason.evidence]
            assert all(value in ("none", "by conversion", "other") for value in said)
            if not said:
                assert {"must_use", "must_not"} & set(effect.reason.answers)
            assert effect.framework == framework
