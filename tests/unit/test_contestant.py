import pytest

from trivet.model.contestant import Contestant, parse_contestant


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch:eager", Contestant(framework="torch", variant="eager")),
        ("jax:jit@0.9.2", Contestant(framework="jax", variant="jit", version="0.9.2")),
        ("torch:eager#2", Contestant(framework="torch", variant="eager", copy=2)),
        (
            "torch:eager@2.13.0+cpu#3",
            Contestant(framework="torch", variant="eager", version="2.13.0+cpu", copy=3),
        ),
    ],
)
def test_parse_and_label_are_inverse(text, expected):
    assert parse_contestant(text) == expected
    assert expected.label == text


@pytest.mark.parametrize(
    "text", ["torch", "torch:", ":eager", "torch:eager@", "torch:eager#0", "Torch:eager", "a b:c"]
)
def test_other_forms_are_refused(text):
    with pytest.raises(ValueError, match="framework:variant"):
        parse_contestant(text)


def test_slug_is_a_file_name():
    assert "/" not in parse_contestant("torch:eager@2.13.0+cpu#3").slug
    assert ":" not in parse_contestant("torch:eager").slug
