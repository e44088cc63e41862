import pytest

from trivet.ease.planted import families, mistakes
from trivet.ease.selection import choose_mistakes, choose_variants
from trivet.errors import UsageError


def labels(*texts):
    return [variant.label for variant in choose_variants(texts, families())]


def test_variants_by_framework_by_name_and_with_a_version():
    assert labels("jax:jit") == ["jax:jit"]
    assert labels("torch") == ["torch:eager", "torch:compile"]
    assert labels("jax:jit@0.9.2,jax:jit") == ["jax:jit@0.9.2", "jax:jit"]
    assert len(labels()) == 8


def test_mistakes_by_number_and_by_name():
    known = mistakes()
    assert [mistake.number for mistake in choose_mistakes(["m3a,in_place"], known)] == ["M3a", "M10"]
    assert len(choose_mistakes([], known)) == len(known)
    assert len(choose_mistakes(["M3a", "label_too_large"], known)) == 1


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(UsageError, match="Did you mean jax:jit"):
        labels("jax:jitt")
    with pytest.raises(UsageError, match="Did you mean in_place"):
        choose_mistakes(["in_plac"], mistakes())
