"""Every program of every cell can be put together, is Python, and differs from its twin where it says so."""

import itertools

import pytest

from trivet.ease.planted import MARK, families, mistakes, price_changes
from trivet.ease.programs import program
from trivet.errors import UsageError

FAMILIES = families()
MISTAKES = mistakes()
MADE = [
    (family, mistake)
    for family, mistake in itertools.product(FAMILIES.values(), MISTAKES.values())
    if not mistake.plantings[family.name].cannot
]


def name(value):
    return value.name


def test_there_are_the_mistakes_that_the_probe_kept():
    numbers = {mistake.number for mistake in MISTAKES.values()}
    discriminating = [
        "M2a",
        "M2b",
        "M2c",
        "M3a",
        "M3b",
        "M3c",
        "M8a",
        "M8b",
        "M9a",
        "M9b",
        "M10",
        "M11a",
        "M11b",
        "M15b",
    ]
    assert numbers >= {*discriminating, "M4", "M5", "M6", "M1c", "M14", "M14b", "M15a", "M13"}


@pytest.mark.parametrize(("family", "mistake"), MADE, ids=name)
def test_each_pair_of_programs_compiles_and_only_one_is_marked(family, mistake):
    for variant in family.variants:
        planted = program(family, variant, mistake=mistake, planted=True)
        twin = program(family, variant, mistake=mistake, planted=False)
        assert planted.targets
        assert not twin.targets
        assert planted.digest != twin.digest
        assert MARK not in "".join(twin.files.values())
        for file, text in {**planted.files, **twin.files}.items():
            compile(text, file, "exec")


@pytest.mark.parametrize(("family", "mistake"), MADE, ids=name)
def test_lines_said_to_use_it_are_there(family, mistake):
    variant = next(iter(family.variants))
    text = "\n".join(program(family, variant, mistake=mistake, planted=True).files.values())
    lines = [line.strip() for line in text.splitlines()]
    for use in mistake.plantings[family.name].uses:
        assert use in lines


@pytest.mark.parametrize("family", list(FAMILIES.values()), ids=name)
def test_each_switch_fits_its_mistakes_and_their_twins(family):
    for switch, variant in itertools.product(family.switches, family.variants):
        if variant not in switch.variants:
            continue
        program(family, variant, switch=switch, larger=price_changes())
        for mistake in switch.mistakes:
            for planted in (True, False):
                found = program(family, variant, mistake=MISTAKES[mistake], planted=planted, switch=switch)
                compile(found.files["train.py"], "train.py", "exec")


def test_a_reason_is_given_where_a_mistake_cannot_be_made():
    left_out = {
        (family.name, mistake.number)
        for family, mistake in itertools.product(FAMILIES.values(), MISTAKES.values())
        if mistake.plantings[family.name].cannot
    }
    assert left_out == {
        ("keras", "M1a"),
        ("linen", "M1a"),
        ("keras", "M12"),
        ("nnx", "M12"),
        ("linen", "M12"),
    }


def test_a_change_that_does_not_fit_is_refused():
    family = FAMILIES["torch"]
    wrong = price_changes()[0]
    with pytest.raises(UsageError, match=r"once in data\.py, and it is there 0 times"):
        program(family, "torch:eager", larger=(wrong, wrong))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('number = "M1"\n', "the key 'about' is missing"),
        (
            'number = "M1"\ntitle = "t"\nabout = "a"\nsame = "well"\nnames = []\n[torch]\n',
            "expected one of meant, corrected",
        ),
        (
            'number = "M1"\ntitle = "t"\nabout = "a"\nsame = "meant"\nnames = []\n[torch]\n',
            "no planted line is marked",
        ),
    ],
)
def test_a_damaged_mistake_names_its_file(tmp_path, text, expected):
    (tmp_path / "planted").mkdir()
    (tmp_path / "programs" / "torch").mkdir(parents=True)
    family = 'framework = "torch"\ntitle = "t"\nguide = "https://"\n[variants."torch:eager"]\ntitle = "t"\ndecorator = ""\n'
    (tmp_path / "programs" / "torch" / "family.toml").write_text(family)
    (tmp_path / "planted" / "odd.toml").write_text(text)
    with pytest.raises(UsageError, match=rf"odd\.toml.*{expected}"):
        mistakes(tmp_path)
