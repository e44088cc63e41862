"""`trivet doctor`: one screen, and an exit code."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from trivet.cli import doctor
from trivet.environments import checkup
from trivet.environments.checkup import BROKEN, NOT_BUILT, OK, Finding

SOUND = Finding(
    framework="jax",
    title="JAX",
    environment="jax-0.10.2-cpu-py3.11-482b1dd4",
    state=OK,
    versions={"jax": "0.10.2", "flax": "0.12.8"},
    devices=("cpu",),
    import_seconds=1.23,
)
MISSING = Finding(
    framework="torch", title="PyTorch", environment="", state=NOT_BUILT, repair="trivet env create torch"
)
DAMAGED = Finding(
    framework="tensorflow",
    title="TensorFlow",
    environment="tensorflow-2.21.0-cpu-py3.11-95c5f07e",
    state=BROKEN,
    problem="ImportError: " + "a long story " * 20,
    repair="trivet env remove tensorflow-2.21.0-cpu-py3.11-95c5f07e && trivet env create tensorflow@2.21.0 --accelerator cpu",
)


def run(monkeypatch, tmp_path, findings, *arguments):
    asked = []

    def examine(pythons):
        asked.append(pythons)
        yield from findings

    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(checkup, "examine", examine)
    result = CliRunner().invoke(doctor.command, arguments, standalone_mode=False)
    assert result.exception is None, result.exception
    return result.return_value, result.output, asked[0]


def test_nothing_broken_is_success(monkeypatch, tmp_path):
    code, output, _ = run(monkeypatch, tmp_path, [SOUND, MISSING])
    assert code == 0
    assert "ok: jax 0.10.2, flax 0.12.8" in output
    assert "sees cpu; imported in 1.2 s" in output
    assert "trivet env create torch" in output
    assert output.rstrip().endswith("Nothing is broken.")
    assert "uv " in output
    assert str(tmp_path / "cache") in output.replace("\n            ", "")


def test_something_broken_is_exit_code_4_and_says_how_to_repair_it(monkeypatch, tmp_path):
    code, output, _ = run(monkeypatch, tmp_path, [SOUND, DAMAGED])
    assert code == 4
    assert "ImportError: a long story" in output
    assert "trivet env create tensorflow@2.21.0" in " ".join(output.split())


@pytest.mark.parametrize("findings", [[SOUND, MISSING, DAMAGED]])
def test_it_fits_one_screen(monkeypatch, tmp_path, findings):
    _, output, _ = run(monkeypatch, tmp_path, findings)
    lines = output.splitlines()
    assert len(lines) <= 40
    # Paths and names are kept whole, to be copied; the temporary folders of tests are longer than a user's.
    assert all(len(line) <= 80 for line in lines if str(tmp_path) not in line and sys.executable not in line)


def test_own_interpreters_are_handed_on(monkeypatch, tmp_path):
    _, _, asked = run(monkeypatch, tmp_path, [SOUND], "--python", f"jax={sys.executable}")
    assert asked == {"jax": sys.executable}
