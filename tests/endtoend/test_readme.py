"""Every command line in the README runs. Long ones run on linear, with --quick; `make test` is what runs this."""

import shlex

import pytest

from documents import ROOT, commands
from made_up import made_up_run
from terminal import Terminal
from trivet_command import trivet

README = ROOT / "README.md"

TRIVET_LINES = commands(README, "trivet")
COMPARE_LINES = [
    line for line in TRIVET_LINES if line.startswith("trivet compare") and "--resume" not in line
]
CHOOSE_LINES = [line for line in TRIVET_LINES if line.startswith("trivet choose")]
OTHER_LINES = [line for line in TRIVET_LINES if line not in (*COMPARE_LINES, *CHOOSE_LINES)]


def shortened(line: str) -> list[str]:
    """Return a comparison's arguments with its workloads replaced by linear, and --quick."""
    arguments = [
        word for word in shlex.split(line)[2:] if word not in ("mlp", "resnet18", "resnet50", "linear")
    ]
    return ["compare", "linear", *arguments, *([] if "--quick" in arguments else ["--quick"])]


def test_the_readme_names_its_commands():
    assert commands(README, "make") == ["make compare", "make test"]
    assert len(COMPARE_LINES) >= 5
    assert len(OTHER_LINES) >= 8
    assert len(CHOOSE_LINES) >= 3


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Measure once for the commands that need a stored run."""
    folder = tmp_path_factory.mktemp("readme")
    result = trivet(
        "compare", "linear", "-c", "numpy:plain,numpy:plain#2", "--quick", TRIVET_RUNS=str(folder / "runs")
    )
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory):
    """Return a folder with two runs, neither of which depends on how quiet this machine is."""
    folder = tmp_path_factory.mktemp("two")
    for seed in (0, 1):
        made_up_run(folder, seed=seed)
    return folder


@pytest.mark.real
@pytest.mark.parametrize("arguments", list(dict.fromkeys(tuple(shortened(line)) for line in COMPARE_LINES)))
def test_a_comparison_runs(arguments):
    result = trivet(*arguments, timeout=540, extensions=None)
    assert result.returncode == 0, result.stderr
    assert "Report: " in result.stdout


@pytest.mark.real
@pytest.mark.parametrize("line", OTHER_LINES)
def test_another_command_runs(line, run, two_runs, monkeypatch):
    monkeypatch.chdir(run)
    runs = two_runs if line.startswith("trivet diff") else run / "runs"
    result = trivet(*shlex.split(line)[1:], timeout=540, TRIVET_RUNS=str(runs))
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr


def test_choosing_runs(tmp_path, monkeypatch):
    """In the order of the README: the record that is checked is one that was written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "team.toml").write_text('targets = ["phone"]\n')
    made_up_run(tmp_path / "runs")
    for line in CHOOSE_LINES:
        arguments = shlex.split(line)[1:]
        if arguments == ["choose"]:
            with Terminal(*arguments) as terminal:
                shown = terminal.rest(typing="\n")
                assert terminal.process.returncode == 0, shown
        else:
            result = trivet(*arguments, extensions=None)
            assert result.returncode == 0, result.stderr


@pytest.mark.real
def test_make_compare(tmp_path):
    """`make compare` sets up a virtual environment of its own and ends with a report."""
    import os
    import subprocess

    variables = {**os.environ, "TRIVET_RUNS": str(tmp_path / "runs"), "MAKEFLAGS": ""}
    for name in ("VIRTUAL_ENV", "TRIVET_EXTENSIONS"):
        variables.pop(name, None)
    result = subprocess.run(
        [
            "make",
            "-C",
            str(ROOT),
            "compare",
            "ARGS=linear --quick --contestants torch:eager,jax:jit",
            f"VENV={tmp_path / 'venv'}",
        ],
        env=variables,
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "Report: " in result.stdout
