import pytest

from trivet.decide import answers
from trivet.errors import UsageError
from trivet.model.decision import Question

QUESTIONS = {
    question.id: question
    for question in (
        Question(id="research", text="Is it research?", why="x", kind="yes_no"),
        Question(
            id="field",
            text="Which field?",
            why="x",
            kind="one",
            options={"vision": "images", "language": "texts", "physics": "equations"},
        ),
        Question(
            id="targets",
            text="Where must it run?",
            why="x",
            kind="several",
            options={"server": "a server", "phone": "phones", "browser": "browsers"},
        ),
        Question(
            id="training_hours", text="How long?", why="x", kind="number", unit="h", low=0.0, high=10000.0
        ),
        Question(id="people", text="How many?", why="x", kind="number", low=1.0),
        Question(id="needs", text="Which libraries?", why="x", kind="names"),
    )
}


def parse(text: str) -> dict:
    return answers.parse(text, QUESTIONS, "team.toml")


def test_all_kinds_in_the_order_of_the_questions():
    found = parse(
        'needs = ["optax", "optax", "transformers"]\ntargets = ["browser", "phone"]\ntraining_hours = 3\n'
        'field = "physics"\nresearch = false\npeople = 2.5\n'
    )
    assert found == {
        "research": False,
        "field": "physics",
        "targets": ("phone", "browser"),
        "training_hours": 3.0,
        "people": 2.5,
        "needs": ("optax", "transformers"),
    }
    assert list(found) == list(QUESTIONS)


def test_what_is_left_out_or_marked_is_not_known():
    assert parse('research = "?"\nfield = "?"\ntargets = "?"\ntraining_hours = "?"\n') == {}
    assert parse("") == {}
    assert parse("targets = []") == {"targets": ()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n\ntarget = []", "team.toml line 3: there is no question 'target'. Did you mean targets?"),
        ("research = 1", "line 1: research is 1; expected true or false."),
        ('research = "yes"', "research is 'yes'; expected true or false."),
        ('field = "vison"', "field has no option 'vison'. Did you mean vision?"),
        ('field = ["vision"]', "expected one of its options"),
        ('targets = "phone"', "targets is 'phone'; expected a list of texts."),
        ('targets = ["fridge"]', "targets has no option 'fridge'."),
        ("targets = [1]", "expected a list of texts."),
        (
            'research = true\ntraining_hours = "3"',
            "line 2: training_hours is '3'; expected a number from 0 to 10000 h.",
        ),
        ("training_hours = true", "training_hours is True; expected a number"),
        ("training_hours = -1", "training_hours is -1; expected a number from 0 to 10000 h."),
        ("training_hours = nan", "expected a number from 0 to 10000 h."),
        ("training_hours = inf", "expected a number from 0 to 10000 h."),
        ("people = 0", "people is 0; expected a number from 1 up."),
        ('needs = [""]', "expected a list of texts."),
        (
            "research = true\nfield vision",
            "not valid TOML: Expected '=' after a key in a key/value pair (at line 2",
        ),
        ("[research]\nx = 1", "line 1: research is {'x': 1}; expected true or false."),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text, expected):
    with pytest.raises(UsageError) as error:
        parse(text)
    assert expected in error.value.message
    assert error.value.remedy


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        answers.read(tmp_path / "none.toml", QUESTIONS)
    (tmp_path / "bytes.toml").write_bytes(b"research = \xff")
    with pytest.raises(UsageError, match="not a text file"):
        answers.read(tmp_path / "bytes.toml", QUESTIONS)


@pytest.mark.parametrize(
    ("name", "typed", "answer"),
    [
        ("research", "Yes", True),
        ("research", "n", False),
        ("research", " ? ", None),
        ("research", "", None),
        ("field", "vision", "vision"),
        ("targets", "browser, phone,", ("phone", "browser")),
        ("training_hours", "1e2", 100.0),
        ("needs", "keras-hub>=0.20,optax", ("keras-hub>=0.20", "optax")),
    ],
)
def test_typed_answers(name, typed, answer):
    assert answers.of_text(QUESTIONS[name], typed, "--set") == answer


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("research", "perhaps"),
        ("training_hours", "three"),
        ("training_hours", "nan"),
        ("field", "x"),
        ("targets", "x"),
    ],
)
def test_typed_answers_that_are_none(name, typed):
    with pytest.raises(UsageError, match=f"^--set: {name} "):
        answers.of_text(QUESTIONS[name], typed, "--set")


def test_what_is_written_is_read_again():
    known = {"research": True, "targets": ("phone", "browser"), "training_hours": 0.1, "needs": ('we"ird',)}
    text = answers.to_toml(known, QUESTIONS)
    assert parse(text) == known
    for question in QUESTIONS.values():
        assert f"# {question.text}\n" in text
    assert "# field =\n" in text
    assert parse(answers.to_toml({}, QUESTIONS)) == {}


def test_answers_in_words():
    def words(name: str, answer: object) -> str:
        return answers.in_words(QUESTIONS[name], answer)

    assert words("research", True) == "yes"
    assert words("research", None) == "don't know"
    assert words("field", "vision") == "images"
    assert words("targets", ("phone", "browser")) == "phones, browsers"
    assert words("targets", ()) == "none"
    assert words("training_hours", 3.0) == "3 h"
    assert words("needs", ("optax",)) == "optax"
