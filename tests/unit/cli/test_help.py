import pytest

from trivet.cli.main import COMMANDS
from trivet_command import trivet


def test_help_names_every_command():
    result = trivet("--help")
    assert result.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command} " in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    result = trivet(command, "--help")
    assert result.returncode == 0
    assert "Usage: " in result.stdout


def test_list_workloads_marks_the_defaults():
    lines = trivet("list", "workloads").stdout.splitlines()
    assert [line.split()[0] for line in lines if "(default)" in line] == ["mlp", "resnet18"]


def test_list_contestants_names_all_five():
    output = trivet("list", "contestants").stdout
    for label in ("torch:eager", "torch:compile", "tensorflow:graph", "tensorflow:xla", "jax:jit"):
        assert label in output


@pytest.mark.parametrize("arguments", [["compare"], ["env", "create"]])
def test_examples_stand_a_line_each(arguments):
    shown = trivet(*arguments, "--help").stdout
    assert "\\b" not in shown
    assert "  Examples:\n    trivet " in shown
