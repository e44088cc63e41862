import json
import re
import subprocess
import sys
import time
import tomllib

import pytest

from documents import ROOT
from made_up import made_up_run
from terminal import Terminal
from trivet_command import trivet

DOCS = ROOT / "docs"

TEAM = """\
targets = ["phone"]
training_hours = 3.0
debugging = true
"""


@pytest.fixture
def team(tmp_path, monkeypatch):
    """Stay in a folder of its own, with a team's answers and no network."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "team.toml").write_text(TEAM)
    return tmp_path


def choose(*arguments: str, **variables: str):
    return trivet("choose", *arguments, extensions=None, timeout=60, **variables)


def test_answers_lead_to_a_recommendation_with_its_evidence(team):
    result = choose("--answers", "team.toml")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert max(len(line) for line in result.stdout.splitlines()) <= 80
    assert "How it got there" in result.stdout
    assert "[1]" in result.stdout
    assert "What is missing" in result.stdout
    assert "trivet compare" in result.stdout


def test_runs_are_taken_by_themselves(team):
    run = made_up_run(team / "runs", workloads=["resnet18"])
    result = choose("--answers", "team.toml")
    assert result.returncode == 0, result.stderr
    assert f"in {run.id}:" in " ".join(result.stdout.split())
    assert "What one training run costs" in result.stdout


def test_options_stand_before_the_file(team):
    result = choose(
        "--answers", "team.toml", "--training-hours", "7", "--set", "debugging=?", "--format", "json"
    )
    found = json.loads(result.stdout)
    assert found["answers"] == {"targets": ["phone"], "training_hours": 7.0}
    assert found["format"] == 1


def test_the_json_form_is_what_is_documented(team):
    found = json.loads(choose("--targets", "phone,server", "--format", "json").stdout)
    documented = re.findall(
        r"^\| `(\w+)`",
        (DOCS / "decision.md").read_text().partition("## The whole")[2].partition("\n## ")[0],
        re.MULTILINE,
    )
    assert documented == list(found)
    keys = {piece["key"] for piece in found["evidence"]}
    reasons = [effect["reason"] for step in found["path"] for effect in step["effects"] if effect["points"]]
    assert reasons
    assert all(set(reason["evidence"]) <= keys for reason in reasons)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--targets", "fridge"], "--targets: targets has no option 'fridge'."),
        (
            ["--set", "debuging=yes"],
            "--set debuging: there is no question 'debuging'. Did you mean debugging?",
        ),
        (["--set", "debugging"], "is not of the form QUESTION=ANSWER"),
        (["--training-hours", "long"], "--training-hours: training_hours is 'long'; expected a number"),
        (["--answers", "none.toml"], "none.toml cannot be read"),
        (["--tree", "none", "--targets", "phone"], "none"),
        (["--frameworks", "jax", "--targets", "phone"], "jax leaves nothing to choose."),
        (
            ["--frameworks", "torch,jex", "--targets", "phone"],
            "There is no framework 'jex'. Did you mean jax?",
        ),
        (["--recheck", "none.md"], "none.md cannot be read"),
        (["--recheck", "none.md", "--targets", "phone"], "--targets cannot change it."),
        ([], "There are no answers, and nobody to ask: this is not a terminal."),
    ],
)
def test_wrong_words_are_named(team, arguments, expected):
    result = choose(*arguments)
    assert result.returncode == 2
    assert expected in result.stderr
    assert result.stdout == ""


def test_a_record_is_written_once_and_rechecked(team):
    arguments = ("--answers", "team.toml", "--record", "docs/decisions/0007-framework.md")
    first = choose(*arguments)
    assert first.returncode == 0, first.stderr
    path = team / "docs" / "decisions" / "0007-framework.md"
    text = path.read_text()
    assert f"`trivet choose --recheck {path.relative_to(team)}`" in text
    again = choose(*arguments)
    assert again.returncode == 2
    assert "is there already" in again.stderr
    assert choose(*arguments, "--replace").returncode == 0
    assert path.read_text() == text
    checked = choose("--recheck", str(path))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "The decision holds." in checked.stdout
    path.write_text(text.replace("training_hours = 3.0", "training_hours = 4.0"))
    edited = choose("--recheck", str(path))
    assert edited.returncode == 2
    assert "its checksum does not fit" in edited.stderr


def test_new_runs_can_end_a_decision(team):
    """Nothing is measured at first; then one framework turns out far faster, and only speed counts."""
    answers = ["training_hours=100", "priority=performance", "must_not=tensorflow"]
    arguments = [part for answer in answers for part in ("--set", answer)]
    assert choose(*arguments, "--record", "a.md").returncode == 0
    assert "# Framework undecided" in (team / "a.md").read_text()
    made_up_run(team / "runs", workloads=["mlp"], speeds={"torch:eager": 40.0, "jax:jit": 160.0})
    checked = choose("--recheck", "a.md", "--format", "json")
    found = json.loads(checked.stdout)
    assert checked.returncode == 1
    assert (found["standing"], found["before"], found["after"]) == ("does not hold", "", "jax")
    assert any(
        change["key"].startswith("performance.") and change["before"] is None for change in found["changes"]
    )


def test_a_tree_of_ones_own_is_explained_and_found_again_beside_a_record(team):
    from trivet.decide import trees

    (team / "mine.toml").write_text((trees.FOLDER / "article.toml").read_text())
    shown = choose("--tree", "mine.toml", "--explain")
    assert shown.returncode == 0, shown.stderr
    assert "the end" in shown.stdout
    arguments = ("--tree", "mine.toml", "--set", "research=yes")
    assert choose(*arguments, "--record", "docs/a.md").returncode == 0
    assert choose("--recheck", "docs/a.md").returncode == 0
    (team / "mine.toml").rename(team / "docs" / "mine.toml")
    assert choose("--recheck", "docs/a.md").returncode == 0


def test_a_training_is_as_long_whoever_is_in_question(team):
    made_up_run(team / "runs", workloads=["mlp"])
    arguments = ("--training-hours", "2", "--format", "json")
    three = json.loads(choose(*arguments).stdout)
    two = json.loads(choose(*arguments, "--frameworks", "tensorflow,jax").stdout)
    assert [cost for cost in three["costs"] if cost["framework"] != "torch"] == two["costs"]
    assert two["costs"]
    assert [lead["points"] for lead in three["leads"] if "torch" not in (lead["of"], lead["over"])] == [
        lead["points"] for lead in two["leads"]
    ]


def test_the_questions_are_listed(team):
    result = choose("--list-questions")
    assert result.returncode == 0
    assert "targets\n" in result.stdout
    assert "Why: " in result.stdout
    assert "phone (on phones)" in " ".join(result.stdout.split())


def test_answers_to_questions_of_another_tree_are_mentioned(team):
    result = choose("--tree", "article", "--set", "research=yes", "--set", "hardware=tpu")
    assert "not looked at by this tree: hardware." in " ".join(result.stdout.split())
    assert "PyTorch" in result.stdout


def test_nothing_heavy_is_loaded_to_choose_from_answers(team):
    made_up_run(team / "runs", workloads=["mlp"])
    assert trivet("report", extensions=None).returncode == 0  # leaves its conclusions behind
    program = (
        "import sys\nfrom trivet.cli.choose import command\n"
        "command(['--answers', 'team.toml'], standalone_mode=False)\n"
        "print('\\n'.join(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(result.stdout.splitlines())
    assert "rich" in loaded
    assert not loaded & {"altair", "numpy", "scipy", "jinja2", "pandas", "torch", "tensorflow", "jax"}


def test_the_interview_asks_why_takes_numbers_and_dont_know(team):
    with Terminal("choose", "--tree", "article", "--save-answers", "said.toml") as terminal:
        shown = terminal.until("yes or no")
        assert "Why: " in shown
        assert "don't know" in shown
        terminal.type("perhaps\n")
        terminal.until("is 'perhaps'; expected yes or no.")
        terminal.until("yes or no")
        terminal.type("yes\n")
        shown = terminal.rest(typing="\n" * 30)
        assert terminal.process.returncode == 0
    assert "PyTorch when the team is new." in shown
    said = tomllib.loads((team / "said.toml").read_text())
    assert said == {"new_team": True}


def test_an_interview_that_is_broken_off_can_be_kept_and_gone_on_with(team):
    with Terminal("choose", "--tree", "article") as terminal:
        terminal.until("yes or no")
        terminal.type("yes\n")
        terminal.until("yes or no: ")
        time.sleep(0.5)  # nobody is as fast as to interrupt before the prompt has begun to wait
        terminal.type("\x03")
        terminal.until("Enter for no")
        terminal.type("half.toml\n")
        shown = terminal.rest()
        assert "`trivet choose --tree article --answers half.toml --ask` goes on." in shown
        assert terminal.process.returncode == 130
    assert tomllib.loads((team / "half.toml").read_text()) == {"new_team": True}
    with Terminal("choose", "--tree", "article", "--answers", "half.toml", "--ask") as terminal:
        assert "Is the team new" not in terminal.until("yes or no")
        shown = terminal.rest(typing="\n" * 30)
        assert "PyTorch when the team is new." in shown


def test_a_page_is_written_with_links_to_the_pages_of_runs(team):
    run = made_up_run(team / "runs", workloads=["resnet18"])
    (run.folder / "report.html").write_text("")
    result = choose("--answers", "team.toml", "--html", "pages/meeting.html")
    assert result.returncode == 0, result.stderr
    assert "Page: pages/meeting.html" in result.stderr
    page = (team / "pages" / "meeting.html").read_text(encoding="utf-8")
    assert f'<a href="../runs/{run.id}/report.html">{run.id}</a>' in page
    assert "What one training run costs" in page
    assert str(team) not in page
