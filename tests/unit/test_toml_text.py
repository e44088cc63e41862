import tomllib

from hypothesis import given
from hypothesis import strategies as st

from trivet import toml_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**62), 2**62),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
    st.lists(TEXTS),
)


@given(st.dictionaries(TEXTS, VALUES))
def test_what_is_written_is_read_again(entries):
    assert tomllib.loads(toml_text.table(entries)) == entries


def test_plain_names_stand_without_quotation_marks():
    assert toml_text.table({"training_hours": 3.0}) == "training_hours = 3.0\n"
    assert toml_text.table({"a.b": True}) == '"a.b" = true\n'
