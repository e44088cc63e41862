"""Mistakes in how a model is trained: its loss, what is random, what is left out."""

from __future__ import annotations

from planted_faults.fault import (
    JAX_OPTIMIZERS,
    JAX_STEP,
    KERAS_STEP,
    TORCH_ADAPTER,
    TORCH_STEP,
    Edit,
    Fault,
    model,
)

_TORCH_MLP, _KERAS_MLP, _FLAX_MLP = (model("mlp", name) for name in ("torch", "tensorflow", "jax"))


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


def _smoothing(
    framework: str, workload: str, edit: Edit, ours: float, theirs: float, *, quick: bool = False
) -> Fault:
    return Fault(
        kind="label smoothing",
        framework=framework,
        workload=workload,
        edits=(edit,),
        check="loss",
        where="label smoothing",
        ours={"label_smoothing": ours},
        theirs={"label_smoothing": theirs},
        words=f"its labels are smoothed by {ours:g}, the reference's by {theirs:g}",
        quick=quick,
    )


def _dropout(framework: str, *edits: Edit, words: str, quick: bool = False) -> Fault:
    return Fault(
        kind="dropout left on",
        framework=framework,
        workload="mlp",
        edits=edits,
        check="train_output",
        where="fc3",
        words=words,
        quick=quick,
    )


def _frozen(framework: str, check: str, *edits: Edit, quick: bool = False) -> Fault:
    return Fault(
        kind="frozen layer" if check == "gradient" else "layer kept from the optimizer",
        framework=framework,
        workload="mlp",
        edits=edits,
        check=check,
        where="fc2",
        ours={"trained": False},
        theirs={"trained": True},
        words="frozen",
        quick=quick,
    )


_DROPPED = "dropout before it has the rate 0.1, the reference's 0"
_TORCH_LOSS = "label_smoothing=label_smoothing)"

FAULTS = (
    _sum(
        "torch",
        Edit(file=TORCH_STEP, old=_TORCH_LOSS, new='label_smoothing=label_smoothing, reduction="sum")'),
    ),
    _sum("tensorflow", Edit(file=KERAS_STEP, old="tf.reduce_mean(", new="tf.reduce_sum(")),
    _sum(
        "jax",
        Edit(file=JAX_STEP, old="labels, smoothing).mean()", new="labels, smoothing).sum()"),
        quick=True,
    ),
    _smoothing(
        "torch",
        "mlp",
        Edit(file=TORCH_STEP, old=_TORCH_LOSS, new="label_smoothing=0.125)"),
        0.125,
        0.0,
        quick=True,
    ),
    _smoothing(
        "tensorflow",
        "mlp",
        Edit(file=KERAS_STEP, old="self._smoothing = job.label_smoothing", new="self._smoothing = 0.125"),
        0.125,
        0.0,
    ),
    _smoothing("jax", "mlp", Edit(file=JAX_STEP, old="job.label_smoothing", new="0.125"), 0.125, 0.0),
    _smoothing("torch", "convnet", Edit(file=TORCH_STEP, old=f", {_TORCH_LOSS}", new=")"), 0.0, 0.125),
    _smoothing(
        "tensorflow",
        "convnet",
        Edit(file=KERAS_STEP, old="self._smoothing = job.label_smoothing", new="self._smoothing = 0.0"),
        0.0,
        0.125,
    ),
    _smoothing("jax", "convnet", Edit(file=JAX_STEP, old="job.label_smoothing", new="0.0"), 0.0, 0.125),
    # its default is training=True, in evaluation too
    _dropout(
        "torch",
        Edit(file=_TORCH_MLP, old="x = F.relu(self.fc2(x))", new="x = F.dropout(F.relu(self.fc2(x)), 0.1)"),
        words="whenever the same batch is evaluated: something random",
        quick=True,
    ),
    _dropout(
        "tensorflow",
        Edit(
            file=_KERAS_MLP,
            old='name="fc2")(x)',
            new='name="fc2")(x)\n    x = layers.Dropout(0.1)(x, training=True)',
        ),
        words=_DROPPED,
    ),
    _dropout(
        "jax",
        Edit(
            file=_FLAX_MLP,
            old="        self.fc3 = ",
            new="        self.dropout = nnx.Dropout(0.1, rngs=rngs)\n        self.fc3 = ",
        ),
        Edit(
            file=_FLAX_MLP,
            old="return self.fc3(x)",
            new="return self.fc3(self.dropout(x, deterministic=False))",
        ),
        words=_DROPPED,
    ),
    _frozen(
        "torch",
        "gradient",
        Edit(
            file=_TORCH_MLP,
            old="        self.fc3 = ",
            new="        self.fc2.requires_grad_(False)\n        self.fc3 = ",
        ),
        quick=True,
    ),
    _frozen(
        "tensorflow", "gradient", Edit(file=_KERAS_MLP, old='name="fc2")', new='name="fc2", trainable=False)')
    ),
    _frozen(
        "jax",
        "gradient",
        Edit(
            file=_FLAX_MLP,
            old="self.fc2(x)",
            new="(x @ jax.lax.stop_gradient(self.fc2.kernel[...]) + jax.lax.stop_gradient(self.fc2.bias[...]))",
        ),
    ),
    _frozen(
        "torch",
        "rule",
        Edit(
            file=TORCH_ADAPTER,
            old="network.parameters(),",
            new='[one for name, one in network.named_parameters() if "fc2" not in name],',
        ),
    ),
    _frozen(
        "tensorflow",
        "rule",
        Edit(
            file=KERAS_STEP,
            old="self._optimizer.apply(gradients, variables)",
            new='kept = [(one, v) for one, v in zip(gradients, variables) if "fc2" not in v.path]\n'
            "        self._optimizer.apply_gradients(kept)",
        ),
    ),
    _frozen(
        "jax",
        "rule",
        Edit(
            file=JAX_OPTIMIZERS,
            old='optimizer = KINDS[settings["kind"]](learning_rate, settings)',
            new='optimizer = KINDS[settings["kind"]](learning_rate, settings)\n'
            '        frozen = optax.masked(optax.set_to_zero(), {"fc1": False, "fc2": True, "fc3": False})\n'
            "        optimizer = optax.chain(optimizer, frozen)",
        ),
    ),
)
