"""What becomes of a command whose output goes nowhere."""

import os
import subprocess
import sys

import pytest

from made_up import made_up_run

COMMANDS = [
    ["runs"],
    ["--help"],
    ["list", "contestants"],
    ["env", "pins"],
    ["report"],
    ["report", "--format", "json"],
]


@pytest.fixture
def runs(tmp_path):
    made_up_run(tmp_path / "runs", workloads=["mlp"], generations=1)
    return tmp_path / "runs"


def run(arguments, runs, stdout):
    command = [sys.executable, "-m", "trivet", *arguments]
    environment = {**os.environ, "TRIVET_RUNS": str(runs)}
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, env=environment, timeout=60, check=False
    )


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_reader_who_has_gone_is_no_withheld_ranking(runs, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    result = run(arguments, runs, writing)
    os.close(writing)
    assert result.returncode == 0, result.stderr
    assert "Error" not in result.stderr
    assert "Exception" not in result.stderr


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_full_disk_behind_the_output_is_named(runs, arguments):
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device, as a shell would open it
        result = run(arguments, runs, full)
    assert result.returncode == 74
    assert "standard output cannot be written: No space left" in result.stderr
    assert "TRIVET_RUNS" not in result.stderr
    assert "Exception" not in result.stderr
