"""Flips: each one that is reported flips, and none is missed, against a search that knows nothing of how they are found."""

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from answers_builder import LIBRARIES, answers_to
from evidence_builder import FRAMEWORKS, MLP, RESNET, TODAY, everything, measured
from trivet.decide import flips, trees
from trivet.decide.ready import fill, known_of, make_ready
from trivet.decide.recommend import recommend
from trivet.decide.walk import walk

TREE = trees.load("trivet")
ARTICLE = trees.load("article")


def with_answer(answers, question, answer):
    rest = {name: given for name, given in answers.items() if name != question}
    return rest if answer is None else rest | {question: answer}


def reported(tree, ready, answers, evidence):
    known = known_of(evidence, frameworks=ready.frameworks, today=TODAY)
    return flips.find(tree, ready, answers, known)


def every_single_change(tree, ready, answers):
    """Give (question, answer) for every other single answer: written apart from the search that is tested.

    Numbers: a fine scale, and a little to each side of every edge.
    """
    for name, question in tree.questions.items():
        given_ = answers.get(name)
        if given_ is not None:
            yield name, None
        if question.kind == "yes_no":
            yield from ((name, other) for other in (True, False) if other != given_)
        elif question.kind == "one":
            yield from ((name, other) for other in question.options if other != given_)
        elif question.kind == "number":
            edges = [
                b.above
                for n in ready.nodes.values()
                if n.question == name
                for b in n.branches
                if b.above is not None
            ]
            scale = [10 ** (exponent / 10) for exponent in range(-60, 51)]
            for edge in edges:
                scale += [edge, edge * (1 - 1e-9), edge * (1 + 1e-9)]
            yield from ((name, value) for value in scale if question.low <= value <= question.high)
        else:
            chosen = set(given_ or ())
            options = list(question.options) or [*LIBRARIES]
            for option in options:
                toggled = chosen ^ {option}
                yield name, tuple(one for one in options if one in toggled)


def missed(tree, ready, answers, found):
    """Return the changes of one answer that alter the choice and are not among the flips that were found."""
    base = walk(ready, answers).choice
    lost = []
    for name, answer in every_single_change(tree, ready, answers):
        choice = walk(ready, with_answer(answers, name, answer)).choice
        if choice == base:
            continue
        own = [flip for flip in found if flip.subject == name and flip.choice == choice]
        if isinstance(answer, float) and not any(covers(flip, answer) for flip in own):
            lost.append((name, answer, choice))
        elif not isinstance(answer, float):
            same = answer if answer != () else None
            if not any(
                flip.value == answer
                or (isinstance(answer, tuple) and set(flip.value or ()) == set(answer))
                or (same is None and flip.value in (None, ()))
                for flip in own
            ):
                lost.append((name, answer, choice))
    return lost


def covers(flip, number):
    return flip.value is not None and (number >= flip.value if flip.beyond else number < flip.value)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answers=answers_to(TREE), speeds=st.sampled_from([MLP, RESNET]))
def test_no_flip_of_a_single_answer_is_missed(answers, speeds):
    evidence = everything(speeds)
    ready = make_ready(TREE, evidence, frameworks=FRAMEWORKS, today=TODAY)
    assert missed(TREE, ready, answers, reported(TREE, ready, answers, evidence)) == []


@settings(max_examples=40, deadline=None)
@given(answers=answers_to(ARTICLE))
def test_none_is_missed_in_the_articles_tree(answers):
    ready = make_ready(ARTICLE, [], frameworks=FRAMEWORKS, today=TODAY)
    assert missed(ARTICLE, ready, answers, reported(ARTICLE, ready, answers, [])) == []


def test_a_flip_that_is_left_out_would_be_seen():
    ready = make_ready(ARTICLE, [], frameworks=FRAMEWORKS, today=TODAY)
    answers = {"research": True}
    found = reported(ARTICLE, ready, answers, [])
    assert found
    for flip in found:
        assert missed(ARTICLE, ready, answers, [one for one in found if one is not flip])


def really(tree, evidence, answers, flip):
    """Return the choice after a flip's change, from a tree made ready anew."""
    if flip.kind == "answer":
        value = flip.value
        if flip.beyond is False:
            value = value * (1 - 1e-9)
        ready = make_ready(tree, evidence, frameworks=FRAMEWORKS, today=TODAY)
        return walk(ready, with_answer(answers, flip.subject, value)).choice
    piece = next(one for one in evidence if one.key == flip.subject)
    moved = flips.at_end(evidence, piece, flip.value)
    return walk(make_ready(tree, moved, frameworks=FRAMEWORKS, today=TODAY), answers).choice


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answers=answers_to(TREE), speeds=st.sampled_from([MLP, RESNET]))
def test_every_flip_really_flips(answers, speeds):
    evidence = everything(speeds)
    found = recommend(TREE, answers, evidence, frameworks=FRAMEWORKS, today=TODAY)
    for flip in found.flips:
        assert flip.choice != found.outcome.choice
        assert really(TREE, evidence, answers, flip) == flip.choice
    keys = [(flip.kind, flip.subject, flip.value, flip.beyond) for flip in found.flips]
    assert len(set(keys)) == len(keys)


def missed_ends(tree, evidence, answers, found):
    """Return the ends of intervals that alter the choice and are not among the flips that were found."""
    base = walk(make_ready(tree, evidence, frameworks=FRAMEWORKS, today=TODAY), answers).choice
    known_ends = []
    for flip in found:
        if flip.kind == "evidence":
            piece = next(one for one in evidence if one.key == flip.subject)
            known_ends.append((piece.key, flip.value))
            if piece.against:
                known_ends.append(
                    (f"{piece.claim}/{piece.against}/{piece.contestant}", pytest.approx(1 / flip.value))
                )
    lost = []
    for piece in evidence:
        for end in (piece.low, piece.high):
            if end is None:
                continue
            moved = flips.at_end(evidence, piece, end)
            choice = walk(make_ready(tree, moved, frameworks=FRAMEWORKS, today=TODAY), answers).choice
            if choice != base and not any(key == piece.key and value == end for key, value in known_ends):
                lost.append((piece.key, end))
    return lost


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answers=answers_to(TREE), speeds=st.sampled_from([MLP, RESNET]))
def test_no_end_of_an_interval_is_missed(answers, speeds):
    evidence = everything(speeds)
    found = recommend(TREE, answers, evidence, frameworks=FRAMEWORKS, today=TODAY).flips
    assert missed_ends(TREE, evidence, answers, found) == []


@pytest.mark.parametrize(("jax", "end"), [(130.0, "lower"), (77.0, "upper")])
def test_an_end_that_is_left_out_would_be_seen(jax, end):
    """The ratio of PyTorch's speed over JAX's is the one that is tried: its lower end is JAX's good case."""
    evidence = decided_by_speed(0.24, jax)
    answers = {"training_hours": 1000.0, "priority": "performance", "must_not": ("tensorflow",)}
    found = recommend(TREE, answers, evidence, frameworks=FRAMEWORKS, today=TODAY).flips
    ends = [flip for flip in found if flip.kind == "evidence"]
    assert [f"the {end} end" in flip.reason.text for flip in ends] == [True]
    assert missed_ends(TREE, evidence, answers, found) == []
    assert missed_ends(TREE, evidence, answers, [flip for flip in found if flip not in ends]) != []


def decided_by_speed(spread, jax=130.0):
    """Return evidence on which only the speed of two contestants decides; PyTorch's is 100."""
    speeds = {"torch:eager": 100.0, "jax:jit": jax}
    return measured(speeds, {"torch:eager": 1.0, "jax:jit": 1.0}, spread=spread)


def test_the_ends_of_intervals_flip():
    evidence = decided_by_speed(0.03)
    answers = {"training_hours": 1000.0, "priority": "performance"}
    found = recommend(TREE, answers, evidence, frameworks=("torch", "jax"), today=TODAY)
    assert found.outcome.choice == "jax"
    assert not [flip for flip in found.flips if flip.kind == "evidence"]
    wide = recommend(TREE, answers, decided_by_speed(0.24), frameworks=("torch", "jax"), today=TODAY)
    assert wide.outcome.choice == ""
    (flip,) = [flip for flip in wide.flips if flip.kind == "evidence"]
    assert flip.subject == "performance.ratio/torch:eager/jax:jit"
    assert flip.choice == "jax"
    assert flip.reason.text == (
        "JAX if the speed of torch:eager over jax:jit is 0.605 times, the lower end of its interval."
    )


def test_an_end_moves_both_sides_of_a_ratio_and_their_verdicts():
    evidence = decided_by_speed(0.3)
    piece = next(one for one in evidence if one.key == "performance.ratio/jax:jit/torch:eager")
    assert (
        next(one for one in evidence if one.key == "performance.verdict/jax:jit/torch:eager").value
        == "undecided"
    )
    moved = {one.key: one for one in flips.at_end(evidence, piece, 2.0)}
    for key, value in (("jax:jit/torch:eager", 2.0), ("torch:eager/jax:jit", 0.5)):
        one = moved[f"performance.ratio/{key}"]
        assert (one.value, one.low, one.high) == (value, value, value)
    assert moved["performance.verdict/jax:jit/torch:eager"].value == "faster"
    assert moved["performance.verdict/torch:eager/jax:jit"].value == "slower"
    others = [one for one in evidence if not one.against]
    assert [moved[one.key] for one in others] == others


def test_a_number_flips_exactly_at_its_edge():
    evidence = [one for one in measured(RESNET) if "compile" not in one.key and "xla" not in one.key]
    answers = {"training_hours": 1.0, "priority": "performance"}
    found = recommend(TREE, answers, evidence, frameworks=FRAMEWORKS, today=TODAY)
    edges = [flip for flip in found.flips if flip.subject == "training_hours" and flip.value is not None]
    assert edges
    ready = make_ready(TREE, evidence, frameworks=FRAMEWORKS, today=TODAY)
    for flip in edges:
        at, before = (
            walk(ready, answers | {"training_hours": value}).choice
            for value in (flip.value, flip.value * (1 - 1e-12))
        )
        assert at != before
        assert flip.choice == (at if flip.beyond else before)
        assert "one training run takes" in flip.reason.text


def test_kept_nodes_are_those_that_evidence_does_not_touch():
    """Only what looks at a claim is made ready anew; the result is that of making all of it anew."""
    evidence = everything(RESNET)
    known = known_of(evidence, frameworks=FRAMEWORKS, today=TODAY)
    ready = fill(TREE, known)
    for piece in evidence:
        if piece.low is not None:
            moved = dataclasses.replace(known, evidence=flips.at_end(evidence, piece, piece.low))
            claims = (piece.claim, "performance.verdict")
            assert fill(TREE, moved, ready, claims) == fill(TREE, moved)


def test_the_most_useful_come_first():
    found = recommend(
        TREE, {"needs": ("transformers",)}, everything(), frameworks=FRAMEWORKS, today=TODAY
    ).flips
    order = [(flip.choice == "", flip.value is None) for flip in found]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("answers", "subject", "value", "said"),
    [
        ({"must_not": ("jax",)}, "targets", ("browser",), "TensorFlow if the model must run in browsers."),
        (
            {"must_not": ("jax",), "targets": ("browser", "phone")},
            "targets",
            None,
            "Undecided if the answer to “Where must the trained model run?” is not known.",
        ),
        ({"needs": ("transformers",)}, "needs", (), "Undecided if you can do without transformers."),
        ({"needs": ("transformers",)}, "must_use", "jax", "Nobody is left if JAX is prescribed."),
    ],
)
def test_sentences(answers, subject, value, said):
    evidence = [one for one in everything() if not one.claim.startswith(("performance.", "ease."))]
    found = recommend(TREE, answers, evidence, frameworks=FRAMEWORKS, today=TODAY).flips
    (text,) = [flip.reason.text for flip in found if flip.subject == subject and flip.value == value]
    assert text.startswith(said)


def test_of_the_two_sides_of_a_ratio_one_is_tried():
    answers = {"training_hours": 1000.0}
    found = recommend(TREE, answers, decided_by_speed(0.24), frameworks=("torch", "jax"), today=TODAY).flips
    subjects = {flip.subject for flip in found if flip.subject.startswith("performance.ratio")}
    assert subjects
    assert len({frozenset(subject.split("/")[1:]) for subject in subjects}) == len(subjects)


def test_what_the_answer_says_itself_comes_last():
    evidence = [one for one in everything() if not one.claim.startswith(("performance.", "ease."))]
    found = recommend(TREE, {"knows": ("torch",)}, evidence, frameworks=FRAMEWORKS, today=TODAY).flips
    ruling = [flip.subject in ("must_use", "must_not") for flip in found]
    assert True in ruling
    assert False in ruling
    assert ruling == sorted(ruling)


def test_sizes_are_told_in_a_unit_for_people():
    memory = {"torch:eager": 1.53e9, "jax:jit": 1e9}
    speeds = {label: RESNET[label] for label in memory}
    evidence = [one for one in measured(speeds, memory=memory) if one.claim == "performance.memory"]
    found = recommend(TREE, {"knows": ("torch",)}, evidence, frameworks=("torch", "jax"), today=TODAY).flips
    texts = [flip.reason.text for flip in found if flip.kind == "evidence"]
    assert "Undecided if the memory of torch:eager is 1.47 GiB, the upper end of its interval." in texts
    assert not any("bytes" in text for text in texts)
