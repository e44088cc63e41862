"""Mistakes in the optimizer: its rule, weight decay, clipping, and the learning rate's schedule."""

from __future__ import annotations

from planted_faults.fault import JAX_OPTIMIZERS, JAX_STEP, KERAS_STEP, TORCH_ADAPTER, TORCH_STEP, Edit, Fault


def _momentum(framework: str, edit: Edit, form: str, words: str, *, quick: bool = False) -> Fault:
    return Fault(
        kind="momentum form",
        framework=framework,
        workload="mlp",
        edits=(edit,),
        check="rule",
        where="momentum",
        ours={"momentum": form},
        words=words,
        quick=quick,
    )


def _decay(
    framework: str,
    workload: str,
    edit: Edit,
    form: str,
    words: str,
    *,
    kind: str = "coupled weight decay",
    quick: bool = False,
) -> Fault:
    return Fault(
        kind=kind,
        framework=framework,
        workload=workload,
        edits=(edit,),
        check="rule",
        where="weight decay",
        ours={"weight_decay": form},
        theirs={"weight_decay": "decoupled" if workload == "transformer" else "none"},
        words=words,
        quick=quick,
    )


def _rate(framework: str, edit: Edit, *, quick: bool = False) -> Fault:
    return Fault(
        kind="rate compiled in",
        framework=framework,
        workload="mlp",
        edits=(edit,),
        check="rule",
        where="learning rate",
        ours={"learning_rate": "unchanged"},
        words="the first rate to the end",
        quick=quick,
    )


def _schedule(framework: str, workload: str, edit: Edit, when: str, *, quick: bool = False) -> Fault:
    return Fault(
        kind="schedule off by one step",
        framework=framework,
        workload=workload,
        edits=(edit,),
        check="rule",
        where="learning rate",
        ours={"learning_rate": when},
        theirs={"learning_rate": "of each step"},
        words=f"each change comes one step {when}",
        quick=quick,
    )


def _clipping(
    framework: str, workload: str, edit: Edit, form: str, declared: str, *, words: str, quick: bool = False
) -> Fault:
    return Fault(
        kind="clip by tensor" if form.startswith("by_tensor") else "clipping forgotten",
        framework=framework,
        workload=workload,
        edits=(edit,),
        check="rule",
        where="clipping",
        ours={"clipping": form},
        theirs={"clipping": declared},
        words=words,
        quick=quick,
    )


_BY_TENSOR = "clipping of each gradient tensor by its own norm"
_TORCH_CLIP = "torch.nn.utils.clip_grad_norm_(self.model.parameters(), self._clip_norm)"
_TORCH_BY_TENSOR = Edit(
    file=TORCH_STEP,
    old=_TORCH_CLIP,
    new="for parameter in self.model.parameters():\n"
    "                torch.nn.utils.clip_grad_norm_(parameter, self._clip_norm)",
)
_KERAS_BY_TENSOR = Edit(file=KERAS_STEP, old="global_clipnorm=", new="clipnorm=")
_JAX_BY_TENSOR = Edit(
    file=JAX_OPTIMIZERS,
    old='optax.clip_by_global_norm(settings["clip_norm"])',
    new="optax.stateless_with_tree_map(\n"
    '            lambda one, _: one * (settings["clip_norm"] / optax.global_norm([one])).clip(max=1.0)\n'
    "        )",
)
_TORCH_STEPS = """        self._optimizer.step()
        if self._scheduler is not None:
            self._scheduler.step()
"""
_TORCH_EARLY = Edit(
    file=TORCH_STEP,
    old=_TORCH_STEPS,
    new="""        if self._scheduler is not None:
            self._scheduler.step()
        self._optimizer.step()
""",
)
_KERAS_LATE = Edit(file=KERAS_STEP, old="[milestone - 1 for", new="[milestone for")
_JAX_LATE = Edit(
    file=JAX_OPTIMIZERS,
    old='dict.fromkeys(settings["milestones"], settings["gamma"])',
    new='{milestone + 1: settings["gamma"] for milestone in settings["milestones"]}',
)
_EPSILON_HAT = """        for group in self._optimizer.param_groups:
            taken = [int(state["step"]) for state in self._optimizer.state.values()]
            group["eps"] = 0.0009765625 / (1 - group["betas"][1] ** (max(taken, default=0) + 1)) ** 0.5
"""

FAULTS = (
    _momentum(
        "torch",
        Edit(
            file=TORCH_ADAPTER,
            old='momentum=job.optimizer["momentum"],',
            new='momentum=job.optimizer["momentum"], dampening=job.optimizer["momentum"],',
        ),
        "dampened_later",
        "a dampened form",
        quick=True,
    ),
    _momentum(
        "tensorflow",
        Edit(
            file=KERAS_STEP,
            old='momentum=settings["momentum"],',
            new='momentum=settings["momentum"], nesterov=True,',
        ),
        "nesterov_inside",
        "Nesterov's form",
    ),
    _momentum(
        "jax",
        Edit(
            file=JAX_OPTIMIZERS,
            old='momentum=settings["momentum"])',
            new='momentum=settings["momentum"], nesterov=True)',
        ),
        "nesterov",
        "Nesterov's form",
    ),
    _decay(
        "torch",
        "mlp",
        Edit(
            file=TORCH_ADAPTER,
            old='momentum=job.optimizer["momentum"],',
            new='momentum=job.optimizer["momentum"], weight_decay=0.0625,',
        ),
        "coupled_decay",
        "coupled weight decay, v = 0.875 v + g + 0.0625 p",
        quick=True,
    ),
    _decay(
        "tensorflow",
        "mlp",
        Edit(
            file=KERAS_STEP,
            old="self._optimizer.apply(gradients, variables)",
            new="self._optimizer.apply([g + 0.0625 * v for g, v in zip(gradients, variables)], variables)",
        ),
        "coupled_decay_inside",
        "coupled weight decay, v = 0.875 v − rate·(g + 0.0625 p)",
    ),
    _decay(
        "jax",
        "mlp",
        Edit(
            file=JAX_OPTIMIZERS,
            old='return optax.sgd(learning_rate, momentum=settings["momentum"])',
            new="return optax.chain(\n"
            "        optax.add_decayed_weights(0.0625),\n"
            '        optax.sgd(learning_rate, momentum=settings["momentum"]),\n'
            "    )",
        ),
        "coupled_decay",
        "coupled weight decay, v = 0.875 v + g + 0.0625 p",
    ),
    _decay(
        "tensorflow",
        "mlp",
        Edit(
            file=KERAS_STEP,
            old='momentum=settings["momentum"],',
            new='momentum=settings["momentum"], weight_decay=0.0625,',
        ),
        "decoupled_decay_inside",
        "decoupled weight decay, v = 0.875 v − rate·g; p += v − rate·0.0625 p",
        kind="weight decay where there is none",
    ),
    _decay(
        "torch",
        "transformer",
        Edit(file=TORCH_ADAPTER, old="torch.optim.AdamW(", new="torch.optim.Adam("),
        "after_correction_coupled",
        "coupled weight decay, g + 0.0625 p in place of g",
    ),
    _decay(
        "jax",
        "transformer",
        Edit(
            file=JAX_OPTIMIZERS,
            old="""    return optax.adamw(
        learning_rate,
        b1=settings["beta_1"],
        b2=settings["beta_2"],
        eps=settings["epsilon"],
        weight_decay=settings["weight_decay"],
    )""",
            new="""    adam = optax.adam(
        learning_rate, b1=settings["beta_1"], b2=settings["beta_2"], eps=settings["epsilon"]
    )
    return optax.chain(optax.add_decayed_weights(settings["weight_decay"]), adam)""",
        ),
        "after_correction_coupled",
        "coupled weight decay, g + 0.0625 p in place of g",
    ),
    _decay(
        "tensorflow",
        "transformer",
        Edit(file=KERAS_STEP, old='weight_decay=settings["weight_decay"]', new="weight_decay=0.0"),
        "before_correction_undecayed",
        "no weight decay",
        kind="weight decay forgotten",
    ),
    _rate("torch", Edit(file=TORCH_STEP, old='group["lr"] = rate', new="pass")),
    _rate("tensorflow", Edit(file=KERAS_STEP, old="self._optimizer.learning_rate = rate", new="pass")),
    _rate(
        "jax",
        Edit(
            file=JAX_STEP, old='hyperparams["learning_rate"] = jnp.asarray(rate, ', new="jnp.asarray(rate, "
        ),
        quick=True,
    ),
    _schedule("torch", "convnet", _TORCH_EARLY, "early", quick=True),
    _schedule("tensorflow", "convnet", _KERAS_LATE, "late"),
    _schedule("jax", "convnet", _JAX_LATE, "late"),
    _schedule("torch", "transformer", _TORCH_EARLY, "early"),
    _schedule("tensorflow", "transformer", _KERAS_LATE, "late"),
    _schedule("jax", "transformer", _JAX_LATE, "late"),
    _clipping(
        "torch", "convnet", _TORCH_BY_TENSOR, "by_tensor_guarded", "guarded", words=_BY_TENSOR, quick=True
    ),
    _clipping("tensorflow", "convnet", _KERAS_BY_TENSOR, "by_tensor", "exact", words=_BY_TENSOR),
    _clipping("jax", "convnet", _JAX_BY_TENSOR, "by_tensor", "exact", words=_BY_TENSOR),
    _clipping("torch", "transformer", _TORCH_BY_TENSOR, "by_tensor_guarded", "guarded", words=_BY_TENSOR),
    _clipping("tensorflow", "transformer", _KERAS_BY_TENSOR, "by_tensor", "exact", words=_BY_TENSOR),
    _clipping("jax", "transformer", _JAX_BY_TENSOR, "by_tensor", "exact", words=_BY_TENSOR),
    _clipping(
        "torch",
        "convnet",
        Edit(file=TORCH_STEP, old="if self._clip_norm is not None:", new="if False:"),
        "unclipped",
        "guarded",
        words="no clipping",
    ),
    Fault(
        kind="Adam epsilon placement",
        framework="torch",
        workload="transformer",
        edits=(
            Edit(
                file=TORCH_STEP,
                old="        self._optimizer.step()\n",
                new=f"{_EPSILON_HAT}        self._optimizer.step()\n",
            ),
        ),
        check="rule",
        where="adam epsilon",
        ours={"adam_epsilon": "before_correction"},
        theirs={"adam_epsilon": "after_correction"},
        words="epsilon added before the bias correction",
        quick=True,
    ),
    Fault(
        kind="Adam epsilon placement",
        framework="jax",
        workload="transformer",
        edits=(
            Edit(
                file=JAX_OPTIMIZERS,
                old='        eps=settings["epsilon"],',
                new='        eps=lambda count: settings["epsilon"] / (1 - settings["beta_2"] ** (count + 1)) ** 0.5,',
            ),
            Edit(
                file=JAX_OPTIMIZERS,
                old="    return optax.adamw(",
                new="    return optax.inject_hyperparams(optax.adamw)(",
            ),
        ),
        check="rule",
        where="adam epsilon",
        ours={"adam_epsilon": "before_correction"},
        theirs={"adam_epsilon": "after_correction"},
        words="epsilon added before the bias correction",
    ),
)
