"""Mistakes that only a transformer has room for."""

from __future__ import annotations

from typing import Any

from planted_faults.fault import Edit, Fault, model

_TORCH, _KERAS, _FLAX = (model("transformer", name) for name in ("torch", "tensorflow", "jax"))
_ATTENTION = {"torch": "attention 1", "tensorflow": "attention (softmax)", "jax": "attention 1"}


def _layer(
    kind: str,
    framework: str,
    where: str,
    edit: Edit,
    ours: dict[str, Any] | None = None,
    theirs: dict[str, Any] | None = None,
    *,
    words: str = "",
    quick: bool = False,
) -> Fault:
    return Fault(
        kind=kind,
        framework=framework,
        workload="transformer",
        edits=(edit,),
        check="train_output",
        where=where,
        ours=ours or {},
        theirs=theirs or {},
        words=words or ", ".join(ours or {}),
        quick=quick,
    )


def _gelu(framework: str, where: str, edit: Edit, *, quick: bool = False) -> Fault:
    return _layer(
        "GELU form", framework, where, edit, {"approximate": True}, {"approximate": False}, quick=quick
    )


def _epsilon(framework: str, edit: Edit, value: float, *, quick: bool = False) -> Fault:
    return _layer(
        "LayerNorm epsilon",
        framework,
        "blocks.0.norm1",
        edit,
        {"epsilon": value},
        {"epsilon": 1e-5},
        quick=quick,
    )


def _precision(framework: str, edit: Edit, *, quick: bool = False) -> Fault:
    return _layer(
        "softmax in lower precision",
        framework,
        _ATTENTION[framework],
        edit,
        {"dtype": "float32"},
        {"dtype": "float64"},
        quick=quick,
    )


def _mask(framework: str, edit: Edit, *, quick: bool = False) -> Fault:
    return _layer(
        "causal mask off by one",
        framework,
        _ATTENTION[framework],
        edit,
        {"lookahead": 1},
        {"lookahead": 0},
        quick=quick,
    )


def _scale(framework: str, edit: Edit, *, quick: bool = False) -> Fault:
    return _layer("attention scale", framework, _ATTENTION[framework], edit, words="scores is", quick=quick)


def _untied(framework: str, where: str, *edits: Edit, quick: bool = False) -> Fault:
    return Fault(
        kind="tied weights untied",
        framework=framework,
        workload="transformer",
        edits=edits,
        check="structure",
        where=where,
        words="as large as tokens.weight: weights that should be tied to it",
        quick=quick,
    )


_TORCH_CALL = "F.scaled_dot_product_attention(q, k, v, is_causal=True)"
_KERAS_SOFTMAX = "ops.softmax(ops.where(causal, scores, -np.inf))"
_FLAX_SOFTMAX = "jax.nn.softmax(jnp.where(causal, scores, -jnp.inf))"

FAULTS = (
    _gelu(
        "torch",
        "activation (blocks.0.gelu)",
        Edit(file=_TORCH, old="nn.GELU()", new='nn.GELU("tanh")'),
        quick=True,
    ),
    _gelu(
        "tensorflow",
        "activation (gelu)",
        Edit(file=_KERAS, old="y = gelu(y)", new="y = keras.activations.gelu(y, approximate=True)"),
    ),
    _gelu("jax", "activation 1", Edit(file=_FLAX, old=", approximate=False", new="")),
    _epsilon(
        "torch",
        Edit(
            file=_TORCH,
            old="self.norm1 = nn.LayerNorm(width, eps=1e-5)",
            new="self.norm1 = nn.LayerNorm(width, eps=1e-6)",
        ),
        1e-6,
        quick=True,
    ),
    _epsilon(
        "tensorflow",
        Edit(file=_KERAS, old="LayerNormalization(epsilon=1e-5, ", new="LayerNormalization("),
        1e-3,
    ),
    _epsilon(
        "jax", Edit(file=_FLAX, old="nnx.LayerNorm(width, epsilon=1e-5, ", new="nnx.LayerNorm(width, "), 1e-6
    ),
    _precision(
        "torch",
        Edit(
            file=_TORCH,
            old=_TORCH_CALL,
            new="F.scaled_dot_product_attention(q.float(), k.float(), v.float(), is_causal=True).to(x.dtype)",
        ),
        quick=True,
    ),
    _precision(
        "tensorflow",
        Edit(
            file=_KERAS,
            old=_KERAS_SOFTMAX,
            new='ops.cast(ops.softmax(ops.cast(ops.where(causal, scores, -np.inf), "float32")), v.dtype)',
        ),
    ),
    _precision(
        "jax",
        Edit(
            file=_FLAX,
            old=_FLAX_SOFTMAX,
            new="jax.nn.softmax(jnp.where(causal, scores, -jnp.inf).astype(jnp.float32)).astype(v.dtype)",
        ),
    ),
    # a function of the library, whose softmax nobody sees: only the size of the difference tells
    _layer(
        "softmax in lower precision, in the library",
        "jax",
        "blocks.0.attention.out",
        Edit(
            file=_FLAX,
            old='y = jnp.einsum("bhqk,bkhd->bqhd", weights, v)',
            new="y = jax.nn.dot_product_attention(q, k, v, is_causal=True)",
        ),
        {"precision": "lower"},
        {"precision": "float64"},
        words="computed in lower precision",
    ),
    _mask(
        "torch",
        Edit(
            file=_TORCH,
            old=_TORCH_CALL,
            new="F.scaled_dot_product_attention(\n"
            "            q, k, v, attn_mask=torch.ones(length, length, dtype=torch.bool).tril(1)\n"
            "        )",
        ),
        quick=True,
    ),
    _mask(
        "tensorflow",
        Edit(file=_KERAS, old="np.ones((length, length), bool))", new="np.ones((length, length), bool), 1)"),
    ),
    _mask(
        "jax",
        Edit(file=_FLAX, old="jnp.ones((length, length), bool))", new="jnp.ones((length, length), bool), 1)"),
    ),
    _scale("torch", Edit(file=_TORCH, old="is_causal=True)", new="is_causal=True, scale=1.0)"), quick=True),
    _scale("tensorflow", Edit(file=_KERAS, old=" / (width // heads) ** 0.5", new="")),
    _scale("jax", Edit(file=_FLAX, old=" / math.sqrt(width // self.heads)", new="")),
    _untied(
        "torch",
        "head",
        Edit(file=_TORCH, old="        self.head.weight = self.tokens.weight\n", new=""),
        quick=True,
    ),
    _untied(
        "tensorflow",
        "tokens",
        Edit(file=_KERAS, old='width, name="tokens")', new='width, tie_weights=False, name="tokens")'),
    ),
    _untied(
        "jax",
        "head",
        Edit(
            file=_FLAX,
            old="        self.blocks = ",
            new="        self.head = nnx.Linear(width, vocabulary, use_bias=False, dtype=dtype, rngs=rngs)\n"
            "        self.blocks = ",
        ),
        Edit(file=_FLAX, old="self.tokens.attend(", new="self.head("),
    ),
)
