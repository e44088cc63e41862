"""What trivet tells ten made-up teams. The texts are read by people: `python tests/teams.py` writes them anew."""

import pytest

from teams import FOLDER, TEAMS, decision_of, text_of

EXPECTED = {
    "mobile_startup",
    "pinn_group",
    "hugging_face_team",
    "llm_lab",
    "tf_serving_shop",
    "browser_demo",
    "student",
    "recommender_on_cpus",
    "contradictory",
    "knows_nothing",
}


def test_all_ten_are_there():
    assert set(TEAMS) == EXPECTED
    assert {path.name for path in FOLDER.glob("*.txt")} == {f"{team}.txt" for team in TEAMS}


@pytest.mark.parametrize("team", TEAMS)
def test_what_a_team_is_told(team):
    assert text_of(team) == (FOLDER / f"{team}.txt").read_text(encoding="utf-8"), "see tests/teams.py"


@pytest.mark.parametrize("team", TEAMS)
def test_the_same_answers_have_the_same_answer(team):
    assert decision_of(team) == decision_of(team)
