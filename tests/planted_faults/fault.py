"""What a planted mistake is, on which workloads they are planted, and how."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trivet.launch.stage import Staged

BASE_VARIANTS = {"torch": "torch:eager", "tensorflow": "tensorflow:graph", "jax": "jax:jit"}
COMPILED_VARIANTS = {"torch": "torch:compile", "tensorflow": "tensorflow:xla"}

SIZES: Mapping[str, dict[str, Any]] = {
    "linear": {"features": 24, "classes": 5},
    "mlp": {"features": 24, "hidden": 32, "classes": 5},
    "resnet18": {"blocks": [1, 1, 1, 1], "bottleneck": False, "stem": "large", "image": 64, "classes": 5},
    "resnet50": {"blocks": [1, 1, 1, 1], "bottleneck": True, "stem": "small", "image": 16, "classes": 5},
    "convnet": {"image": 8, "width": 6, "hidden": 32, "classes": 5},
    "transformer": {"vocabulary": 61, "length": 12, "width": 32, "heads": 4, "blocks": 2},
}
"""Small, but with every kind of layer, the max-pool of the large stem among them. The last two are the tests' own."""

FULL_ONLY = ("resnet50",)
"""Not traced by `make test`."""

TORCH_STEP = "frameworks/torch/program.py"
TORCH_ADAPTER = "frameworks/torch/adapter.py"
KERAS_STEP = "frameworks/tensorflow/program.py"
JAX_STEP = "frameworks/jax/program.py"
JAX_OPTIMIZERS = "frameworks/jax/optimizers.py"


def model(workload: str, framework: str) -> str:
    """Return a native model file, as `Edit.file` names it."""
    return f"workloads/{workload}/model_{framework}.py"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Edit:
    """A replacement in a file.

    Attributes:
        file: below `trivet_worker`.
        old: text that must be there.
        new: what takes its place, wherever it is.
    """

    file: str
    old: str
    new: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fault:
    """A mistake, and how the gate should describe it.

    Attributes:
        kind: of mistake, such as "epsilon".
        framework: in whose code it is made.
        workload: on which it shows.
        edits: to the staged code.
        check: expected `Difference.check`.
        where: expected `Difference.where`.
        ours: expected attribute values of the faulty side, as far as they are given.
        theirs: the same of the reference.
        words: must be in the cause.
        quick: True if `make test` plants it; the others are for `make test-full`.
    """

    kind: str
    framework: str
    workload: str
    edits: tuple[Edit, ...]
    check: str
    where: str
    ours: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    theirs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    words: str = ""
    quick: bool = False


def plant(staged: Staged, edits: tuple[Edit, ...], folder: Path) -> Staged:
    """Return a copy of the staged code with the mistake in it."""
    shutil.copytree(staged.folder, folder)
    for edit in edits:
        path = folder / "trivet_worker" / edit.file
        text = path.read_text(encoding="utf-8")
        assert edit.old in text, f"{edit.file} has changed: there is no {edit.old!r} to replace"
        path.write_text(text.replace(edit.old, edit.new), encoding="utf-8")
    return Staged(folder=folder, digest=f"{staged.digest}, {edits!r}")
