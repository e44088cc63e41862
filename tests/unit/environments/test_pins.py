from __future__ import annotations

import datetime as dt

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from trivet import catalog
from trivet.environments import pins
from trivet.errors import UsageError

TEXT = """
[refresh]
versions = ["0.10.2", "0.9.2"]
also = ["jaxlib"]

[resolved]
date = 2026-11-30
platform = "x86_64-manylinux_2_28"
"""

SET = """
[[set]]
version = "{version}"
python = "{python}"
accelerator = "{accelerator}"
requirements = ["jax=={version}"]
download_bytes = 1_000
"""


@pytest.fixture
def known(tmp_path):
    text = TEXT
    for version in ("0.10.2", "0.9.2", "0.9.1"):
        for python in ("3.11", "3.12"):
            text += SET.format(version=version, python=python, accelerator="cpu")
    (tmp_path / pins.FILE).write_text(text)
    found = pins.load(tmp_path)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (None, "0.10.2"),
        ("0.9.2", "0.9.2"),
        ("0.9.1", "0.9.1"),
        ("0.9", "0.9.2"),
        ("0.10.2.0", "0.10.2"),
        ("0.1", None),
        ("0.9.0", None),
        ("0.10.2+cpu", None),
    ],
)
def test_a_version_or_its_beginning_is_found(known, asked, found):
    chosen = known.find(asked, "3.12", "cpu")
    assert (chosen and chosen.version) == found
    assert chosen is None or chosen.python == "3.12"


def test_no_set_for_another_python_or_accelerator(known):
    assert known.find(None, "3.10", "cpu") is None
    assert known.find(None, "3.11", "cuda") is None


def test_pythons_of_a_version(known):
    assert known.pythons("0.9") == ["3.11", "3.12"]
    assert known.pythons("0.8") == []


def test_the_rest_is_read_too(known):
    assert known.date == dt.date(2026, 11, 30)
    assert known.also == ("jaxlib",)
    assert known.sets[0].download_bytes == 1000


def test_a_folder_without_pins_has_none(tmp_path):
    assert pins.load(tmp_path) is None


@pytest.mark.parametrize("text", ["[refresh", "[resolved]\n", TEXT + '[[set]]\nversion = "1"\n'])
def test_a_damaged_file_is_named(tmp_path, text):
    (tmp_path / pins.FILE).write_text(text)
    with pytest.raises(UsageError, match=r"pins\.toml"):
        pins.load(tmp_path)


def test_what_is_no_version_is_refused():
    with pytest.raises(UsageError, match="'abc' is not a version"):
        pins.parse_version("abc")


OURS = [info for info in catalog.frameworks().values() if pins.load(info.folder)]


@pytest.mark.parametrize("info", OURS, ids=lambda info: info.name)
def test_our_pins_are_whole_sets_for_every_python_and_accelerator(info):
    known = pins.load(info.folder)
    assert known is not None
    assert known.date is not None
    supported = SpecifierSet(info.python)
    pythons = [f"3.{minor}" for minor in range(11, 15) if supported.contains(f"3.{minor}.1")]
    for accelerator, templates in info.requirements.items():
        named = {Requirement(template.replace("=={version}", "")).name for template in templates}
        for python in pythons:
            chosen = known.find(None, python, accelerator)
            assert chosen is not None
            exact = [Requirement(text) for text in chosen.requirements]
            assert {requirement.name for requirement in exact} == named | set(known.also)
            assert all(str(requirement.specifier).startswith("==") for requirement in exact)
            assert chosen.download_bytes > 10**8
