"""Mistakes in layers without a window: what they compute, and what they lack."""

from __future__ import annotations

from planted_faults.fault import TORCH_STEP, Edit, Fault, model

_TORCH_RESNET, _KERAS_RESNET, _FLAX_RESNET = (
    model("resnet", name) for name in ("torch", "tensorflow", "jax")
)
_TORCH_MLP, _KERAS_MLP, _FLAX_MLP = (model("mlp", name) for name in ("torch", "tensorflow", "jax"))

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


FAULTS = (
    _epsilon(
        "torch",
        Edit(
            file=_TORCH_RESNET,
            old='["bn1"] = nn.BatchNorm2d(64)',
            new='["bn1"] = nn.BatchNorm2d(64, eps=1e-3)',
        ),
        1e-3,
        quick=True,
    ),
    # keras.applications really has this one
    _epsilon("tensorflow", Edit(file=_KERAS_RESNET, old="epsilon=1e-5", new="epsilon=1.001e-5"), 1.001e-5),
    _epsilon("jax", Edit(file=_FLAX_RESNET, old="epsilon=1e-5", new="epsilon=1e-3"), 1e-3),
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
        quick=True,
    ),
    _missing_bias(
        "tensorflow",
        Edit(file=_KERAS_MLP, old='name="fc3")', new='use_bias=False, name="fc3")'),
        "fc3",
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
    _statistics(
        "torch",
        Edit(
            file=_TORCH_RESNET,
            old='["bn1"] = nn.BatchNorm2d(64)',
            new='["bn1"] = nn.BatchNorm2d(64, momentum=0.01)',
        ),
        0.99,
        quick=True,
    ),
    _statistics("tensorflow", Edit(file=_KERAS_RESNET, old="momentum=0.9,", new="momentum=0.99,"), 0.99),
    _statistics("jax", Edit(file=_FLAX_RESNET, old="momentum=0.9,", new="momentum=0.99,"), 0.99),
    Fault(
        kind="evaluation mode forgotten",
        framework="torch",
        workload="resnet18",
        edits=(Edit(file=TORCH_STEP, old="self.model.eval()", new="pass"),),
        check="eval_output",
        where="eval output",
        words="only evaluation mode differs",
    ),
)
