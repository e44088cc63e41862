"""Mistakes to write into a copy of the staged code: the native models and the programs that train them.

Each is one that people make when they carry a model over, or a default of the framework that they forget.
"""

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
}
"""Small, but with every kind of layer, the max-pool of the large stem among them."""


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


_TORCH_RESNET = "workloads/resnet/model_torch.py"
_KERAS_RESNET = "workloads/resnet/model_tensorflow.py"
_FLAX_RESNET = "workloads/resnet/model_jax.py"
_TORCH_MLP = "workloads/mlp/model_torch.py"
_KERAS_MLP = "workloads/mlp/model_tensorflow.py"
_FLAX_MLP = "workloads/mlp/model_jax.py"
_TORCH_STEP = "frameworks/torch/program.py"
_KERAS_STEP = "frameworks/tensorflow/program.py"
_JAX_STEP = "frameworks/jax/program.py"

_TORCH_TRANSPOSED = """class Transposed(nn.Linear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.weight.T, self.bias)


class MLP("""
_KERAS_TRANSPOSED = """class Transposed(layers.Dense):
    def call(self, inputs):
        return self.activation(keras.ops.matmul(inputs, keras.ops.transpose(self.kernel)) + self.bias)


def build("""
_FLAX_TRANSPOSED = """class Transposed(nnx.Linear):
    def __call__(self, inputs):
        return inputs @ self.kernel[...].T + self.bias[...]


class MLP("""


def _epsilon(framework: str, edit: Edit, value: float, *, quick: bool = False) -> Fault:
    return Fault(
        kind="epsilon",
        framework=framework,
        workload="resnet18",
        edits=(edit,),
        check="train_output",
        where="bn1",
        ours={"epsilon": value},
        theirs={"epsilon": 1e-5},
        words="epsilon",
        quick=quick,
    )


def _same_padding(framework: str, *edits: Edit, quick: bool = False) -> Fault:
    return Fault(
        kind="SAME padding at stride 2",
        framework=framework,
        workload="resnet18",
        edits=edits,
        check="train_output",
        where="conv1",
        ours={"padding": [[2, 3], [2, 3]]},
        theirs={"padding": [[3, 3], [3, 3]]},
        words="padding",
        quick=quick,
    )


def _pooling(framework: str, where: str, *edits: Edit, quick: bool = False) -> Fault:
    return Fault(
        kind="pooling padding",
        framework=framework,
        workload="resnet18",
        edits=edits,
        check="train_output",
        where=where,
        ours={"padding": [[0, 1], [0, 1]]},
        theirs={"padding": [[1, 1], [1, 1]]},
        words="padding",
        quick=quick,
    )


def _transposed(framework: str, *edits: Edit, quick: bool = False) -> Fault:
    return Fault(
        kind="transposed square kernel",
        framework=framework,
        workload="mlp",
        edits=edits,
        check="train_output",
        where="fc2",
        words="its kernel is used transposed: in and out are exchanged",
        quick=quick,
    )


def _missing_bias(framework: str, edit: Edit, where: str, *, quick: bool = False) -> Fault:
    return Fault(
        kind="missing bias",
        framework=framework,
        workload="mlp",
        edits=(edit,),
        check="structure",
        where=where,
        ours={"bias": "absent"},
        theirs={"bias": "present"},
        words="has no bias",
        quick=quick,
    )


def _extra_bias(framework: str, edit: Edit, *, quick: bool = False) -> Fault:
    return Fault(
        kind="extra bias",
        framework=framework,
        workload="resnet18",
        edits=(edit,),
        check="structure",
        where="conv1",
        ours={"bias": "present"},
        theirs={"bias": "absent"},
        words="the workload has none",
        quick=quick,
    )


def _sum(framework: str, edit: Edit, *, quick: bool = False) -> Fault:
    return Fault(
        kind="mean against sum",
        framework=framework,
        workload="mlp",
        edits=(edit,),
        check="loss",
        where="loss reduction",
        ours={"reduction": "sum"},
        theirs={"reduction": "mean"},
        words="summed over the examples, not averaged",
        quick=quick,
    )


def _momentum(
    framework: str, edits: tuple[Edit, ...], form: str, words: str, *, quick: bool = False
) -> Fault:
    return Fault(
        kind="momentum form",
        framework=framework,
        workload="mlp",
        edits=edits,
        check="rule",
        where="momentum",
        ours={"momentum": form},
        words=words,
        quick=quick,
    )


def _statistics(framework: str, edit: Edit, value: float, *, quick: bool = False) -> Fault:
    return Fault(
        kind="momentum of the running statistics",
        framework=framework,
        workload="resnet18",
        edits=(edit,),
        check="statistic",
        where="bn1.mean",
        ours={"momentum": value},
        theirs={"momentum": 0.9},
        words="momentum",
        quick=quick,
    )


def _rate(framework: str, edit: Edit, *, quick: bool = False) -> Fault:
    return Fault(
        kind="rate compiled in",
        framework=framework,
        workload="mlp",
        edits=(edit,),
        check="rule",
        where="momentum",
        ours={"momentum": "rate_unchanged"},
        words="the first rate to the end",
        quick=quick,
    )


FAULTS = (
    _epsilon(
        "torch",
        Edit(
            file=_TORCH_RESNET,
            old='["bn1"] = nn.BatchNorm2d(64)',
            new='["bn1"] = nn.BatchNorm2d(64, eps=1e-3)',
        ),
        1e-3,
    ),
    # keras.applications really has this one
    _epsilon("tensorflow", Edit(file=_KERAS_RESNET, old="epsilon=1e-5", new="epsilon=1.001e-5"), 1.001e-5),
    _epsilon("jax", Edit(file=_FLAX_RESNET, old="epsilon=1e-5", new="epsilon=1e-3"), 1e-3, quick=True),
    _same_padding(
        "torch",
        Edit(
            file=_TORCH_RESNET,
            old='layers["conv1"] = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)',
            new='layers["pad"] = nn.ZeroPad2d((2, 3, 2, 3))\n'
            '        layers["conv1"] = nn.Conv2d(3, 64, 7, stride=2, bias=False)',
        ),
    ),
    _same_padding(
        "tensorflow",
        Edit(file=_KERAS_RESNET, old="if stride > 1 and window > 1:", new="if False:"),
        quick=True,
    ),
    _same_padding("jax", Edit(file=_FLAX_RESNET, old="padding=window // 2", new='padding="SAME"')),
    _pooling(
        "torch",
        "max_pool (maxpool)",
        Edit(
            file=_TORCH_RESNET,
            old='layers["maxpool"] = nn.MaxPool2d(3, stride=2, padding=1)',
            new='layers["pad"] = nn.ZeroPad2d((0, 1, 0, 1))\n'
            '        layers["maxpool"] = nn.MaxPool2d(3, stride=2)',
        ),
        quick=True,
    ),
    _pooling(
        "tensorflow",
        "max_pool (maxpool)",
        Edit(file=_KERAS_RESNET, old='x = layers.ZeroPadding2D(1, name="maxpool_pad")(x)', new=""),
        Edit(file=_KERAS_RESNET, old="MaxPooling2D(3, 2, ", new='MaxPooling2D(3, 2, padding="same", '),
    ),
    _pooling(
        "jax", "max_pool", Edit(file=_FLAX_RESNET, old="padding=((1, 1), (1, 1))", new='padding="SAME"')
    ),
    _transposed(
        "torch",
        Edit(file=_TORCH_MLP, old="class MLP(", new=_TORCH_TRANSPOSED),
        Edit(file=_TORCH_MLP, old="self.fc2 = nn.Linear(", new="self.fc2 = Transposed("),
        quick=True,
    ),
    _transposed(
        "tensorflow",
        Edit(
            file=_KERAS_MLP,
            old='layers.Dense(hidden, activation="relu", name="fc2")',
            new='Transposed(hidden, activation="relu", name="fc2")',
        ),
        Edit(file=_KERAS_MLP, old="def build(", new=_KERAS_TRANSPOSED),
    ),
    _transposed(
        "jax",
        Edit(file=_FLAX_MLP, old="class MLP(", new=_FLAX_TRANSPOSED),
        Edit(file=_FLAX_MLP, old="self.fc2 = nnx.Linear(", new="self.fc2 = Transposed("),
    ),
    _missing_bias(
        "torch",
        Edit(file=_TORCH_MLP, old="nn.Linear(hidden, hidden)", new="nn.Linear(hidden, hidden, bias=False)"),
        "fc2",
    ),
    _missing_bias(
        "tensorflow",
        Edit(file=_KERAS_MLP, old='name="fc3")', new='use_bias=False, name="fc3")'),
        "fc3",
        quick=True,
    ),
    _missing_bias(
        "jax",
        Edit(
            file=_FLAX_MLP,
            old="nnx.Linear(features, hidden, ",
            new="nnx.Linear(features, hidden, use_bias=False, ",
        ),
        "fc1",
    ),
    _extra_bias("torch", Edit(file=_TORCH_RESNET, old="bias=False", new="bias=True")),
    _extra_bias("tensorflow", Edit(file=_KERAS_RESNET, old="use_bias=False", new="use_bias=True")),
    _extra_bias("jax", Edit(file=_FLAX_RESNET, old="use_bias=False", new="use_bias=True")),
    _sum(
        "torch",
        Edit(
            file=_TORCH_STEP,
            old="F.cross_entropy(logits, labels)",
            new='F.cross_entropy(logits, labels, reduction="sum")',
        ),
    ),
    _sum("tensorflow", Edit(file=_KERAS_STEP, old="tf.reduce_mean(", new="tf.reduce_sum(")),
    _sum(
        "jax", Edit(file=_JAX_STEP, old="(logits, labels).mean()", new="(logits, labels).sum()"), quick=True
    ),
    _momentum(
        "torch",
        (
            Edit(
                file="frameworks/torch/adapter.py",
                old='momentum=job.optimizer["momentum"],',
                new='momentum=job.optimizer["momentum"], dampening=job.optimizer["momentum"],',
            ),
        ),
        "dampened_later",
        "a dampened form",
    ),
    _momentum(
        "torch",
        (
            Edit(
                file="frameworks/torch/adapter.py",
                old='momentum=job.optimizer["momentum"],',
                new='momentum=job.optimizer["momentum"], weight_decay=0.0625,',
            ),
        ),
        "coupled_decay",
        "coupled weight decay, v = 0.875 v + g + 0.0625 p",
        quick=True,
    ),
    _momentum(
        "tensorflow",
        (Edit(file=_KERAS_STEP, old="momentum=momentum)", new="momentum=momentum, nesterov=True)"),),
        "nesterov_inside",
        "Nesterov's form",
        quick=True,
    ),
    _momentum(
        "jax",
        (
            Edit(
                file=_JAX_STEP, old='static_args="momentum")(', new='static_args=("momentum", "nesterov"))('
            ),
            Edit(
                file=_JAX_STEP,
                old='momentum=job.optimizer["momentum"]',
                new='momentum=job.optimizer["momentum"], nesterov=True',
            ),
        ),
        "nesterov",
        "Nesterov's form",
    ),
    _rate("torch", Edit(file=_TORCH_STEP, old='group["lr"] = rate', new="pass")),
    _rate("tensorflow", Edit(file=_KERAS_STEP, old="self._optimizer.learning_rate = rate", new="pass")),
    _rate(
        "jax",
        Edit(
            file=_JAX_STEP, old='hyperparams["learning_rate"] = jnp.asarray(rate, ', new="jnp.asarray(rate, "
        ),
        quick=True,
    ),
    _statistics(
        "torch",
        Edit(
            file=_TORCH_RESNET,
            old='["bn1"] = nn.BatchNorm2d(64)',
            new='["bn1"] = nn.BatchNorm2d(64, momentum=0.01)',
        ),
        0.99,
    ),
    _statistics("tensorflow", Edit(file=_KERAS_RESNET, old="momentum=0.9,", new="momentum=0.99,"), 0.99),
    _statistics("jax", Edit(file=_FLAX_RESNET, old="momentum=0.9,", new="momentum=0.99,"), 0.99),
    Fault(
        kind="evaluation mode forgotten",
        framework="torch",
        workload="resnet18",
        edits=(Edit(file=_TORCH_STEP, old="self.model.eval()", new="pass"),),
        check="eval_output",
        where="eval output",
        words="only evaluation mode differs",
    ),
    Fault(
        kind="kernel of a convolution with height and width exchanged",
        framework="torch",
        workload="resnet18",
        edits=(
            Edit(
                file=_TORCH_RESNET,
                old="class BasicBlock(",
                new="class Exchanged(nn.Conv2d):\n    def forward(self, x):\n"
                "        return self._conv_forward(x, self.weight.transpose(2, 3), self.bias)\n\n\nclass BasicBlock(",
            ),
            Edit(
                file=_TORCH_RESNET,
                old="self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)\n        self.bn2 = nn.BatchNorm2d(width)\n        self.relu",
                new="self.conv2 = (Exchanged if width == 512 else nn.Conv2d)(width, width, 3, padding=1, bias=False)\n"
                "        self.bn2 = nn.BatchNorm2d(width)\n        self.relu",
            ),
        ),
        check="train_output",
        where="layer4.0.conv2",
        words="its kernel is used transposed: height and width are exchanged",
    ),
)
