"""Needs as evidence: one value for each framework, and one sentence."""

import pytest

from trivet.ecosystem.evidence import of_needs, sentence
from trivet.ecosystem.need import Need, Way

TITLES = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}


def need(name="lib", *ways, **fields):
    options = {
        "name": name,
        "requirement": name,
        "python": "3.11",
        "platform": "",
        "state": "answered",
        "version": "1.0",
        "extras_told": True,
        "asked": "2026-12-01",
        **fields,
    }
    return Need(ways=tuple(ways), **options)


def way(framework, package="", **fields):
    return Way(framework=framework, package=package or framework, **fields)


def values(one):
    return {piece.framework: piece.value for piece in of_needs([one], TITLES)}


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (need("lib", way("torch")), {"torch": "needed", "tensorflow": "other", "jax": "other"}),
        (
            need("lib", way("torch", extra="torch"), way("jax", extra="jax")),
            {"torch": "by extra", "tensorflow": "other", "jax": "by extra"},
        ),
        (
            need("lib", way("jax"), way("torch", extra="x")),
            {"torch": "other", "tensorflow": "other", "jax": "needed"},  # never on PyTorch alone
        ),
        (
            need(
                "lib", way("torch", extra="torch"), way("jax", extra="testing"), way("jax", extra="dev-jax")
            ),
            {"torch": "by extra", "tensorflow": "other", "jax": "other"},
        ),
        (
            need("lib", way("torch", extra="torch"), unresolved=("docs",)),
            {"torch": "by extra", "tensorflow": "other", "jax": "other"},
        ),
        (need(), {"torch": None, "tensorflow": None, "jax": None}),
        (need("lib", way("torch", extra="tests")), {"torch": None, "tensorflow": None, "jax": None}),
        (
            need("hub", way("tensorflow", through=("tf-text",)), companions=("keras",)),
            {"torch": "free", "tensorflow": "needed", "jax": "free"},
        ),
        (
            need("tf-lib", way("tensorflow"), companions=("keras",)),
            {"torch": "other", "tensorflow": "needed", "jax": "other"},
        ),
        (need(companions=("keras",)), {"torch": "free", "tensorflow": "free", "jax": "free"}),
        (need(extras_told=False), {"torch": None, "tensorflow": None, "jax": None}),
        (
            need("lib", way("torch", extra="x"), unresolved=("y",)),
            {"torch": "by extra", "tensorflow": None, "jax": None},
        ),
        (need(state="unknown", version=""), {"torch": None, "tensorflow": None, "jax": None}),
        (need(state="unreachable", version="", asked=""), {"torch": None, "tensorflow": None, "jax": None}),
    ],
)
def test_a_value_for_each_framework(one, expected):
    assert values(one) == expected


def test_evidence_says_whose_word_it_is_and_expires():
    (piece, *_) = of_needs([need("lib", way("torch"))], TITLES)
    assert (piece.claim, piece.strength, piece.source) == (
        "ecosystem.needs.lib",
        "asked",
        "the package index: lib 1.0",
    )
    assert (piece.dated, piece.expires) == ("2026-12-01", "2026-12-31")
    assert piece.is_stale("2026-12-31")


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (need("lib", way("torch")), "lib 1.0 brings PyTorch along."),
        (need("lib", way("jax", extra="x")), "lib 1.0 brings JAX by an extra only."),
        (need(), "lib 1.0 declares no framework; that does not tell on which it runs."),
        (
            need("lib", way("torch", extra="all")),
            "lib 1.0 declares no framework, save PyTorch for work on itself; that does not tell on which it runs.",
        ),
        (
            need("lib", way("jax"), way("torch", extra="testing")),
            "lib 1.0 brings JAX along; brings PyTorch by an extra, beside it.",
        ),
        (
            need(unresolved=("x",)),
            "lib 1.0 brings no framework along by itself; what its extras bring is not known.",
        ),
        (need(companions=("keras",)), "lib 1.0 needs keras, which runs on several frameworks."),
        (need("torch", way("torch")), "torch 1.0 is a package of PyTorch itself."),
        (need("jaxlib", way("jax", "jaxlib")), "jaxlib 1.0 is a package of JAX itself."),
        (need("flax", way("jax")), "flax 1.0 brings JAX along."),
        (
            need("keras", companions=("keras",)),
            "keras 1.0 runs on several frameworks and brings none along: which one is the user's choice.",
        ),
        (
            need("lib", way("torch"), renamed_to="newlib"),
            "lib 1.0 brings PyTorch along. Its authors have renamed it to newlib.",
        ),
        (need(state="unknown", version="", problem="Why."), "lib: unknown. Why."),
    ],
)
def test_a_sentence(one, text):
    assert sentence(one, TITLES) == text
