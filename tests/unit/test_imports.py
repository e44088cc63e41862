"""Who may import whom, seen from fresh interpreters; import-linter holds the same rules on the source (`make lint`)."""

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
FRAMEWORKS = ("torch", "tensorflow", "keras", "jax", "flax", "optax")
HEAVY = ("numpy", "scipy", "pydantic", "rich", "jinja2", "altair", "psutil", "uv")

IMPORT_ALL = """
import importlib, pathlib, sys
root = pathlib.Path(sys.argv[1])
for path in sorted(root.rglob("*.py")):
    parts = path.relative_to(root.parent).with_suffix("").parts
    if parts[-1] == "__main__" or any(part in sys.argv[2:] for part in parts):
        continue
    importlib.import_module(".".join(parts).removesuffix(".__init__"))
print("\\n".join(sorted({name.split(".")[0] for name in sys.modules})))
"""


def modules_after(program: str, *arguments: str, path: Path = SOURCE) -> set[str]:
    """Return the top-level names in `sys.modules` of a fresh interpreter after a program."""
    result = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(path)!r})\n{program}", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(result.stdout.split())


def test_the_coordinator_loads_no_framework():
    loaded = modules_after(IMPORT_ALL, str(SOURCE / "trivet"))
    assert "trivet" in loaded
    assert not loaded.intersection(FRAMEWORKS)


def test_the_worker_loads_neither_frameworks_nor_third_parties_nor_the_coordinator():
    models = [path.stem for path in (SOURCE / "trivet_worker" / "workloads").rglob("model_*.py")]
    loaded = modules_after(
        IMPORT_ALL, str(SOURCE / "trivet_worker"), "frameworks", "bootstrap", "programs", *models
    )
    assert "trivet_worker" in loaded
    assert not loaded.intersection((*FRAMEWORKS, *HEAVY[1:], "trivet", "click"))


def test_help_loads_nothing_heavy():
    program = "import trivet.cli.main\nprint('\\n'.join({name.split('.')[0] for name in sys.modules}))"
    assert not modules_after(program).intersection((*FRAMEWORKS, *HEAVY))


@pytest.mark.parametrize(
    ("planted", "statement"),
    [("trivet/model/planted.py", "import flax"), ("trivet_worker/planted.py", "import trivet")],
)
def test_these_tests_can_fail(tmp_path, planted, statement):
    """A planted import is seen: by the look at `sys.modules`, and by import-linter."""
    for package in ("trivet", "trivet_worker"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "trivet" / "model").mkdir()
    (tmp_path / "trivet" / "model" / "__init__.py").touch()
    (tmp_path / "flax").mkdir()
    (tmp_path / "flax" / "__init__.py").touch()
    (tmp_path / planted).write_text(statement + "\n")
    package = planted.split("/")[0]
    loaded = modules_after(IMPORT_ALL, str(tmp_path / package), path=tmp_path)
    assert statement.split()[1] in loaded
    settings = tmp_path / ".importlinter"
    settings.write_text(
        "[importlinter]\nroot_packages =\n    trivet\n    trivet_worker\ninclude_external_packages = True\n\n"
        "[importlinter:contract:1]\nname = worker\ntype = forbidden\nsource_modules = trivet_worker\n"
        "forbidden_modules = trivet\n\n[importlinter:contract:2]\nname = frameworks\ntype = forbidden\n"
        "source_modules = trivet\nforbidden_modules = flax\n"
    )
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [linter, "--config", settings, "--no-cache"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1, result.stdout
    assert "BROKEN" in result.stdout
