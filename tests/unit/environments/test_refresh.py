"""The command that resolves the pins, with a fake uv that answers from a table."""

from __future__ import annotations

import json
import sys
import tomllib

import pytest

from trivet.environments import pins, settings
from trivet.environments.installers import uv
from trivet.environments.refresh import refresh
from trivet.errors import BrokenEnvironment, UsageError

UV = """\
import json, os, sys
from pathlib import Path
arguments = sys.argv[1:]
python = arguments[arguments.index("--python-version") + 1]
asked = sys.stdin.read().split()
with open(Path(__file__).with_name("calls.jsonl"), "a") as file:
    file.write(json.dumps(dict(python=python, asked=asked, variables=dict(os.environ))) + "\\n")
versions = dict(flax="0.12.8", optax="0.2.8", jaxlib="9", numpy="2.4.6" if python == "3.11" else "2.5.5")
packages = []
for text in asked:
    name, _, version = text.partition("==")
    name = name.partition("[")[0]
    if version == "0.11.0" and python == "3.11":
        sys.exit("error: jax==0.11.0 has no wheels with a matching Python ABI tag (e.g., `cp311`)")
    if version == "0.0.0":
        sys.exit("error: uv broke")
    packages.append((name, version or versions.get(name, "0.12.0")))
packages.append(("ml_dtypes", "0.6.0"))
lock = Path(arguments[arguments.index("-o") + 1])
assert lock.name == "pylock.toml"
text = ""
for name, version in packages:
    text += f'[[packages]]\\nname = "{name}"\\nversion = "{version}"\\nwheels = [{{ size = 1000 }}]\\n'
lock.write_text(text)
"""


@pytest.fixture
def calls(tmp_path, monkeypatch):
    program = tmp_path / "uv"
    program.write_text(f"#!{sys.executable}\n{UV}")
    program.chmod(0o755)
    monkeypatch.setattr(uv, "program", lambda: str(program))
    monkeypatch.setattr(
        settings,
        "pip_settings",
        lambda: {
            "index-url": "https://mirror.example/simple",
            "find-links": "/wheels",
            "constraint": "/c.txt",
        },
    )
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path))
    return lambda: [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text().splitlines()]


def write(jax, text):
    (jax.folder / pins.FILE).write_text(text)


def test_whole_sets_are_resolved_for_every_python_and_accelerator(jax, calls, said):
    write(jax, '[refresh]\nversions = ["0.10.2", "0.9.2"]\nalso = ["jaxlib"]\n')
    refresh(jax, newest=False, report=said.append)
    known = pins.load(jax.folder)
    assert known is not None
    assert known.versions == ("0.10.2", "0.9.2")
    assert known.also == ("jaxlib",)
    assert known.date is not None
    assert len(known.sets) == 2 * 2 * 4 == len(said)
    chosen = known.find(None, "3.12", "cuda")
    assert chosen is not None
    assert chosen.requirements == (
        "jax[cuda12]==0.10.2",
        "flax==0.12.8",
        "optax==0.2.8",
        "numpy==2.5.5",
        "jaxlib==9",
    )
    assert chosen.download_bytes == 6000


def test_a_second_refresh_changes_nothing_but_the_date(jax, calls, said):
    write(jax, '[refresh]\nversions = ["0.10.2"]\n')
    refresh(jax, newest=False, report=said.append)
    first = (jax.folder / pins.FILE).read_text()
    refresh(jax, newest=False, report=said.append)
    assert (jax.folder / pins.FILE).read_text() == first
    assert tomllib.loads(first)["refresh"] == {"versions": ["0.10.2"]}


def test_a_version_without_wheels_for_a_python_has_no_set_there(jax, calls, said):
    write(jax, '[refresh]\nversions = ["0.11.0"]\n')
    known = refresh(jax, newest=False, report=said.append)
    assert known.pythons("0.11.0") == ["3.12", "3.13", "3.14"]
    assert "jax 0.11.0, cpu, Python 3.11: no wheels" in said


def test_the_newest_becomes_the_default(jax, calls, said):
    write(jax, '[refresh]\nversions = ["0.10.2"]\n')
    assert refresh(jax, newest=True, report=said.append).versions == ("0.12.0", "0.10.2")


def test_only_the_users_index_counts(jax, calls, said, monkeypatch):
    monkeypatch.setenv("UV_FIND_LINKS", "/wheels")
    monkeypatch.setenv("UV_CONSTRAINT", "/c.txt")
    write(jax, '[refresh]\nversions = ["0.10.2"]\n')
    refresh(jax, newest=False, report=said.append)
    for call in calls():
        assert call["variables"]["UV_DEFAULT_INDEX"] == "https://mirror.example/simple"
        assert not {"UV_FIND_LINKS", "UV_CONSTRAINT"} & set(call["variables"])


def test_a_set_that_does_not_resolve_leaves_the_old_pins(jax, calls, said):
    write(jax, '[refresh]\nversions = ["0.0.0"]\n')
    before = (jax.folder / pins.FILE).read_text()
    with pytest.raises(BrokenEnvironment, match="uv broke"):
        refresh(jax, newest=False, report=said.append)
    assert (jax.folder / pins.FILE).read_text() == before


def test_a_framework_without_pins_is_refused(jax, calls, said):
    with pytest.raises(UsageError, match="has no pins"):
        refresh(jax, newest=False, report=said.append)
